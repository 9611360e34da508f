import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lines } from "../agents/claude-code/transcript.ts";
import { createRecordMemory } from "./record-memory.ts";

const MIB = 1024 * 1024;
let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-command-"));
  path = join(dir, "session.jsonl");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const line = (content: unknown) => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
const words = (name: string, args = "") =>
  `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;
const said = (length: number) =>
  `${JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text: "é".repeat(length / 2) }] } })}\n`;
const last = (before?: number) => createRecordMemory().last(path, lines, before);

test("[LX1] a command is found however far back it stands, also across the pieces in which a record is read", async () => {
  for (const gap of [0, 400 * 1024, MIB - 100, MIB, 5 * MIB]) {
    writeFileSync(path, said(gap) + line(words("gsd:verify-work", "3")) + said(gap) + said(gap));
    expect([gap, await last()]).toEqual([gap, "/gsd:verify-work 3"]);
  }
});

test("[LX1] a record is read on from where it was left, and from the beginning when another took its place", async () => {
  const memory = createRecordMemory();
  const now = () => memory.last(path, lines);
  expect(await now()).toBeUndefined();
  writeFileSync(path, line(words("gsd:plan-phase", "2")) + said(MIB));
  expect(await now()).toBe("/gsd:plan-phase 2");
  const [first, second] = [line(words("gsd:verify-work")).slice(0, 60), line(words("gsd:verify-work")).slice(60)];
  appendFileSync(path, first);
  expect(await now()).toBe("/gsd:plan-phase 2");
  appendFileSync(path, second);
  expect(await now()).toBe("/gsd:verify-work");
  writeFileSync(path, said(10));
  expect(await now()).toBeUndefined();
});

test("[LX2] a question follows the command before it, not one that came after", async () => {
  const before = line(words("gsd:plan-phase")) + said(10);
  writeFileSync(path, before + line(words("gsd:verify-work")));
  expect(await last(before.length)).toBe("/gsd:plan-phase");
  expect(await last()).toBe("/gsd:verify-work");
});

test("[LX3] what Claude Code carries out itself, and what only quotes a command, ends no phase", async () => {
  const quoted = `Somebody wrote <command-name>/gsd:plan-phase</command-name>`;
  const own = ["compact", "model", "context", "cost"].map((name) => line(words(name))).join("");
  writeFileSync(path, line(words("gsd:verify-work")) + own + line(quoted) + line([{ type: "text", text: quoted }]));
  expect(await last()).toBe("/gsd:verify-work");
  appendFileSync(path, line([{ type: "text", text: words("gsd:execute-phase", "4") }]));
  expect(await last()).toBe("/gsd:execute-phase 4");
});

const about = () => createRecordMemory().about(path, lines);
const titled = (type: string, more: object) => `${JSON.stringify({ type, ...more, sessionId: "s" })}\n`;

test("[NM11] a session is called by its person, else by its agent, and its first prompt is known", async () => {
  const meta = JSON.stringify({ type: "user", isMeta: true, message: { role: "user", content: "Caveat: none" } });
  const side = JSON.stringify({ type: "user", isSidechain: true, message: { role: "user", content: "Look" } });
  const own = [meta, side].map((each) => `${each}\n`).join("") + line("<local-command-stdout>x</local-command-stdout>");
  writeFileSync(path, own + said(MIB) + line("Fix the login") + line([{ type: "text", text: "And the cart" }]));
  expect(await about()).toMatchObject({ prompt: "Fix the login" });
  appendFileSync(path, titled("ai-title", { aiTitle: "Login fix" }));
  expect(await about()).toMatchObject({ title: "Login fix" });
  appendFileSync(path, titled("custom-title", { customTitle: "Mine" }) + titled("ai-title", { aiTitle: "Other" }));
  expect(await about()).toMatchObject({ title: "Mine", prompt: "Fix the login" });
});

test("[NM12] another prompt is told by its place; what tools and the agent say, and an Esc, are none", async () => {
  const memory = createRecordMemory();
  writeFileSync(path, line(words("gsd:plan-phase", "3")));
  const { prompt, lastPrompt } = await memory.about(path, lines);
  expect(prompt).toBe("/gsd:plan-phase 3");
  const result = line([{ type: "tool_result", tool_use_id: "t", content: "x" }]);
  appendFileSync(path, result + said(100) + line([{ type: "text", text: "[Request interrupted by user]" }]));
  expect((await memory.about(path, lines)).lastPrompt).toBe(lastPrompt ?? -1);
  appendFileSync(path, line("Go on"));
  expect((await memory.about(path, lines)).lastPrompt).toBeGreaterThan(lastPrompt ?? Infinity);
});
