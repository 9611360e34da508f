import { createHash } from "node:crypto";
import { isAbsolute, join, sep } from "node:path";
import { bothEndsFrom } from "../file/both-ends.ts";
import { realTopOf } from "./project-top.ts";
import { spawnGit } from "./run-git.ts";

/** A commit of the repository whose top is this real folder. */
export type Base = { top: string; commit: string };
/** Why there is none. */
export type NoBase = { why: string };
type Entry = { mode: string; name: string; id: string };
export type Tree = {
  /** Of a folder; undefined: there is none. */
  list(path: string): Promise<Entry[] | undefined>;
  /** Undefined: there is no such file, it is a link, or it is larger than `LARGEST`. */
  read(path: string): Promise<Buffer | undefined>;
};

const LARGEST = 1024 * 1024;
const DEEPEST = 20;
const PATIENCE_MS = 5000;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** What is checked out now, in the repository a directory belongs to. */
export async function headOf(directory: string): Promise<Base | NoBase> {
  const top = await realTopOf(directory);
  if (top === undefined) return { why: "the folder is not a git repository" };
  const said = await git(top, ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"]);
  if (said === undefined) return { why: "git is not installed" };
  const commit = said.trim();
  return ID.test(commit) ? { top, commit } : { why: "nothing was committed" };
}

/**
 * Looks into a commit.
 * Contract: every object is compared with the id that leads to it from the commit's own, so that nothing counts that was
 * put into the repository under that name since; no program that the repository's settings name is run.
 */
export async function lookInto<T>({ top, commit }: Base, look: (tree: Tree) => Promise<T>): Promise<T | undefined> {
  const objects = readObjects(top);
  if (!objects || !ID.test(commit)) return undefined;
  const limit = setTimeout(() => objects.end(), PATIENCE_MS);
  try {
    const root = /^tree ([0-9a-f]+)\n/.exec((await objects.read(commit, "commit"))?.toString("latin1") ?? "")?.[1];
    if (root === undefined) return undefined;
    const entryAt = async (path: string): Promise<Entry | undefined> => {
      let at: Entry | undefined = { mode: FOLDER, name: "", id: root };
      const parts = path.split(sep).filter((part) => part !== "" && part !== ".");
      if (isAbsolute(path) || parts.includes("..") || parts.length > DEEPEST) return undefined;
      for (const part of parts) at = at && (await entriesOf(objects.read, at))?.find(({ name }) => name === part);
      return at;
    };
    return await look({
      async list(path) {
        const at = await entryAt(path);
        return at && entriesOf(objects.read, at);
      },
      async read(path) {
        const at = await entryAt(path);
        return at && FILES.has(at.mode) ? objects.read(at.id, "blob") : undefined;
      },
    });
  } catch {
    return undefined;
  } finally {
    clearTimeout(limit);
    objects.end();
  }
}

const FOLDER = "40000";
const FILES = new Set(["100644", "100755"]);

async function entriesOf(
  read: (id: string, type: string) => Promise<Buffer | undefined>,
  { mode, id }: Entry,
): Promise<Entry[] | undefined> {
  const bytes = mode === FOLDER ? await read(id, "tree") : undefined;
  if (!bytes) return undefined;
  const width = id.length / 2;
  const entries: Entry[] = [];
  for (let at = 0; at < bytes.length;) {
    const [space, end] = [bytes.indexOf(0x20, at), bytes.indexOf(0, at)];
    const [mode_, name] = [bytes.toString("latin1", at, space), bytes.toString("utf8", space + 1, end)];
    entries.push({ mode: mode_, name, id: bytes.toString("hex", end + 1, end + 1 + width) });
    at = end + 1 + width;
  }
  return entries;
}

/** `git cat-file --batch`: one process for all of a look. */
function readObjects(top: string) {
  const child = start(top, ["cat-file", "--batch"], "pipe");
  if (!child) return undefined;
  const chunks = child.stdout.getReader();
  let buffer = Buffer.alloc(0);
  const more = async () => {
    const { value, done } = await chunks.read();
    if (done) throw new Error("git ended");
    buffer = Buffer.concat([buffer, value]);
  };
  const take = (count: number) => {
    const part = buffer.subarray(0, count);
    buffer = buffer.subarray(count);
    return part;
  };

  return {
    /** Undefined: not there, something else, too large, or not what its id says. */
    async read(id: string, type: string): Promise<Buffer | undefined> {
      void child.stdin.write(`${id}\n`);
      void child.stdin.flush();
      while (!buffer.includes(0x0a)) await more();
      const head = take(buffer.indexOf(0x0a) + 1)
        .toString("latin1")
        .trim();
      const size = Number(/^[0-9a-f]+ [a-z]+ (\d+)$/.exec(head)?.[1] ?? Number.NaN);
      if (Number.isNaN(size)) return undefined;
      if (size > LARGEST) {
        for (let left = size + 1; left > 0; left -= take(left).length) if (buffer.length === 0) await more();
        return undefined;
      }
      while (buffer.length < size + 1) await more();
      const bytes = Buffer.from(take(size + 1).subarray(0, size));
      const digest = createHash(id.length === 64 ? "sha256" : "sha1");
      return digest.update(`${type} ${size}\0`).update(bytes).digest("hex") === id ? bytes : undefined;
    },
    end(): void {
      child.kill("SIGKILL");
    },
  };
}

async function git(top: string, args: string[]): Promise<string | undefined> {
  const child = start(top, args, "ignore");
  if (!child) return undefined;
  const limit = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  try {
    return await child.stdout.text();
  } finally {
    clearTimeout(limit);
    child.kill("SIGKILL");
  }
}

/** Replaced objects are not taken, and nobody's settings but the repository's are read. */
const ALONE = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_NO_REPLACE_OBJECTS: "1" };

function start<In extends "pipe" | "ignore">(top: string, args: string[], stdin: In) {
  try {
    const env = { PATH: process.env["PATH"] ?? "", ...ALONE };
    const child = spawnGit(top, [`--git-dir=${join(top, ".git")}`, ...args], { env, stdin });
    // A full pipe would keep it waiting.
    void bothEndsFrom(child.stderr, { head: 0, tail: 0 }).catch(() => undefined);
    return child;
  } catch {
    return undefined;
  }
}
