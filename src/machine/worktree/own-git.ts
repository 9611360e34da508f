import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { runGit } from "../git/run-git.ts";
import { gitSaid } from "./changes.ts";
import { copyIndex } from "./copy-index.ts";

/**
 * The git folder that an agent in a sandbox has in the place of its worktree's: with branches and a history to look at,
 * and objects of its own on top of the repository's. It can write all of it, so nothing outside ever runs git there.
 */
export type OwnGit = {
  folder: string;
  /** What stands for the worktree's `.git` there. */
  file: string;
  /** Where the repository's objects are, and of others that it borrows from. */
  objects: string[];
};

/** Of the person's settings what says how files are written and in whose name. */
const KEPT = `user.name user.email core.autocrlf core.eol core.safecrlf core.filemode core.ignorecase core.symlinks
  core.precomposeunicode core.sparsecheckout core.sparsecheckoutcone`.split(/\s+/);

const placeOf = (root: string) => join(dirname(root), `.git-of-${basename(root)}`);

/** Undefined: it has none yet. */
export function ownGitOf(root: string): OwnGit | undefined {
  const place = placeOf(root);
  if (!existsSync(place)) return undefined;
  const objects = JSON.parse(readFileSync(join(place, "objects.json"), "utf8")) as string[];
  return { folder: join(place, "git"), file: join(place, "file"), objects };
}

/** Contract: there is one afterwards, whole; killed in between, there is none. */
export async function makeOwnGit(root: string, objectFolders: (repository: string) => string[]): Promise<void> {
  const place = placeOf(root);
  if (existsSync(place)) return;
  const said = await gitSaid(root, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir");
  const [gitDir = "", common = ""] = said.split("\n");
  const tip = await gitSaid(root, "rev-parse", "--verify", "HEAD^{commit}");
  const branch = await gitSaid(root, "symbolic-ref", "HEAD");
  const format = (await runGit(root, "rev-parse", "--show-object-format")).out.trim() || "sha1";
  const half = `${place}.${crypto.randomUUID()}`;
  const git = join(half, "git");
  try {
    mkdirSync(half, { mode: 0o700 });
    await gitSaid(dirname(root), "init", "--quiet", "--bare", "--template=", `--object-format=${format}`, git);
    const objects = objectFolders(common);
    mkdirSync(join(git, "objects", "info"), { recursive: true });
    mkdirSync(join(git, "info"), { recursive: true });
    writeFileSync(join(git, "objects", "info", "alternates"), objects.map((path) => `${path}\n`).join(""));
    const refs = await gitSaid(root, "for-each-ref", "--format=%(objectname) %(refname)");
    writeFileSync(join(git, "packed-refs"), `# pack-refs with: \n${refs === "" ? "" : `${refs}\n`}`);
    writeFileSync(join(git, "HEAD"), `ref: ${branch}\n`);
    for (const name of ["shallow", "info/exclude", "info/sparse-checkout"])
      for (const from of [common, gitDir])
        if (existsSync(join(from, name))) copyFileSync(join(from, name), join(git, name));
    copyIndex(join(gitDir, "index"), join(git, "index"));
    await gitSaid(git, "config", "--file", join(git, "config"), "core.bare", "false");
    for (const key of KEPT) {
      const { ok, out } = await runGit(root, "config", "--get", key);
      if (ok) await gitSaid(git, "config", "--file", join(git, "config"), key, out.replace(/\n$/, ""));
    }
    writeFileSync(join(half, "objects.json"), JSON.stringify(objects));
    writeFileSync(join(half, "file"), `gitdir: ${join(place, "git")}\n`);
    writeFileSync(join(half, "tip"), tip);
    chmodSync(half, 0o700);
    renameSync(half, place);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

/** The commit that the worktree was at when both were last the same. */
export const lastSharedOf = (root: string): string => readFileSync(join(placeOf(root), "tip"), "utf8");
export const noteShared = (root: string, tip: string): void => writeFileSync(join(placeOf(root), "tip"), tip);
export const dropOwnGit = (root: string): void => rmSync(placeOf(root), { recursive: true, force: true });
