import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { runGit } from "./run-git.ts";

const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|php|cs|cpp|cc|c|h|hpp|scala|ex|exs|lua|dart|vue|svelte|css|scss|html|json|toml|ya?ml|sh)$/;
const NOT_WRITTEN =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|.*\.min\.(?:js|css))$|(?:^|\/)(?:dist|vendor|node_modules)\//;
const LARGEST = 128 * 1024;
const MOST_FILES = 500;

/** Hands over tracked files of code, spread over the whole tree, until `until` (of `performance.now()`) or there were enough. */
export async function readTrackedCode(
  top: string,
  until: number,
  take: (file: { name: string; text: string }) => void,
): Promise<void> {
  const { ok, out } = await runGit(top, "ls-files", "-z", "--cached");
  if (!ok) return;
  const all = out.split("\0").filter((path) => CODE.test(path) && !NOT_WRITTEN.test(path));
  const each = Math.max(1, Math.ceil(all.length / MOST_FILES));
  for (let at = 0; at < all.length && performance.now() < until; at += each) {
    const path = all[at] ?? "";
    const text = await textOf(join(top, path));
    if (text !== undefined) take({ name: basename(path), text });
  }
}

/** Undefined: no file, a link, or too large. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const info = await file.stat();
    return info.isFile() && info.size <= LARGEST ? await file.readFile("utf8") : undefined;
  } catch {
    return undefined;
  }
}
