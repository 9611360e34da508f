import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problemLine } from "../../core/words/problem-line.ts";
import { type ConfigFiles, configPath, createConfigFiles } from "./config-file.ts";

let root = "";
let user = "";
let repository = "";
let heard: [string, string[]][] = [];
let config: ConfigFiles;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "parley-config-"));
  user = join(root, "parley/config.toml");
  await mkdir(join(root, "parley"));
  repository = join(root, "repository");
  await mkdir(join(repository, ".git"), { recursive: true });
  await mkdir(join(repository, "deep/er"), { recursive: true });
  heard = [];
  config = createConfigFiles({
    env: { XDG_CONFIG_HOME: root },
    cwd: "/",
    problems: (file, problems) => heard.push([file, problems.map(problemLine)]),
  });
});
afterEach(() => rm(root, { recursive: true }));

const problems = async (cwd?: string) => (await config.current(cwd)).problems.map(problemLine);
const source = async (key: string, cwd?: string) =>
  (await config.current(cwd)).entries.find((entry) => entry.key === key)?.source;

test("[G7] PARLEY_CONFIG, XDG_CONFIG_HOME and HOME say where the file is, in that order", () => {
  const all = { PARLEY_CONFIG: "/a/b.toml", XDG_CONFIG_HOME: "/xdg", HOME: "/home/u" };
  expect(configPath(all, "/cwd")).toBe("/a/b.toml");
  expect(configPath({ ...all, PARLEY_CONFIG: "b.toml" }, "/cwd")).toBe("/cwd/b.toml");
  expect(configPath({ ...all, PARLEY_CONFIG: "" }, "/cwd")).toBe("/xdg/parley/config.toml");
  expect(configPath({ XDG_CONFIG_HOME: "relative", HOME: "/home/u" }, "/cwd")).toBe(
    "/home/u/.config/parley/config.toml",
  );
  expect(configPath({ HOME: "/home/u" }, "/cwd")).toBe("/home/u/.config/parley/config.toml");
});

test("[G1] each value says whether it is the default, the person's, the project's or of the environment", async () => {
  await writeFile(user, "port = 5000\n\n[notify]\nafter_seconds = 7\nquiet = '22:00-07:00'\n");
  await writeFile(join(repository, ".parley.toml"), "notify.after_seconds = 9\n");
  const inside = join(repository, "deep/er");
  expect(await source("retention.days", inside)).toEqual({ from: "default" });
  expect(await source("notify.quiet", inside)).toEqual({ from: "user", file: user, line: 5, column: 1 });
  const file = join(repository, ".parley.toml");
  expect(await source("notify.after_seconds", inside)).toEqual({ from: "project", file, line: 1, column: 1 });
  expect((await config.current(inside)).values.notify).toMatchObject({ after_seconds: 9, quiet: "22:00-07:00" });
  expect((await config.current()).values.notify.after_seconds).toBe(7);
  expect((await config.current(root)).project).toBeUndefined();

  const env = createConfigFiles({ env: { PARLEY_CONFIG: user, PARLEY_PORT: "6000" }, cwd: "/" });
  const { values, entries } = await env.current();
  expect([values.port, entries[0]]).toMatchObject([6000, { source: { from: "environment", name: "PARLEY_PORT" } }]);
});

test("[G2] a mistake is told with file, line and column", async () => {
  await writeFile(user, `port = 5000\n\n[notify]\n  enabeld = true\n  ntfy = { url = 3 }\n`);
  expect(await problems()).toEqual([
    `${user}:4:3: unknown key notify.enabeld; did you mean notify.enabled?`,
    `${user}:5:12: notify.ntfy.url: expected an address that begins with http:// or https://`,
  ]);
});

test.each([
  ["port = \n", "1:8: is not TOML: invalid value"],
  ["a = 1\na = 2\n", "2:1: is not TOML: trying to redefine an already defined table or value"],
  ["[notify\nx = 1\n", "1:8: is not TOML: illegal character in key"],
  [`x = "tk_secret\n`, "1:15: is not TOML: control characters are not allowed in strings"],
  ["__proto__ = 1\n", "1:1: is not TOML: document contains an unsafe property"],
])("[G2] %j is told with line and column, and without the text itself", async (text, message) => {
  await writeFile(user, text);
  expect(await problems()).toEqual([`${user}:${message}`]);
});

test("[G4] a project's file is refused where it could do harm, and then as a whole", async () => {
  const file = join(repository, ".parley.toml");
  await writeFile(
    file,
    `[notify]\nafter_seconds = 1\n[notify.webhook]\nurl = "https://evil.example"\nsecret = "0123456789abcdef"\n`,
  );
  const policies = ["idle", "dead", "error", "gate", "prompt"].map((name) => `tasks.on_${name}`).join(", ");
  const may = `A project may set: approvals.must_ask, ${policies}, notify.enabled = false, notify.after_seconds, autopilot.rules`;
  expect(await problems(repository)).toEqual([
    `${file}:4:1: notify.webhook.url cannot be set by a project; only your own config may. ${may}`,
    `${file}:5:1: notify.webhook.secret cannot be set by a project; only your own config may. ${may}`,
  ]);
  const { notify } = (await config.current(repository)).values;
  expect([notify.webhook.url, notify.after_seconds]).toEqual(["", 10]);
});

