import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { payloadsOf, recording } from "../recorded.ts";
import { question, request } from "../e2e/api-request.ts";
import { COMMAND, createProgram, holds, type Program } from "../e2e/program.ts";

let program: Program;
let victim = "";
beforeEach(() => {
  program = createProgram();
  victim = join(program.root, "victim");
  writeFileSync(victim, "precious\n");
});
afterEach(() => program.dispose());

const isRoot = process.getuid?.() === 0;
const STRANGER = 4711;
const [dialog = {}] = payloadsOf(recording("2.1.325", "single-select"), "PermissionRequest");
const hook = () => program.parley(["hook", "PermissionRequest"], { stdin: JSON.stringify(dialog) });

describe("a link in the home", () => {
  const names = "parley.db parley.db-wal daemon.lock daemon.json daemon.log daemon.sock stopped notify.db welcomed bin";
  test.each([...names.split(" "), "bin/parley"])(
    "[HO45] %s: nothing starts, and nothing is written through it",
    async (name) => {
      const path = join(program.home, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const target = name === "bin" ? join(program.root, "elsewhere") : victim;
      if (name === "bin") mkdirSync(target);
      symlinkSync(target, path);
      const words = `${path} is a link, and would be written through; remove it. Parley keeps tokens and answers there.`;
      // Behind its own program is where a hook looks first; a mark that it is stopped on purpose is one through a link too.
      const [isProgram, isMark] = [name === "bin/parley", name === "stopped"];
      const commands = [
        ["serve"],
        ["setup", "claude-code", "--yes"],
        ...(isProgram ? [] : [["up"]]),
        ...(isProgram || isMark ? [] : [["ls"]]),
      ];
      for (const args of commands) {
        const { code, out, err } = await program.parley(args);
        expect([args, code, out, err.includes(words)]).toEqual([args, 1, "", true]);
      }
      if (!isProgram) expect(await hook()).toEqual({ code: 0, out: "", err: "" });
      expect(readFileSync(victim, "utf8")).toBe("precious\n");
      expect(lstatSync(path).isSymbolicLink()).toBe(true);
      if (name === "bin") expect(readdirSync(target)).toEqual([]);
    },
  );

  test("[HO46] the registration that became a link while the daemon runs is replaced, not written through", async () => {
    await program.start();
    const { registration } = program.paths;
    const kept = program.registration();
    renameSync(registration, `${registration}.old`);
    symlinkSync(victim, registration);
    process.kill(kept.process.pid, "SIGTERM");
    expect(await holds(() => !lstatSync(registration).isSymbolicLink())).toBe(true);
    expect(readFileSync(victim, "utf8")).toBe("precious\n");
    expect(await holds(() => program.registration().state === "ended")).toBe(true);
  });
});

test("[HO47] a home that is a file, or a link to nothing, is refused in words", async () => {
  for (const make of [
    () => writeFileSync(program.home, "mine"),
    () => symlinkSync(join(program.root, "gone"), program.home),
  ]) {
    make();
    const words = `✗ ${program.home} is not a directory (a link is not followed). Parley keeps tokens and answers there.\n`;
    for (const command of ["up", "serve", "ls"])
      expect(await program.parley([command])).toMatchObject({ code: 1, out: "", err: expect.stringContaining(words) });
    expect(await hook()).toEqual({ code: 0, out: "", err: "" });
    rmSync(program.home);
  }
  expect(readdirSync(program.root).toSorted()).toEqual(["user", "victim"]);
});

test("[HO48] a home of somebody else is refused, from both sides", async () => {
  const home = isRoot ? program.home : "/";
  if (isRoot) {
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, STRANGER, STRANGER);
  }
  for (const command of ["up", "serve", "ls"]) {
    const { code, err } = await program.parley([command], { env: { PARLEY_HOME: home } });
    expect([command, code]).toEqual([command, 1]);
    expect(err).toMatch(/ belongs to user (4711|0), not to you\. Parley keeps tokens and answers there\./);
  }
  expect(isRoot ? readdirSync(home) : []).toEqual([]);
});

