import { shellQuote } from "../../machine/shell-quote.ts";
import type { Mount } from "./mount.ts";

type Wanted = { mounts: readonly Mount[]; cwd: string; hostNetwork: boolean };
/**
 * Namespaces of its own for everything, users too, and none inside that it could make others with. It dies with whoever
 * started it, has a session of its own, so that it cannot type into anybody's terminal, and no capability.
 */
const APART = ["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"];
const FIRST = [...APART, "--cap-drop", "ALL", "--hostname", "sandbox"];

/** What is called before a command so that it runs in there. */
export function bubblewrap({ mounts, cwd, hostNetwork }: Wanted): string[] {
  const placed = mounts.flatMap((mount) => {
    if ("link" in mount) return ["--symlink", mount.link, mount.at];
    if ("empty" in mount) return ["--perms", "0700", "--tmpfs", mount.at];
    return [mount.write ? "--bind" : "--ro-bind", mount.from, mount.at];
  });
  const network = hostNetwork ? ["--share-net"] : [];
  return ["bwrap", ...FIRST, ...network, "--proc", "/proc", "--dev", "/dev", ...placed, "--chdir", cwd, "--"];
}

/** Why no sandbox can be made here; undefined: one can. */
export async function sandboxProblem(
  command: readonly string[] | undefined,
  PATH: string,
): Promise<string | undefined> {
  const program = command?.[0] ?? "bwrap";
  const hint = command ? "" : " (Debian: apt install bubblewrap)";
  if (!Bun.which(program, { PATH })) return `${shellQuote(program)} is not installed${hint}`;
  if (command) return undefined;
  const child = Bun.spawn(["bwrap", ...FIRST, "--ro-bind", "/", "/", "true"], {
    env: { PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [why, code] = await Promise.all([child.stderr.text(), child.exited]);
  return code === 0 ? undefined : why.trim().split("\n").at(-1) || `bwrap ended with ${code}`;
}