test("[G4] a project may switch its notifications off, and never on", async () => {
  const file = join(repository, ".parley.toml");
  await writeFile(user, "notify.enabled = false\n");
  await writeFile(file, "notify.enabled = true\n");
  expect(await problems(repository)).toEqual([`${file}:1:1: notify.enabled: a project may only set it to false`]);
  expect((await config.current(repository)).values.notify.enabled).toBe(false);
  await writeFile(user, "");
  await writeFile(file, "notify.enabled = false\n");
  expect((await config.current(repository)).values.notify.enabled).toBe(false);
  expect((await config.current()).values.notify.enabled).toBe(true);
});

test("[G5] of a file with a mistake the rest is in force, of one that is no TOML the last good state; it is told once", async () => {
  await writeFile(user, "port = 5000\n");
  expect((await config.current()).values.port).toBe(5000);
  await writeFile(user, "port = 5001\nprot = 1\n");
  expect((await config.current()).values.port).toBe(5001);
  expect(await source("port")).toEqual({ from: "user", file: user, line: 1, column: 1 });
  await config.current();
  expect(heard).toEqual([[user, [`${user}:2:1: unknown key prot; did you mean port?`]]]);
  await writeFile(user, "port = 5002\n");
  expect((await config.current()).values.port).toBe(5002);
  expect(heard).toEqual([heard[0] as [string, string[]], [user, []]]);
  await rm(user);
  expect((await config.current()).values.port).toBe(4747);
});

test("[G5] a file that was never good leaves the defaults", async () => {
  await writeFile(user, "port = 1\n");
  const { values, problems: found } = await config.current();
  expect([values.port, found.length]).toEqual([4747, 1]);
});

test("[G7] a file that PARLEY_CONFIG names must exist; any other need not", async () => {
  expect(await problems(repository)).toEqual([]);
  const named = createConfigFiles({ env: { PARLEY_CONFIG: user }, cwd: "/" });
  const message = "PARLEY_CONFIG names a file that does not exist";
  expect((await named.current()).problems).toEqual([{ file: user, message }]);
});

test("[G8] secrets and the secret part of addresses are not in what is shown", async () => {
  await writeFile(
    user,
    `[notify.ntfy]\nurl = "https://ntfy.example/tk_topic"\ntoken = "tk_token"\n[notify.webhook]\nurl = "http://u:tk_pass@hook.example:81/tk_path?k=tk_query"\nsecret = "tk_secret_0123456"\n`,
  );
  const { values, ...view } = await config.current();
  expect(values.notify.webhook.url).toContain("tk_path");
  expect(JSON.stringify(view)).not.toContain("tk_");
  const shown = Object.fromEntries(view.entries.map(({ key, value }) => [key, value]));
  expect(shown).toMatchObject({
    "notify.ntfy.url": "https://ntfy.example/…",
    "notify.ntfy.token": "(set)",
    "notify.webhook.url": "http://hook.example:81/…",
    "notify.webhook.secret": "(set)",
  });
});

test("[G9] what is no file of settings is not read, however it came there", async () => {
  const file = join(repository, ".parley.toml");
  const cases: [() => Promise<unknown>, string][] = [
    [() => mkdir(file), "is not a regular file"],
    [() => symlink("/dev/zero", file), "is not a regular file"],
    [async () => spawnSync("mkfifo", [file]), "is not a regular file"],
    [() => symlink(".parley.toml", file), "cannot be read (ELOOP)"],
    [() => writeFile(file, Buffer.from([0x61, 0xff])), "is not UTF-8 text"],
    [() => writeFile(file, "#".repeat(70_000)), "has 70000 bytes; at most 65536 are read"],
    [
      () => writeFile(file, `a = ${"[".repeat(5000)}${"]".repeat(5000)}`),
      "is not TOML: document contains excessively nested structures. aborting.",
    ],
  ];
  for (const [make, message] of cases) {
    await rm(file, { recursive: true, force: true });
    await make();
    const [problem] = await problems(repository);
    expect(problem?.replace(/:\d+:\d+:/, ":")).toBe(`${file}: ${message}`);
  }
});

test("[G9] a directory that is none has no project", async () => {
  for (const cwd of ["relative", "/no/such/place", "/tmp/\0", "", `/${"x/".repeat(5000)}`])
    expect((await config.current(cwd)).project).toBeUndefined();
});

test("[G1] the project of a worktree is the worktree, where .git is a file", async () => {
  const worktree = join(root, "worktree");
  await mkdir(join(worktree, "src"), { recursive: true });
  await writeFile(join(worktree, ".git"), "gitdir: elsewhere\n");
  expect((await config.current(join(worktree, "src"))).project).toBe(join(worktree, ".parley.toml"));
});
