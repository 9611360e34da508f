import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { metricsText } from "../../src/core/text/metrics-text.ts";
import { count, emptyTally } from "../../src/daemon/ops/metrics-tally.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { ANSWER, open, question, request } from "./api-request.ts";
import { createSession, ended, isHeld, settle } from "./hook-stage.ts";
import { parseMetrics } from "./metrics-parse.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { eventually } from "../patience.ts";

let program: Program;
beforeEach(() => {
  program = createProgram();
});
afterEach(() => program.dispose());

async function scrape() {
  const { status, text } = await request(program, "port", "GET /metrics", { token: program.tokens().human });
  expect(status).toBe(200);
  const families = parseMetrics(text);
  return {
    families,
    /** The sum of the samples that carry these labels. */
    value(name: string, labels: Record<string, string> = {}): number {
      const family = families.get(name.replace(/_(bucket|sum|count)$/, "")) ?? families.get(name);
      const fits = family?.samples.filter(
        (sample) => sample.name === name && Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
      );
      return (fits ?? []).reduce((sum, sample) => sum + sample.value, 0);
    },
  };
}

/** Once the log is counted to its end. */
const counted = () =>
  eventually(async () => {
    const found = await scrape();
    expect(found.value("parley_log_counted")).toBe(1);
    return found;
  });

const create = () => program.client("agent").call("createAsk", { body: { questions: [question()] } });
const answer = (id: string, surface = "cli") =>
  program.client().call("settleAsk", { id, body: { action: "answer", answers: ANSWER, surface } });

test("[OP9] names, escapes and numbers are as the format wants them", () => {
  const odd = 'a\\b"c\nd\u{1f40b}';
  const text = metricsText([
    { name: "x_total", type: "counter", help: "back\\slash\nnew line", samples: [{ labels: { odd }, value: 1.5e-7 }] },
    { name: "h", type: "histogram", help: "h", limits: [0.5, 2], samples: [{ counts: [1, 0, 2], sum: 9.25 }] },
  ]);
  expect(text.split("\n").slice(0, 2)).toEqual(["# HELP x_total back\\\\slash\\nnew line", "# TYPE x_total counter"]);
  const families = parseMetrics(text);
  expect(families.get("x_total")?.samples).toEqual([{ name: "x_total", labels: { odd }, value: 1.5e-7 }]);
  expect(families.get("h")?.samples.map(({ value }) => value)).toEqual([1, 1, 3, 9.25, 3]);
});

test("[OP10] a scrape tells of the inbox, its history and the daemon, in the format, to the human's token only", async () => {
  await program.start();
  const [first, second] = [await create(), await create()];
  await create();
  await answer(first.id);
  await program.client("agent").call("receiveAnswer", { id: first.id });
  await program.client().call("settleAsk", { id: second.id, body: { action: "decline", surface: "web" } });

  const session = createSession(program, "single-select");
  const dialog = session.fire("PermissionRequest");
  const held = await session.ask(isHeld);
  const leave = new AbortController();
  const human = program.tokens().human;
  const reader = await open(program, "port", "GET /api/events", { token: human, signal: leave.signal });

  const { families, value } = await eventually(async () => {
    const now = await scrape();
    expect([now.value("parley_holds"), now.value("parley_subscribers")]).toEqual([1, 1]);
    const { events } = await program.client().call("readLog", { query: { limit: 1000 } });
    expect(now.value("parley_events_total")).toBe(events.length);
    expect(now.value("parley_store_bytes")).toBe(statSync(program.paths.database).size);
    expect(now.value("parley_store_wal_bytes")).toBe(statSync(`${program.paths.database}-wal`).size);
    return now;
  });
  expect(value("parley_asks", { state: "open", kind: "question" })).toBe(2);
  expect(value("parley_asks", { state: "settled" })).toBe(1);
  expect(value("parley_asks")).toBe(3);
  expect(value("parley_deliveries", { state: "waiting" })).toBe(3);
  expect(value("parley_asks_captured_total", { kind: "question" })).toBe(4);
  expect(value("parley_asks_settled_total", { outcome: "answered", actor: "person", surface: "cli" })).toBe(1);
  expect(value("parley_asks_settled_total", { outcome: "declined", surface: "web" })).toBe(1);
  expect(value("parley_asks_done_total", { state: "verified", outcome: "answered" })).toBe(1);
  expect(value("parley_deliveries_total", { state: "verified" })).toBe(1);
  expect(value("parley_ask_wait_seconds_count", { kind: "question" })).toBe(2);
  expect(value("parley_receipt_seconds_count", { kind: "question" })).toBe(1);
  expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(value("parley_uptime_seconds")).toBeGreaterThan(0);
  expect(Math.abs(value("process_start_time_seconds") - Date.now() / 1000)).toBeLessThan(600);
  expect(families.get("parley_build_info")?.samples[0]?.labels["version"]).toMatch(/^\d+\.\d+\.\d+/);
  expect(families.get("parley_notifications_total")?.samples.map(({ labels }) => labels["channel"])).toContain("ntfy");

  leave.abort();
  await reader.body?.cancel().catch(() => undefined);
  await settle(program, held, { action: "answer", answers: [{ picks: [0] }] });
  await ended(dialog);
  expect(await holds(async () => (await scrape()).value("parley_holds") === 0)).toBe(true);
  expect(await holds(async () => (await scrape()).value("parley_subscribers") === 0)).toBe(true);
  for (const token of [undefined, program.tokens().agent])
    expect((await request(program, "port", "GET /metrics", token === undefined ? {} : { token })).status).not.toBe(200);
});

