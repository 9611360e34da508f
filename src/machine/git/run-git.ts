import { bothEndsFrom } from "../file/both-ends.ts";
import { silenced } from "./silenced-config.ts";

/** Names of a hundred thousand files. A tree may hold more that git does not know; then the first ones are counted. */
const MOST_OUT = 16 * 1024 * 1024;
const COMPLAINTS = { head: 1000, tail: 3000 };

/** What git said, and how it ended; `isCut`: it said more than is kept. */
export type Said = { ok: boolean; code: number | null; out: string; err: string; isCut: boolean };
/** `env`: another index or place for objects, never a person's own; `input`: what it reads; `only`: of what it says with `-z`,
 * what begins so; `signal` ends it. */
export type GitWith = { env?: Record<string, string>; input?: string; only?: string; signal?: AbortSignal };

/** Where a caller of ours worked, or wanted its git to run something. */
const NOT_OURS =
  /^GIT_(DIR|COMMON_DIR|INDEX_FILE|WORK_TREE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|EXTERNAL_DIFF|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+)$/;

const ALWAYS: [key: string, value: string][] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.quotePath", "false"],
  // A repository inside of it has settings of its own, and git would run what they name.
  ["diff.ignoreSubmodules", "dirty"],
  ["submodule.recurse", "false"],
];

/**
 * Runs git so that nothing runs which the repository names: no hook, filter, file monitor, transport or helper of its own.
 * It touches no index that somebody else works with either: a look at a repository must leave no trace in it.
 */
export const runGit = (cwd: string, ...args: string[]): Promise<Said> => runGitWith(cwd, args, {});

export async function runGitWith(cwd: string, args: readonly string[], extra: GitWith): Promise<Said> {
  const { ok, out } = await start(cwd, ["config", "--list", "--null", "--show-scope"], ALWAYS, {
    ...(extra.signal && { signal: extra.signal }),
  });
  // Where it is no repository, the command itself says so.
  return start(cwd, args, [...ALWAYS, ...(ok ? silenced(out) : [])], extra);
}

async function start(
  cwd: string,
  args: readonly string[],
  settings: readonly [string, string][],
  { env = {}, input = "", only, signal }: GitWith,
): Promise<Said> {
  try {
    const child = spawnGit(cwd, args, { settings, env: { ...ownEnvironment(), ...env }, stdin: "pipe" });
    signal?.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
    if (signal?.aborted) child.kill("SIGKILL");
    // One that ends before it has read everything says why itself.
    const told = (async () => (child.stdin.write(input), await child.stdin.end()))().catch(() => undefined);
    const [{ text: out, isCut }, err, code] = await Promise.all([
      beginningOf(only === undefined ? child.stdout : recordsOf(child.stdout, Buffer.from(only))),
      bothEndsFrom(child.stderr, COMPLAINTS),
      child.exited,
      told,
    ]);
    return { ok: code === 0, code, out, err: err.trim(), isCut };
  } catch (error) {
    return {
      ok: false,
      code: null,
      out: "",
      err: error instanceof Error ? error.message : String(error),
      isCut: false,
    };
  }
}

const ownEnvironment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name)));

type Spawn<In> = { settings?: readonly [string, string][]; env: Record<string, string | undefined>; stdin: In };

/** The one way git is started. Contract: throws when there is none. */
export function spawnGit<In extends "pipe" | "ignore">(
  cwd: string,
  args: readonly string[],
  { settings = ALWAYS, env, stdin }: Spawn<In>,
) {
  // Not `-c`: the name of a filter may hold an equals sign.
  const config = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return Bun.spawn(["git", "--no-pager", ...args], {
    cwd,
    env: {
      ...env,
      ...Object.fromEntries(config),
      GIT_CONFIG_COUNT: String(settings.length),
      // What a partial clone lacks would be fetched, by whatever program the repository names for it.
      GIT_ALLOW_PROTOCOL: "",
      GIT_NO_LAZY_FETCH: "1",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      LC_ALL: "C",
    },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** The records that begin so; a tree may have a million others. */
async function* recordsOf(stream: AsyncIterable<Uint8Array>, beginning: Buffer): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, at)) {
      if (bytes.subarray(at, at + beginning.length).equals(beginning)) yield bytes.subarray(at, end + 1);
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
}

/** Contract: ends behind a whole record of `-z`, or a whole line; read to the end, so that git is not kept waiting. */
async function beginningOf(stream: AsyncIterable<Uint8Array>): Promise<{ text: string; isCut: boolean }> {
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
  return { text: bytes.subarray(0, end).toString("utf8"), isCut };
}
