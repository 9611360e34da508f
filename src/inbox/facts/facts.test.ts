import { afterEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRepository, git, write } from "../../../test/git-repository.ts";
import { APPROVE, DENY } from "../../core/ask/answer/verdicts.ts";
import type { HookReading } from "../../agents/capability/reading.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { openMemory } from "../../store/memory.ts";
import { createFacts } from "./facts.ts";
import { type Captured, createInbox } from "../inbox.ts";

type Asked = HookReading & { type: "asked" };
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const allowed = (cwd: string): Captured => ({
  kind: "approval",
  questions: [{ text: "Allow this command?", header: "Bash", multiSelect: false, options: [APPROVE, DENY] }],
  origin: { agent: "claude-code", cwd, project: "project", session: "s" },
  key: "k",
  channel: "race",
});

function stage(files: Record<string, string> = { "a.ts": "one\ntwo\n" }) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "parley-facts-")));
  folders.push(root);
  const project = join(root, "project");
  createRepository(project, files);
  const store = openMemory();
  const inbox = createInbox({ store, now: () => 5000 });
  const facts = createFacts({ store, inbox, now: () => 5000, log: () => undefined, patienceMs: 20_000 });
  async function of(asked: Partial<Asked>) {
    const made = await inbox.create({ ...allowed(project), ...(asked.call && { call: asked.call }) });
    await facts.addTo(made, { kind: "approval", session: { id: "s", cwd: project }, ...asked });
    const ask = await inbox.get(made.id);
    return { ask, texts: (ask.facts ?? []).map(({ text }) => text), all: ask.facts ?? [] };
  }
  return {
    root,
    project,
    inbox,
    of,
    command: (command: string) => of({ call: { type: "command", command } satisfies ToolCall }),
  };
}

test("[EV8] files: what lies there, what git knows of it, and whether git can bring it back", async () => {
  const { project, command } = stage();
  write(project, { "new.txt": "x", "build/1": "1", "build/2": "22", ".gitignore": "build\n" });
  const { texts, all } = await command("rm -rf a.ts new.txt build missing");
  expect(texts).toEqual([
    "deletes a.ts: 8 bytes, in git, unchanged",
    "deletes new.txt: 1 byte, not in git",
    "deletes build: a folder with 2 files, 3 bytes, ignored by git",
    "deletes missing: does not exist",
    "Can be undone: git restore brings back a.ts",
    "Git cannot undo it: it does not have new.txt, build",
  ]);
  for (const { how } of all) expect(how).not.toBe("");
  write(project, { "a.ts": "changed" });
  expect((await command("rm a.ts")).texts.join()).toContain(
    "Can be undone in part: of a.ts git has only what is committed",
  );
});

test("[EV9] the host of a remote is what git's settings say, without the password in them", async () => {
  const { project, command } = stage();
  git(project, "remote", "add", "origin", "https://me:secret@git.example.org/a.git");
  const { all } = await command("git push --force origin main");
  expect(all[0]).toMatchObject({ text: "pushes by force to git.example.org, the remote origin" });
  expect(JSON.stringify(all)).not.toContain("secret");
  expect((await command("git push elsewhere")).texts.join()).toContain("Which host cannot be told");
  git(project, "config", "url.https://other.example.org/.insteadOf", "gh:");
  expect((await command("git push gh:a/b")).texts[0]).toStartWith("pushes to other.example.org, an address");
});

test("[EV10] what is not committed and would be lost is counted", async () => {
  const { project, command } = stage({ "a.ts": "1", "b.ts": "2" });
  write(project, { "a.ts": "x", "b.ts": "y" });
  expect((await command("git reset --hard")).texts[0]).toContain("2 files with changes that are not committed");
});

test("[EV11] links, names that steer a terminal, binary files, folders without end and other places", async () => {
  const { project, root, command } = stage();
  write(root, { "outside.txt": "secret" });
  symlinkSync(join(root, "outside.txt"), join(project, "link"));
  const odd = `we\u001b[31mird${"\u001b[0m".repeat(20)}\nname`;
  write(project, { [odd]: "x", "image.bin": "\0\u0001", "many/0": "" });
  for (let i = 0; i < 3000; i++) writeFileSync(join(project, "many", String(i)), "");
  const { texts } = await command("tee link < image.bin; rm we* link; rm -r many ../outside.txt /proc/kmsg");
  const found = texts.join("\n");
  expect(found).toContain(`writes link: a link to ${join(root, "outside.txt")}, outside of the project`);
  expect(found).toContain("reads image.bin: 2 bytes, binary, not in git");
  expect(found).toContain("deletes link: a link to");
  expect(found).toContain(`${join(root, "outside.txt")}: 6 bytes, outside of the project`);
  expect(found).toContain("deletes /proc/kmsg: no plain file, outside of the project");
  expect(found).toMatch(/deletes many: a folder with (more than )?\d+ files/);
  expect(found).not.toMatch(/\u001b/);
  expect(found).toContain(String.raw`deletes "we\u{1b}[31mird`);
});