test("[OP11] counters go on over a restart and a kill, and nothing is counted twice", async () => {
  await program.start();
  await answer((await create()).id);
  await program.terminate();
  expect(statSync(join(program.home, "metrics.json")).mode & 0o777).toBe(0o600);
  await program.start();
  await answer((await create()).id, "web");
  await program.kill9();
  await program.start();
  const { value } = await counted();
  expect(value("parley_asks_captured_total")).toBe(2);
  expect(value("parley_asks_settled_total", { surface: "web" })).toBe(1);
  expect(value("parley_events_total")).toBe(4);
  expect(value("parley_asks", { state: "settled" })).toBe(2);
});

test("[OP11] what pruning removes stays counted", async () => {
  await program.start();
  const { id } = await create();
  await answer(id);
  await program.client("agent").call("receiveAnswer", { id });
  // Not within the millisecond in which it was done.
  await eventually(async () =>
    expect(await program.client().call("prune", { body: { days: 0 } })).toEqual({ removed: 1 }),
  );
  await program.terminate();
  await program.start();
  const { value } = await counted();
  expect([value("parley_asks_captured_total"), value("parley_asks_done_total")]).toEqual([1, 1]);
});

test("[OP12] a saved count that is damaged, or of another database, is not used", async () => {
  await program.start();
  await create();
  await create();
  await program.terminate();
  const file = join(program.home, "metrics.json");
  const saved = JSON.parse(readFileSync(file, "utf8")) as { at: number; captured: object };
  for (const text of [
    "{",
    JSON.stringify({ ...saved, at: saved.at - 1, captured: { question: 77 } }),
    JSON.stringify({ ...saved, seq: 99, database: "another", captured: { question: 77 } }),
  ]) {
    writeFileSync(file, text);
    await program.start();
    expect((await counted()).value("parley_asks_captured_total")).toBe(2);
    await program.terminate();
    expect(existsSync(file)).toBe(true);
  }
});

test("[OP13] names that others invent do not make as many rows, and what a later Parley wrote is counted", () => {
  const tally = emptyTally();
  const base = { at: 1, v: 1 };
  for (let n = 0; n < 100; n++) {
    const captured = {
      type: "ask.captured",
      kind: "question",
      questions: [],
      origin: { agent: "x" },
      key: "k",
      channel: "fetch",
    };
    const outcome = { type: "answered", actor: { type: "person", surface: `s ${n}` }, at: 1 };
    count(tally, { ...base, seq: 3 * n + 1, type: "ask.captured", ask: `a${n}`, data: captured });
    count(tally, {
      ...base,
      seq: 3 * n + 2,
      type: "ask.settled",
      ask: `a${n}`,
      data: { type: "ask.settled", outcome },
    });
    count(tally, { ...base, seq: 3 * n + 3, type: `ask.later${n}`, ask: `a${n}`, data: { type: `ask.later${n}` } });
  }
  expect(Object.keys(tally.settled)).toHaveLength(21);
  expect(tally.settled["question answered person other"]).toBe(80);
  expect(Object.values(tally.settled).reduce((a, b) => a + b, 0)).toBe(100);
  expect(Object.keys(tally.events).length).toBeLessThan(70);
  expect(Object.values(tally.events).reduce((a, b) => a + b, 0)).toBe(300);
});

test("[OP14] a long log that was never counted is counted beside the work, and told only when it is complete", async () => {
  await program.start();
  await program.terminate();
  const store = openSqlite(program.paths.database);
  const asks = 4000;
  await Promise.all(
    Array.from({ length: asks }, async (_, n) => {
      const captured = {
        type: "ask.captured" as const,
        kind: "question" as const,
        questions: [],
        origin: { agent: "x" },
        key: "k",
        channel: "fetch",
      };
      const outcome = { type: "answered" as const, actor: { type: "person" as const, surface: "cli" }, at: 1 };
      await store.append({
        at: 1,
        ask: { id: `a${n}`, expected: 0, events: [captured, { type: "ask.closed", outcome }] },
      });
    }),
  );
  await store.close();
  await program.start();
  const { families } = await scrape();
  const isComplete = families.get("parley_log_counted")?.samples[0]?.value === 1;
  expect(families.has("parley_events_total")).toBe(isComplete);
  await create();
  await eventually(async () => {
    const { value } = await counted();
    expect([value("parley_events_total"), value("parley_asks_captured_total")]).toEqual([2 * asks + 1, asks + 1]);
  });
});
