import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "bun:test";
import { askOf } from "../../../test/sample.ts";
import { eventually } from "../../../test/patience.ts";
import { codex } from "../../agents/codex/codex.ts";
import { correctionMark } from "../../core/ask/answer/correction.ts";
import { createCorrections } from "../../inbox/corrections.ts";
import { createInbox } from "../../inbox/inbox.ts";
import { createReconciler } from "../../inbox/reconcile.ts";
import { openMemory } from "../../store/memory.ts";
import { createLinks } from "./links.ts";
import { createTellings } from "./tellings.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-tellings-"));
afterAll(() => rmSync(folder, { recursive: true }));
const [now, log] = [Date.now, () => undefined];
const told = (text: string) =>
  `${JSON.stringify({
    timestamp: "2026-11-16T13:15:12.589Z",
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
  })}\n`;

async function open() {
  const rollout = join(mkdtempSync(join(folder, "s-")), "rollout.jsonl");
  writeFileSync(rollout, "");
  const store = openMemory();
  const inbox = createInbox({ store, now });
  const session = { agent: "codex", transcript: rollout };
  await store.append({ at: 1, session: { id: "s", events: [{ type: "session.seen", session }] } });
  const { questions } = askOf();
  const origin = { agent: "codex", session: "s" };
  const { id } = await inbox.create({ kind: "question", questions, origin, key: "k", channel: "remote" });
  const actor = { type: "person" as const, surface: "cli" };
  const ask = await inbox.change(id, () => [
    { type: "ask.reviewed", verdict: "corrected", actor, answers: [{ picks: [1] }] },
  ]);
  const said: string[] = [];
  /** Another daemon, or another connection of the same one: nothing but the store and the rollout is the same. */
  const daemon = async (status = 202) => {
    const corrections = createCorrections({ store, inbox, now, flag: join(folder, "flag") });
    const reconciler = createReconciler({ store, inbox, now, log });
    const tellings = createTellings({ store, inbox, reconciler, corrections, log, isOpen: () => false });
    const links = createLinks();
    let asked = 0;
    const link = links.add(codex, codex.remote!, { agent: "codex", facts: {} }, ({ id: number, body }) => {
      asked++;
      if (status < 300) said.push((body as { words: string }).words);
      queueMicrotask(() => links.replied(link.id, { id: number, status, body: null }));
      return true;
    });
    return { corrections, tellings, link, asked: () => asked };
  };
  return { rollout, ask, said, daemon, left: async () => (await store.session("s"))?.corrections };
}

test("[CL4] what its rollout has is not said again by the next daemon, and what it lacks is", async () => {
  const { rollout, ask, said, daemon, left } = await open();
  const busy = await daemon(404);
  await busy.corrections.note(ask);
  busy.tellings.seen(busy.link, "s");
  await eventually(() => expect(busy.asked()).toBe(1));
  busy.tellings.stop();

  // Said, and its codex dies before it has written it down: over the same connection it is not said twice.
  const lost = await daemon();
  lost.tellings.seen(lost.link, "s");
  await eventually(() => expect(said).toHaveLength(1));
  lost.tellings.seen(lost.link, "s");
  lost.tellings.stop();

  const next = await daemon();
  next.tellings.seen(next.link, "s");
  await eventually(() => expect(said).toHaveLength(2));
  expect(said[1]).toStartWith(correctionMark(ask));
  expect(await left()).toEqual([ask.id]);
  next.tellings.stop();

  // Said and written down, and the daemon dies before it has seen that.
  appendFileSync(rollout, told(said[1] ?? ""));
  const last = await daemon();
  last.tellings.seen(last.link, "s");
  await eventually(async () => expect(await left()).toEqual([]));
  expect([last.asked(), said.length]).toEqual([0, 2]);
  last.tellings.stop();
});
