import { ParleyError } from "../../core/error.ts";
import { runGit, runGitWith } from "../git/run-git.ts";

export const GITLINK = "160000";
/** A file as git knows it. */
export type Entry = { mode: string; id: string };
/** Undefined: it is not there. */
export type Change = { path: string; before: Entry | undefined; after: Entry | undefined };

const NOTHING = "000000";
const RAW = ["-r", "-z", "--raw", "--no-renames", "--full-index", "--no-ext-diff", "--no-textconv"];

/** What differs between two commits or trees, file by file. */
export async function changesBetween(
  cwd: string,
  from: string,
  to: string,
  env: Record<string, string> = {},
): Promise<Change[]> {
  const { ok, out, err, isCut } = await runGitWith(cwd, ["diff-tree", ...RAW, from, to], { env });
  if (!ok) throw new ParleyError("busy", `git cannot compare them: ${err.split("\n").at(-1)}`);
  if (isCut) throw new ParleyError("too_large", "It changed more files than Parley can look through: use git");
  const fields = out.split("\0");
  const changes: Change[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [before = "", after = "", idBefore = "", idAfter = ""] = (fields[i] ?? "").replace(/^:/, "").split(" ");
    const path = fields[i + 1] ?? "";
    if (path.includes("\ufffd")) throw new ParleyError("busy", `The file name ${path} is not UTF-8: use git`);
    changes.push({ path, before: entryOf(before, idBefore), after: entryOf(after, idAfter) });
  }
  return changes;
}

/** What it printed. Contract: throws what it complained about. */
export async function gitSaid(cwd: string, ...args: string[]): Promise<string> {
  const { ok, out, err } = await runGit(cwd, ...args);
  if (!ok) throw new ParleyError("busy", `git ${args[0]} in ${cwd}: ${err.split("\n").at(-1) || "it failed"}`);
  return out.trim();
}

const entryOf = (mode: string, id: string): Entry | undefined => (mode === NOTHING ? undefined : { mode, id });
