import type { Paths, Registration } from "../home.ts";
import { writeAtomic } from "../file/atomic-file.ts";

export async function writeRegistration(paths: Paths, registration: Registration): Promise<void> {
  await writeAtomic(paths.registration, `${JSON.stringify(registration, null, 2)}\n`, { mode: 0o600, own: true });
}
