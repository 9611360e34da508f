import { relative } from "node:path";
import { runGitWith } from "./run-git.ts";

/** What git knows of a path: `changed` also for a folder with something in it that differs. */
export type GitState = "clean" | "changed" | "untracked" | "ignored" | "partly untracked";
export type RepositoryState = { changed: number; untracked: number; isCut: boolean };

/** Not what lies in submodules: their settings name programs of their own. */
const STATUS = ["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all"];

/** Of each path below `top`. Undefined: git does not say, or not in time. */
export async function gitStates(
  top: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, GitState> | undefined> {
  const inside = paths.map((path) => relative(top, path));
  const said = await runGitWith(top, ["--literal-pathspecs", ...STATUS, "--ignored", "--", ...inside], { signal });
  const listed = await runGitWith(top, ["--literal-pathspecs", "ls-files", "-z", "--", ...inside], { signal });
  if (!said.ok || !listed.ok) return undefined;
  const entries = said.out
    .split("\0")
    .filter(Boolean)
    .map((entry) => ({ code: entry.slice(0, 2), path: entry.slice(3) }));
  const tracked = listed.out.split("\0");
  const of = (path: string) =>
    entries.filter((entry) => isIn(entry.path, path) || (entry.path.endsWith("/") && isIn(`${path}/`, entry.path)));
  return new Map(
    paths.map((path, i) => {
      const at = inside[i] ?? "";
      return [
        path,
        stateOf(
          of(at).map(({ code }) => code),
          tracked.some((name) => isIn(name, at)),
        ),
      ];
    }),
  );
}

function stateOf(codes: readonly string[], isTracked: boolean): GitState {
  if (!isTracked) return codes.length > 0 && codes.every((code) => code === "!!") ? "ignored" : "untracked";
  if (codes.some((code) => code !== "??" && code !== "!!")) return "changed";
  return codes.length > 0 ? "partly untracked" : "clean";
}

const isIn = (name: string, path: string) =>
  path === "" || name === path || name === `${path}/` || name.startsWith(path.endsWith("/") ? path : `${path}/`);

export async function repositoryState(top: string, signal: AbortSignal): Promise<RepositoryState | undefined> {
  const { ok, out, isCut } = await runGitWith(top, STATUS, { signal });
  if (!ok) return undefined;
  const codes = out.split("\0").filter(Boolean);
  const untracked = codes.filter((code) => code.startsWith("??")).length;
  return { changed: codes.length - untracked, untracked, isCut };
}

/**
 * Where a remote, or an address, leads as git's settings say it; no program is run for it. Undefined: there is none by that name.
 */
export async function remoteUrl(
  top: string,
  { name, push }: { name: string | undefined; push: boolean },
  signal: AbortSignal,
): Promise<{ name: string | undefined; url: string } | undefined> {
  const remote = name ?? (await defaultRemote(top, signal));
  if (remote === undefined) return undefined;
  const isAddress = remote.includes(":");
  const which = isAddress ? ["ls-remote", "--get-url"] : ["remote", "get-url", ...(push ? ["--push"] : [])];
  const { ok, out } = await runGitWith(top, [...which, "--", remote], { signal });
  return ok ? { name: isAddress ? undefined : remote, url: out.split("\n")[0] ?? "" } : undefined;
}

async function defaultRemote(top: string, signal: AbortSignal): Promise<string | undefined> {
  const { ok, out } = await runGitWith(top, ["remote"], { signal });
  const names = ok ? out.split("\n").filter(Boolean) : [];
  // Which of several it is depends on more settings than one.
  return names.length === 1 ? names[0] : undefined;
}
