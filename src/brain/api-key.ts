import { readKeyAt } from "../machine/settings/key-place.ts";
import { BrainError } from "./brain.ts";

type Env = Record<string, string | undefined>;
/** Where a key is: never the key itself. */
export type KeyPlace = { key_env?: string | undefined; key_file?: string | undefined };

/** Read at every use, so that a new one needs no restart. Contract: no message of an error holds any of it. */
export function readKey({ key_env, key_file }: KeyPlace, env: Env): Promise<string | undefined> {
  const place = { env: key_env, file: key_file, fileKey: "key_file" };
  return readKeyAt(place, env, (message) => new BrainError("setup", message));
}
