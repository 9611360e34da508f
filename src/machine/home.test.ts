import { afterEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isUp } from "../client/wire.ts";
import { homeDir, pathsIn } from "./home.ts";
import { isPrivateDir, makePrivateDir } from "./file/private-dir.ts";

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});
function scratch(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "parley-home-")));
  made.push(root);
  return root;
}

describe("home", () => {
  test("[M11] PARLEY_HOME goes before the XDG state directory, that before the one in HOME", () => {
    expect(homeDir({ PARLEY_HOME: "/p", XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/p");
    expect(homeDir({ PARLEY_HOME: "", XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/x/parley");
    expect(homeDir({ XDG_STATE_HOME: "", HOME: "/h" })).toBe("/h/.local/state/parley");
    expect(homeDir({})).toBe("/.local/state/parley");
  });

  test("[M11] a relative home means the same from everywhere after the first look", () => {
    expect(homeDir({ PARLEY_HOME: "some/home/" })).toBe(resolve("some/home"));
  });

  test("[M12] everything lies below the home", () => {
    const { home, ...paths } = pathsIn("/p");
    for (const path of Object.values(paths)) expect(path).toStartWith(`${home}/`);
    expect(new Set(Object.values(paths)).size).toBe(Object.values(paths).length);
  });

  test("[M13] a home too long for a socket has it in a place of its own in /tmp", () => {
    const long = `/p/${"x".repeat(120)}`;
    const { socket } = pathsIn(long);
    expect(Buffer.byteLength(socket)).toBeLessThan(104);
    expect(socket).toMatch(/^\/tmp\/parley-\d+-[0-9a-f]+\/daemon\.sock$/);
    expect(pathsIn(long).socket).toBe(socket);
    expect(pathsIn(`${long}y`).socket).not.toBe(socket);
    expect(pathsIn(`/p/${"é".repeat(50)}`).socket).toStartWith("/tmp/");
    expect(Buffer.byteLength(pathsIn(`/p/${"x".repeat(88)}`).socket)).toBe(103);
    expect(pathsIn(`/p/${"x".repeat(88)}`).socket).toStartWith("/p/");
  });

  test("[M14] nobody talks to a socket in /tmp that somebody else may have put there", async () => {
    const paths = pathsIn(join(scratch(), "x".repeat(120)));
    const place = dirname(paths.socket);
    for (const dir of [paths.home, place]) mkdirSync(dir, { mode: 0o700 });
    made.push(place);
    const server = Bun.serve({ unix: paths.socket, fetch: () => Response.json({}) });
    expect(await isUp(paths)).toBe(true);
    chmodSync(place, 0o777);
    expect(await isUp(paths)).toBe(false);
    await server.stop(true);
  });
});

describe("a private directory", () => {
  const problem = (path: string) => {
    try {
      makePrivateDir(path);
    } catch (error) {
      return { code: (error as { code?: string }).code, message: (error as Error).message };
    }
    return undefined;
  };

  test("[M15] is made with all above it, for its owner only", () => {
    const path = join(scratch(), "a/b/c");
    expect(isPrivateDir(path)).toBe(false);
    makePrivateDir(path);
    for (const dir of [path, dirname(path)]) expect(lstatSync(dir).mode & 0o777).toBe(0o700);
    expect(isPrivateDir(path)).toBe(true);
    expect(problem(path)).toBeUndefined();
  });

  test.each([
    [0o755, "0755"],
    [0o710, "0710"],
    [0o701, "0701"],
  ])("[M16] with mode %o is refused, with what to do", (mode, said) => {
    const path = join(scratch(), "open");
    mkdirSync(path);
    chmodSync(path, mode);
    expect(isPrivateDir(path)).toBe(false);
    expect(problem(path)).toEqual({
      code: "unsafe_home",
      message: `${path} has mode ${said}: others can read it; run chmod 700 on it. Parley keeps tokens and answers there.`,
    });
    expect(lstatSync(path).mode & 0o777).toBe(mode);
  });

  test("[M17] is no link and no file", () => {
    const root = scratch();
    mkdirSync(join(root, "real"), { mode: 0o700 });
    symlinkSync(join(root, "real"), join(root, "link"));
    expect(isPrivateDir(join(root, "link"))).toBe(false);
    expect(problem(join(root, "link"))).toEqual({
      code: "unsafe_home",
      message: `${root}/link is not a directory (a link is not followed). Parley keeps tokens and answers there.`,
    });
    writeFileSync(join(root, "file"), "");
    expect(problem(join(root, "file"))).toBeDefined();
  });

  test("[M18] of somebody else is refused", () => {
    const path = process.getuid?.() === 0 ? join(scratch(), "theirs") : "/";
    if (path !== "/") {
      mkdirSync(path, { mode: 0o700 });
      chownSync(path, 4711, 4711);
    }
    expect(isPrivateDir(path)).toBe(false);
    expect(problem(path)?.message).toMatch(/ belongs to user (4711|0), not to you\. Parley keeps/);
  });
});
