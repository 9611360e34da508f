import { readExact } from "../../machine/file/atomic-file.ts";
import type { Agent } from "../agent.ts";
import type { Install, InstallPlan } from "./install.ts";

export type SetupRequest = {
  at: { env: Record<string, string | undefined>; cwd: string; project?: string };
  /** The absolute path that the agent will start. */
  program: string;
  hold?: boolean;
  mustAsk?: boolean;
  remove?: boolean;
};
export type SetupPlan = InstallPlan & { path: string };

/** What set-up would change, and where. Nothing is written: that is done with exactly what a person saw. */
export async function planSetup(
  { settingsPath, plan }: Install,
  { at, program, hold = false, mustAsk = false, remove = false }: SetupRequest,
): Promise<SetupPlan> {
  const path = settingsPath(at);
  return { path, ...plan({ text: await readExact(path), program, hold, mustAsk, remove, file: path }) };
}

/** What a person does once it was written, to see that it works. */
export const tryIt = ({ program }: Agent): string => `start ${program} and ask it something`;
