import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "bun:test";
import type { Ask } from "../core/ask/ask.ts";
import { correctionMark } from "../core/ask/answer/correction.ts";
import { openMemory } from "../store/memory.ts";
import { askOf } from "../../test/sample.ts";
import { createCorrections } from "./corrections.ts";
import { createInbox } from "./inbox.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-corrections-"));
const FLAG = join(folder, "flag");
afterAll(() => rmSync(folder, { recursive: true }));

const actor = { type: "person" as const, surface: "cli" };

async function corrected(agent = "claude-code") {
  const store = openMemory();
  const inbox = createInbox({ store, now: () => 5 });
  const seen = { type: "session.seen" as const, session: { agent } };
  await store.append({ at: 1, session: { id: "s", events: [seen] } });
  const { questions } = askOf();
  const { id } = await inbox.create({
    kind: "question",
    questions,
    origin: { agent, session: "s" },
    key: "k",
    channel: "race",
  });
  const again = () =>
    inbox.change(id, () => [{ type: "ask.reviewed", verdict: "corrected", actor, answers: [{ picks: [1] }] }]);
  const ask = await again();
  return { store, inbox, ask, again, corrections: createCorrections({ store, inbox, now: () => 6, flag: FLAG }) };
}
const ids = (asks: readonly Ask[]) => asks.map(({ id }) => id);

test("[CO1] a correction is told by one hook, again to that one alone, and never to another", async () => {
  const { corrections, ask } = await corrected();
  expect(await corrections.take("s", "early", "x")).toEqual([]);
  expect(existsSync(FLAG)).toBe(false);
  expect(await corrections.note(ask)).toBe("later");
  expect(existsSync(FLAG)).toBe(true);
  expect(ids(await corrections.take("s", "a", "with its next prompt"))).toEqual([ask.id]);
  expect(ids(await corrections.take("s", "a", "with its next prompt"))).toEqual([ask.id]);
  expect(await corrections.take("s", "b", "x")).toEqual([]);
  expect(await corrections.take("s", "a", "x")).toEqual([]);
  // Nothing is left to hear: the next prompts start no process.
  expect(existsSync(FLAG)).toBe(false);
});

test("[CO1] another daemon knows what was told; what a hook could not hand on is told by the next", async () => {
  const { store, inbox, corrections, ask } = await corrected();
  await corrections.note(ask);
  await corrections.take("s", "a", "x");
  const next = createCorrections({ store, inbox, now: () => 9, flag: FLAG });
  await next.giveBack(ask.id, "other");
  expect(ids(await next.take("s", "a", "x"))).toEqual([ask.id]);
  await next.giveBack(ask.id, "a");
  expect(ids(await next.take("s", "b", "x"))).toEqual([ask.id]);
  expect(await next.take("s", "c", "x")).toEqual([]);
});

test("[CO1] corrected a second time it is told a second time", async () => {
  const { corrections, ask, again } = await corrected();
  await corrections.note(ask);
  await corrections.take("s", "a", "x");
  await corrections.note(await again());
  expect(ids(await corrections.take("s", "b", "x"))).toEqual([ask.id]);
  expect(await corrections.take("s", "c", "x")).toEqual([]);
});

test("[CO1] to note it wakes no session that has ended, and an agent without a way to hear says so", async () => {
  const { store, corrections, ask } = await corrected();
  await store.append({ at: 3, session: { id: "s", events: [{ type: "session.ended", reason: "exit" }] } });
  expect(await corrections.note(ask)).toBe("resumed");
  expect((await store.session("s"))?.endedAt).toBe(3);
  const other = await corrected("pi");
  expect(await other.corrections.note(other.ask)).toBe("terminal");
  await other.store.append({ at: 3, session: { id: "s", events: [{ type: "session.ended", reason: "exit" }] } });
  expect(await other.corrections.note(other.ask)).toBe("never");
});

test("[CL4] an agent with a connection is told over that: no hook is woken, and its record ends it", async () => {
  const { store, corrections, ask } = await corrected("codex");
  const session = { agent: "codex", transcript: "/nowhere/rollout.jsonl" };
  await store.append({ at: 2, session: { id: "s", events: [{ type: "session.seen", session }] } });
  expect([await corrections.note(ask), existsSync(FLAG)]).toEqual(["turn", false]);
  expect(ids(await corrections.open("s"))).toEqual([ask.id]);
  await corrections.proven("s", ask.id, "[parley correction of before]");
  expect(ids(await corrections.open("s"))).toEqual([ask.id]);
  for (const _ of [1, 2]) await corrections.proven("s", ask.id, correctionMark(ask));
  expect(await corrections.open("s")).toEqual([]);
  expect((await store.ask(ask.id))?.reviews).toMatchObject([{ told: { to: "in its session" } }]);
});
