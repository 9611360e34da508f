import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { BrainError } from "./brain.ts";
import { fromHome } from "./from-home.ts";

type Env = Record<string, string | undefined>;
/** Where a key is: never the key itself. */
export type KeyPlace = { key_env?: string | undefined; key_file?: string | undefined };

const LARGEST = 4096;

/** Read at every use, so that a new one needs no restart. Contract: no message of an error holds any of it. */
export async function readKey({ key_env, key_file }: KeyPlace, env: Env): Promise<string | undefined> {
  // A daemon that started by itself has few variables: a hook's surroundings are none of its business.
  if (key_env !== undefined && !env[key_env]?.trim())
    throw new BrainError(
      "setup",
      `The daemon's environment has no ${key_env}; start it with: parley serve, or use key_file`,
    );
  if (key_env !== undefined) return usable(env[key_env] ?? "", `The environment variable ${key_env}`);
  if (key_file !== undefined) return usable(await readPrivate(key_file, env), `The file ${key_file}`);
  return undefined;
}

function usable(text: string, place: string): string {
  const key = text.trim();
  if (key === "") throw new BrainError("setup", `${place} holds no key`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new BrainError("setup", `${place} does not hold a key: one line without spaces`);
  return key;
}

async function readPrivate(name: string, env: Env): Promise<string> {
  const wrong = (what: string) => new BrainError("setup", `The file ${name} ${what}`);
  const path = fromHome(name, env);
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const info = await file.stat();
    if (!info.isFile()) throw wrong("is not a regular file");
    if (process.getuid && info.uid !== process.getuid()) throw wrong("belongs to somebody else");
    if (info.mode & 0o077) throw wrong(`can be read by others; run: chmod 600 ${name}`);
    if (info.size > LARGEST) throw wrong("is too large for a key");
    return await file.readFile("utf8");
  } catch (error) {
    if (error instanceof BrainError) throw error;
    throw wrong(`cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`);
  }
}