test("[EV12] no program that the repository names is run", async () => {
  const { project, root, command } = stage({ "a.ts": "1", ".gitattributes": "* filter=evil diff=evil\n" });
  const [mark, spy] = [join(root, "mark"), join(root, "spy")];
  writeFileSync(spy, `#!/bin/sh\n: > '${mark}'\nexec cat\n`);
  chmodSync(spy, 0o755);
  for (const key of [
    "filter.evil.clean",
    "filter.evil.smudge",
    "diff.evil.textconv",
    "core.fsmonitor",
    "core.sshCommand",
    "remote.x.uploadpack",
  ])
    git(project, "config", key, spy);
  git(project, "config", "remote.x.url", `ext::${spy}`);
  mkdirSync(join(project, "sub"));
  write(project, { "a.ts": "2" });
  rmSync(mark, { force: true });
  const { texts } = await command("rm a.ts && git reset --hard && git push x && git fetch x");
  expect(texts[0]).toContain("deletes a.ts: 1 byte, in git, with changes");
  expect(existsSync(mark)).toBe(false);
});

test("[EV13] an edit is shown as what it makes of the file that is there", async () => {
  const { project, inbox, of } = stage();
  const path = join(project, "a.ts");
  const { ask, texts } = await of({ change: { path, edits: [{ before: "two", after: "2", all: false }] } });
  expect(ask.diff).toBe("--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2");
  expect(inbox.view(ask, true).questions[0]?.body).toBe(ask.diff);
  expect(texts).toEqual([
    "adds 1 and takes away 1 lines",
    "writes a.ts: 8 bytes, in git, unchanged",
    "Can be undone: git restore brings back a.ts",
  ]);
  const wrong = await of({ change: { path, edits: [{ before: "three", after: "2", all: false }] } });
  expect(wrong.texts[0]).toBe("What it changes cannot be told: the text to replace is not in the file as it is now");
  expect(wrong.ask.diff).toBeUndefined();
  write(project, { "a.bin": "\0", big: "x".repeat(1024 * 1024 + 1) });
  for (const [name, why] of [
    ["a.bin", "the file is binary"],
    ["big", "the file has more than 1024 KiB"],
    [".", "it is no file"],
  ] as const)
    expect((await of({ change: { path: join(project, name), content: "x" } })).texts[0]).toContain(why);
});

test("[EV14] the same call before, here: what was decided, and how its result began", async () => {
  const { inbox, command } = stage();
  const first = await command("touch x");
  expect(first.texts.join()).not.toContain("was allowed");
  await inbox.settle(first.ask.id, { action: "answer", answers: [{ picks: [0] }] }, { type: "person", surface: "cli" });
  const [{ key } = { key: "" }] = first.ask.deliveries;
  await inbox.change(first.ask.id, () => [
    { type: "ask.sent", key, channel: "race" },
    { type: "ask.verified", key, detail: "Exit code 3\nno room\u001b[2J" },
  ]);
  expect((await command("touch x")).texts.at(-1)).toBe("was allowed now; its result began “Exit code 3” …");
  expect((await command("touch y")).texts.join()).not.toContain("was allowed");
  const second = await command("touch y");
  await inbox.settle(
    second.ask.id,
    { action: "answer", answers: [{ picks: [1], note: "not so" }] },
    { type: "person", surface: "cli" },
  );
  expect((await command("touch y")).texts.at(-1)).toBe("was not allowed now: “not so”");
});

test("[EV15] where a server elsewhere asks, its paths are not looked up here; a question has no facts", async () => {
  const { project, of } = stage();
  const call = { type: "command", command: "rm a.ts" } as const;
  expect((await of({ call, session: { id: "s", cwd: project, server: "http://10.0.0.1:4096" } })).all).toEqual([]);
  expect((await of({ call, kind: "question" })).all).toEqual([]);
});

test("[RH8] a package.json that is a pipe, a device or without end is not read, and the question has its facts", async () => {
  for (const plant of [
    (file: string) => Bun.spawnSync(["mkfifo", file]),
    (file: string) => symlinkSync("/dev/zero", file),
    (file: string) => truncateSync((writeFileSync(file, "{"), file), 2 ** 40),
  ]) {
    const { project, command } = stage();
    plant(join(project, "package.json"));
    expect((await command("npm run build; rm a.ts")).texts.join("\n")).toContain("deletes a.ts");
  }
});
