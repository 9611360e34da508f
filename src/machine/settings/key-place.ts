import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fromHome } from "../file/from-home.ts";

type Env = Record<string, string | undefined>;
/** Where a key is: never the key itself. `fileKey`: what the settings call the place in a file. */
export type KeyPlace = { env?: string | undefined; file?: string | undefined; fileKey: string };

const LARGEST = 4096;

/**
 * Read at every use, so that a new one needs no restart. Undefined: no place is named.
 * Contract: no message handed to `wrong` holds any of it.
 */
export async function readKeyAt(
  { env: name, file, fileKey }: KeyPlace,
  env: Env,
  wrong: (message: string) => Error,
): Promise<string | undefined> {
  // A daemon that started by itself has few variables: a hook's surroundings are none of its business.
  if (name !== undefined && !env[name]?.trim())
    throw wrong(`The daemon's environment has no ${name}; start it with: parley serve, or use ${fileKey}`);
  if (name !== undefined) return usable(env[name] ?? "", `The environment variable ${name}`);
  if (file !== undefined) return usable(await readPrivate(file), `The file ${file}`);
  return undefined;

  function usable(text: string, place: string): string {
    const key = text.trim();
    if (key === "") throw wrong(`${place} holds no key`);
    if (!/^[\x21-\x7e]+$/.test(key)) throw wrong(`${place} does not hold a key: one line without spaces`);
    return key;
  }

  async function readPrivate(path: string): Promise<string> {
    const problem = { words: "" };
    try {
      await using handle = await open(fromHome(path, env), constants.O_RDONLY | constants.O_NONBLOCK);
      const info = await handle.stat();
      if (!info.isFile()) problem.words = "is not a regular file";
      else if (process.getuid && info.uid !== process.getuid()) problem.words = "belongs to somebody else";
      else if (info.mode & 0o077) problem.words = `can be read by others; run: chmod 600 ${path}`;
      else if (info.size > LARGEST) problem.words = "is too large for a key";
      else return await handle.readFile("utf8");
    } catch (error) {
      problem.words = `cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`;
    }
    throw wrong(`The file ${path} ${problem.words}`);
  }
}
