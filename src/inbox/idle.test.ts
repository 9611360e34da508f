import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudeCode } from "../agents/claude-code/claude-code.ts";
import { PERSON } from "../../test/sample.ts";
import { sessionState } from "../core/ask/session-state.ts";
import { openMemory } from "../store/memory.ts";
import { createContext } from "./context.ts";
import { createIdleSessions } from "./idle.ts";
import { createInbox } from "./inbox.ts";

let dir: string;
let transcript: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-idle-"));
  transcript = join(dir, "session.jsonl");
  writeFileSync(transcript, prompt("Fix the login"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const prompt = (content: string) => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;

async function stage(session: object = {}) {
  const [store, now] = [openMemory(), Date.now];
  const inbox = createInbox({ store, now });
  const { titles } = createContext({ store, inbox, now });
  const idle = createIdleSessions({ store, inbox, titles, now, isWanted: () => false });
  const seen = { agent: "claude-code", transcript, ...session };
  for (const id of ["one", "other"])
    await store.append({ at: 1, session: { id, events: [{ type: "session.seen", session: seen }] } });
  const state = async (id = "one") => sessionState((await store.session(id)) ?? {});
  return { store, inbox, titles, idle, state };
}

test("[NM14] a turn that nobody saw begin is over with its end, and stays so until there is another prompt", async () => {
  const { idle, state, store } = await stage();
  for (const said of ["First.", "Second."]) {
    await idle.finished(claudeCode, "one", said);
    await idle.sweep();
    expect([await state(), (await store.session("one"))?.idle?.said]).toEqual(["finished", said]);
    appendFileSync(transcript, prompt("More"));
  }
  await idle.sweep();
  expect(await state()).toBe("running");
});

test("[NM15] its own notice adds to the end of its turn; dismissed it stays so until the next end", async () => {
  const { idle, state, store } = await stage();
  await idle.finished(claudeCode, "one", "Done.");
  const since = (await store.session("one"))?.idle?.since;
  await idle.finished(claudeCode, "one", undefined, true);
  expect([await state(), (await store.session("one"))?.idle]).toMatchObject(["waiting", { said: "Done.", since }]);
  await idle.dismiss("on", PERSON);
  await idle.finished(claudeCode, "one", undefined, true);
  expect(await state()).toBe("dismissed");
  await idle.finished(claudeCode, "one", "Again.");
  expect(await state()).toBe("finished");
});

test("[NM16] one whose process is gone has ended, and what cannot be dismissed says why", async () => {
  const { idle, store } = await stage({ process: { pid: 2 ** 22 + 1, started: "never" } });
  expect(idle.dismiss("o", PERSON)).rejects.toThrow('"o" fits several sessions: ');
  expect(idle.dismiss("none", PERSON)).rejects.toThrow('No session "none". See: parley sessions');
  expect(idle.dismiss("one", PERSON)).rejects.toThrow("This session has not finished: there is nothing to dismiss");
  await idle.finished(claudeCode, "one", "Done.");
  await idle.sweep();
  expect((await store.session("one"))?.endReason).toBe("agent-exited");
});

test("[NM17] a row that an earlier Parley asked about it moves under the sessions; a task's own stays", async () => {
  const { idle, inbox, state, store } = await stage();
  const questions = [{ text: "Claude is waiting for your input", header: "", multiSelect: false, options: [] }];
  const of = (channel: "none" | "self") =>
    inbox.create({ kind: "idle", questions, origin: { agent: "claude-code", session: "one" }, key: "k", channel });
  const [row, own] = [await of("none"), await of("self")];
  await idle.sweep();
  expect((await store.ask(row.id))?.outcome).toMatchObject({ type: "withdrawn", reason: "under-sessions" });
  expect((await store.ask(own.id))?.state).toBe("open");
  expect(await state()).toBe("waiting");
});

test("[NM18] a session is called by its first words until it has a title", async () => {
  const { titles, store } = await stage();
  const facts = { id: "one", transcript };
  expect(await titles.read(claudeCode, facts)).toBe("Fix the login");
  appendFileSync(transcript, `${JSON.stringify({ type: "ai-title", aiTitle: `Login\u001b[2J ${"x".repeat(100)}` })}\n`);
  const title = await titles.read(claudeCode, facts);
  expect(title).toMatch(/^Login x{52,54}…$/);
  expect((await store.session("one"))?.title).toBe(title ?? "");
  expect(await titles.known("one", undefined)).toEqual({ sessionTitle: title ?? "" });
});

test("[LD4] a sweep where nothing is idle looks no further the next time; what becomes so is seen, also after a failure", async () => {
  const { store, inbox, titles } = await stage();
  const looks = { list: 0, sessions: 0 };
  let isBroken = true;
  const counted: typeof store = {
    ...store,
    async list(query) {
      looks.list++;
      if (isBroken) throw new Error("the disk is away");
      return store.list(query);
    },
    sessions: (query) => (looks.sessions++, store.sessions(query)),
  };
  const now = Date.now;
  const idle = createIdleSessions({ store: counted, inbox, titles, now, isWanted: () => false });
  expect(idle.sweep()).rejects.toThrow("away");
  isBroken = false;
  await idle.sweep();
  const before = { ...looks };
  await idle.sweep();
  expect(looks).toEqual(before);
  await idle.finished(claudeCode, "one", "Done.");
  appendFileSync(transcript, prompt("And now?"));
  const question = { text: "Waits", header: "Attention", multiSelect: false, options: [] };
  const origin = { agent: "claude-code", session: "other" };
  const { id } = await inbox.create({ kind: "idle", questions: [question], origin, key: "notice", channel: "none" });
  await idle.sweep();
  expect((await store.ask(id))?.outcome?.type).toBe("withdrawn");
  expect((await store.session("one"))?.idle).toBeUndefined();
});
