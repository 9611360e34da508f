import { bothEndsFrom } from "../machine/both-ends.ts";

/** Names of a hundred thousand files. A tree may hold more that git does not know; then the first ones are counted. */
const MOST_OUT = 16 * 1024 * 1024;
const COMPLAINTS = { head: 1000, tail: 3000 };

/** What git said, and how it ended. */
export type Said = { ok: boolean; out: string; err: string };

/**
 * Runs git without its owner's hooks, and without touching an index that somebody else works with: a look at a
 * repository must leave no trace in it.
 */
export async function runGit(cwd: string, ...args: string[]): Promise<Said> {
  const quiet = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];
  const { GIT_DIR: _dir, GIT_INDEX_FILE: _index, GIT_WORK_TREE: _tree, ...env } = process.env;
  try {
    const child = Bun.spawn(["git", ...quiet, ...args], {
      cwd,
      env: { ...env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([
      beginningOf(child.stdout),
      bothEndsFrom(child.stderr, COMPLAINTS),
      child.exited,
    ]);
    return { ok: code === 0, out, err: err.trim() };
  } catch (error) {
    return { ok: false, out: "", err: error instanceof Error ? error.message : String(error) };
  }
}

/** Contract: ends behind a whole record of `-z`, or a whole line; read to the end, so that git is not kept waiting. */
async function beginningOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let room = MOST_OUT;
  let isCut = false;
  for await (const chunk of stream) {
    isCut ||= chunk.length > room;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room = Math.max(0, room - chunk.length);
  }
  const bytes = Buffer.concat(chunks);
  const end = isCut ? bytes.lastIndexOf(bytes.includes(0) ? 0 : 10) + 1 : bytes.length;
  return bytes.subarray(0, end).toString("utf8");
}
