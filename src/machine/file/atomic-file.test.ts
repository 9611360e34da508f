import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmod,
  chown,
  lstat,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readExact, replaceFile, writeAtomic } from "./atomic-file.ts";

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-file-"));
  file = join(folder, "a.json");
});
afterEach(() => rm(folder, { recursive: true }));
const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;

test("[S13] a new file is 0600 in folders of 0700, whatever the umask", async () => {
  const path = join(folder, "x/y/new.json");
  const umask = process.umask(0o022);
  await writeAtomic(path, "text").finally(() => process.umask(umask));
  expect(await readFile(path, "utf8")).toBe("text");
  expect([await modeOf(path), await modeOf(join(folder, "x")), await modeOf(join(folder, "x/y"))]).toEqual([
    0o600, 0o700, 0o700,
  ]);
});

test("[S15] a write keeps the mode, replaces the file as a whole and leaves nothing beside it", async () => {
  await writeFile(file, "old");
  await chmod(file, 0o664);
  const before = (await stat(file)).ino;
  await writeAtomic(file, "new");
  expect([await readFile(file, "utf8"), await modeOf(file)]).toEqual(["new", 0o664]);
  expect((await stat(file)).ino).not.toBe(before);
  expect(await readdir(folder)).toEqual(["a.json"]);
});

test("[S14] a link stays a link, relative and chained ones too, and its target is written", async () => {
  await symlink("middle", file);
  await symlink("target.json", join(folder, "middle"));
  await writeAtomic(file, "made");
  await writeAtomic(file, "changed", { expect: "made" });
  expect(await readlink(file)).toBe("middle");
  expect(await readFile(join(folder, "target.json"), "utf8")).toBe("changed");
  expect((await lstat(join(folder, "target.json"))).isFile()).toBe(true);
});

test("[S14] links that go round are an error", async () => {
  await symlink("a.json", file);
  expect(writeAtomic(file, "x")).rejects.toThrow("ELOOP");
  expect(await readdir(folder)).toEqual(["a.json"]);
});

test.each([
  ["was changed", "mine", "old"],
  ["was made", null, "old"],
  ["was deleted", "mine", undefined],
] as const)("[S16] a file that %s meanwhile is left as it is", async (_, expected, now) => {
  if (now !== undefined) await writeFile(file, now);
  const message = `${file} was changed by another program in the meantime; nothing was written. Run this again.`;
  expect(writeAtomic(file, "new", { expect: expected })).rejects.toThrow(message);
  expect(replaceFile(file, expected ?? undefined, "new")).rejects.toThrow(message);
  if (expected !== null) expect(replaceFile(file, expected, undefined)).rejects.toThrow(message);
  expect(await readExact(file)).toBe(now);
  expect(await readdir(folder)).toEqual(now === undefined ? [] : ["a.json"]);
});

test("[S9] what could not be written back unchanged is refused", async () => {
  await writeFile(file, Buffer.from([0x22, 0xff, 0x22]));
  expect(readExact(file)).rejects.toThrow(`${file} is not UTF-8 text.`);
  expect(readExact(folder)).rejects.toThrow(`${folder} is not a regular file.`);
  expect(readExact("/dev/null")).rejects.toThrow("/dev/null is not a regular file.");
  await writeFile(file, "\uFEFFa\r\n");
  expect(await readExact(file)).toBe("\uFEFFa\r\n");
});

test.if(process.geteuid?.() === 0)("[S15] under sudo the file stays its owner's", async () => {
  await writeFile(file, "old");
  await chown(file, 1234, 1235);
  await writeAtomic(file, "new");
  expect(await stat(file)).toMatchObject({ uid: 1234, gid: 1235 });
});
