import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BrainConfig } from "../core/autopilot/brain-config.ts";
import { readKey } from "./api-key.ts";

const KEY = "sk-very-secret";
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-key-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (text: string, mode = 0o600) => {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, text, { mode });
  return path;
};
const problemOf = (place: Parameters<typeof readKey>[0], env = {}) =>
  readKey(place, env).then(
    () => "none",
    (error: Error) => error.message,
  );

test("[BR16] a key comes from a variable or from a file that is the person's alone", async () => {
  expect(await readKey({ key_env: "MY_KEY" }, { MY_KEY: KEY })).toBe(KEY);
  expect(await readKey({ key_file: file(`${KEY}\n`) }, {})).toBe(KEY);
  const home = file(KEY);
  expect(await readKey({ key_file: `~/${home.slice(folder.length + 1)}` }, { HOME: folder })).toBe(KEY);
  expect(await readKey({}, {})).toBeUndefined();
});

test("[BR17] why there is none is said, without any of it", async () => {
  const [open, two, empty] = [file(KEY, 0o644), file(`${KEY}\n${KEY}`), file("\n")];
  expect(await problemOf({ key_env: "MY_KEY" })).toBe(
    "The daemon's environment has no MY_KEY; start it with: parley serve, or use key_file",
  );
  expect(await problemOf({ key_env: "MY_KEY" }, { MY_KEY: "two words" })).toBe(
    "The environment variable MY_KEY does not hold a key: one line without spaces",
  );
  expect(await problemOf({ key_file: "/nowhere" })).toBe("The file /nowhere cannot be read (ENOENT)");
  expect(await problemOf({ key_file: "/dev/zero" })).toBe("The file /dev/zero is not a regular file");
  expect(await problemOf({ key_file: open })).toBe(`The file ${open} can be read by others; run: chmod 600 ${open}`);
  expect(await problemOf({ key_file: two })).toBe(`The file ${two} does not hold a key: one line without spaces`);
  expect(await problemOf({ key_file: empty })).toBe(`The file ${empty} holds no key`);
});

test("[BR18] settings name where a key is, never the key, and send it over https or to this machine only", () => {
  const complaints = (brain: object) =>
    BrainConfig.safeParse(brain).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
  const openai = { type: "openai", url: "http://10.0.0.5:8000/v1", model: "m" };
  const anthropic = { type: "anthropic", model: "m" };
  expect(complaints(openai)).toEqual([]);
  expect(complaints({ ...openai, key_env: "K" })).toEqual(["url: a key goes only over https://, or to this machine"]);
  expect(complaints({ ...openai, url: "http://127.0.0.1:1/v1", key_env: "K" })).toEqual([]);
  expect(complaints({ ...openai, url: "http://127.0.0.1.example.com/v1", key_env: "K" })).toHaveLength(1);
  expect(complaints(anthropic)).toEqual(["key_env: expected key_env or key_file"]);
  expect(complaints({ ...anthropic, key_env: "K", key_file: "/k" })).toEqual([
    "key_file: key_env or key_file, not both",
  ]);
  expect(complaints({ ...anthropic, key_env: "sk-1" })).toEqual([
    "key_env: expected the name of an environment variable",
  ]);
  expect(complaints({ ...anthropic, key_env: "K", key: KEY })).toEqual([`: Unrecognized key: "key"`]);
  expect(complaints({ ...anthropic, key_file: "keys/mine" })).toEqual([
    "key_file: expected an absolute path, from / or ~/",
  ]);
  expect(complaints({ type: "oracle" })).toEqual([
    "type: expected a type: command, claude, anthropic, openai or openclaw",
  ]);
  expect(complaints({ type: "command", command: [] })).toEqual(["command: expected a program"]);
});
