import { shellWord } from "../../../machine/shell-quote.ts";
import { statSync } from "node:fs";
import { bothEndsFrom } from "../../../machine/file/both-ends.ts";
import { type Finding, note, ok, problem } from "../../../core/finding.ts";

const PATIENCE_MS = 10_000;
/** Whatever stands there instead of Parley may print anything. */
const PRINTED = { head: 1000, tail: 1000 };
const REWRITE = "parley setup";

/** What every hook starts: there, executable, and really starting. A hook that cannot start says nothing to anybody. */
export async function checkLauncher(program: string, version: string): Promise<Finding> {
  const stat = statSync(program, { throwIfNoEntry: false });
  if (!stat) return problem("launcher", `${program} is gone: the hooks do nothing`, REWRITE);
  if ((stat.mode & 0o100) === 0)
    return problem("launcher", `${program} is not executable: the hooks do nothing`, `chmod 700 ${shellWord(program)}`);
  const { code, out, err } = await start(program);
  const started = code === 0 ? versionIn(out) : undefined;
  if (started === undefined)
    return problem("launcher", `${program} does not start: ${err.trim() || `exit code ${code}`}`, REWRITE);
  if (started !== version) return note("launcher", `the hooks start Parley ${started}, this is ${version}`, REWRITE);
  return ok("launcher", `${program} starts Parley ${started}`);
}

async function start(program: string): Promise<{ code: number; out: string; err: string }> {
  try {
    const child = Bun.spawn([program, "version", "--json"], {
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    });
    const [out, err, code] = await Promise.all([
      bothEndsFrom(child.stdout, PRINTED),
      bothEndsFrom(child.stderr, PRINTED),
      child.exited,
    ]);
    return { code, out, err };
  } catch (error) {
    return { code: -1, out: "", err: error instanceof Error ? error.message : String(error) };
  }
}

function versionIn(out: string): string | undefined {
  try {
    const { version } = JSON.parse(out) as { version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
