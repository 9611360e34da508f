import { bothEndsFrom } from "../../../machine/file/both-ends.ts";

const PATIENCE_MS = 20_000;

/** What the program says about itself; undefined when it does not start, or says nothing that looks like a version. */
export async function claudeVersion(
  program: string,
  env: Record<string, string | undefined>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    const child = Bun.spawn([program, "--version"], {
      env: { ...env, DISABLE_AUTOUPDATER: "1" },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
      ...(signal && { signal }),
    });
    const [out, code] = await Promise.all([bothEndsFrom(child.stdout, { head: 1000, tail: 0 }), child.exited]);
    return code === 0 ? /\d+\.\d+\.\d+/.exec(out)?.[0] : undefined;
  } catch {
    return undefined;
  }
}