// Only root can become somebody else.
test.skipIf(!isRoot || Bun.which("setpriv") === null)(
  "[HO49] the home of a running daemon says nothing to another user",
  async () => {
    await program.start();
    // Outside the private folder that the test itself has.
    const open = mkdtempSync(join(tmpdir(), "parley-stranger-"));
    chmodSync(open, 0o755);
    chmodSync(program.root, 0o755);
    const env = { PATH: process.env["PATH"] ?? "", HOME: open, PARLEY_HOME: program.home, PARLEY_PORT: "0" };
    const as = ["setpriv", `--reuid=${STRANGER}`, `--regid=${STRANGER}`, "--clear-groups", "--"];
    const run = async (...args: string[]) => {
      const child = Bun.spawn([...as, ...COMMAND, ...args], {
        cwd: open,
        env,
        stdio: [Buffer.from(JSON.stringify(dialog)), "pipe", "pipe"],
      });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { code, out, err };
    };
    for (const command of ["ls", "up", "serve"]) {
      const { code, out, err } = await run(command);
      expect([command, code, out]).toEqual([command, 1, ""]);
      expect(err).toContain(`${program.home} belongs to user 0, not to you.`);
    }
    expect(await run("hook", "PermissionRequest")).toEqual({ code: 0, out: "", err: "" });
    const { asks } = await program.client().call("listAsks");
    expect(asks).toEqual([]);
    rmSync(open, { recursive: true });
  },
);

test("[HO50] a home put in the place of ours, in a folder that others may write, is not talked to", async () => {
  await program.start();
  const { socket } = program.paths;
  const away = `${program.home}.away`;
  renameSync(program.home, away);
  mkdirSync(program.home);
  chmodSync(program.home, 0o755);
  if (isRoot) chownSync(program.home, STRANGER, STRANGER);
  cpSync(join(away, "daemon.json"), program.paths.registration);
  const heard: string[] = [];
  const allow = {
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow", updatedInput: {} } },
  };
  const impostor = Bun.serve({
    unix: socket,
    fetch(request) {
      heard.push(request.url);
      return Response.json({ output: allow, handed: [] });
    },
  });
  expect(await hook()).toEqual({ code: 0, out: "", err: "" });
  for (const command of ["ls", "status"]) expect((await program.parley([command])).code).not.toBe(0);
  expect(heard).toEqual([]);
  await impostor.stop(true);
  rmSync(program.home, { recursive: true });
  renameSync(away, program.home);
  expect((await program.parley(["ls"])).code).toBe(0);
});

test("[HO51] names with dots and slashes in them write nothing outside the home", async () => {
  await program.start();
  const before = everything(program.root);
  const evil = ["../../evil", "../evil\0", "/evil", "..", `${program.root}/evil`, "%2e%2e%2fevil"];
  const agent = program.tokens().agent;
  for (const name of evil) {
    const facts = {
      session_id: name,
      transcript_path: `${name}.jsonl`,
      agent_id: name,
      cwd: `${program.user}/${name}`,
      tool_use_id: name,
      prompt_id: name,
    };
    const payload = { ...dialog, ...facts };
    const call = { agent: "claude-code", call: name, waits: false, facts: {}, payload };
    expect((await request(program, "socket", "POST /hook/call", { token: agent, body: call })).status).toBe(200);
    const body = { questions: [question()], origin: { agent: name, session: name, project: name } };
    const headers = { "idempotency-key": encodeURIComponent(name) };
    expect((await request(program, "socket", "POST /api/asks", { token: agent, body, headers })).status).toBe(200);
    for (const path of [`/api/asks/${encodeURIComponent(name)}`, `/api/config?cwd=${encodeURIComponent(name)}`])
      await request(program, "socket", `GET ${path}`, { token: program.tokens().human });
  }
  const made = everything(program.root).filter((path) => !before.includes(path));
  expect(made.filter((path) => !path.startsWith(`${basename(program.home)}/`))).toEqual([]);
});

test("[HO52] the program that hooks call is only ever Parley's own, whatever lay there before", async () => {
  const { program: launcher } = program.paths;
  mkdirSync(dirname(launcher), { recursive: true, mode: 0o700 });
  chmodSync(program.home, 0o700);
  writeFileSync(launcher, "#!/bin/sh\necho evil\n", { mode: 0o777 });
  await program.start();
  expect(readFileSync(launcher, "utf8")).toStartWith("#!/bin/sh\n# Written by Parley");
  expect((lstatSync(launcher).mode & 0o777).toString(8)).toBe("700");
});

const everything = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" });
