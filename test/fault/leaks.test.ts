import { heapStats } from "bun:jsc";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Daemon, runDaemon } from "../../src/daemon/daemon.ts";
import { pathsIn } from "../../src/machine/home.ts";
import { sqlite } from "../../src/store/sqlite/engine.ts";
import { ANSWER, question } from "../e2e/api-request.ts";
import { holds } from "../e2e/program.ts";
import { payloadsOf, recording } from "../recorded.ts";

const TIMES = 200;
/** Of what is in the middle of being collected. */
const SLACK = 30;
const root = mkdtempSync(join(tmpdir(), "parley-leaks-"));
const paths = pathsIn(join(root, "home"));
let daemon: Daemon;
let open: string;

beforeAll(async () => {
  const started = await runDaemon({
    paths,
    version: "test",
    byHand: true,
    port: 0,
    engine: sqlite,
    now: Date.now,
    log: () => undefined,
  });
  if (!started) throw new Error("another daemon has this home");
  daemon = started;
  open = await create();
});
afterAll(async () => {
  daemon.stop(false);
  await daemon.ended;
  rmSync(root, { recursive: true });
});

type Options = { as?: "human" | "agent"; body?: unknown; signal?: AbortSignal };
function send(line: string, { as = "human", body, signal }: Options = {}): Promise<Response> {
  const [method = "", path = ""] = line.split(" ");
  return fetch(`http://parley${path}`, {
    method,
    unix: paths.socket,
    headers: { authorization: `Bearer ${daemon.registration.tokens[as]}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}
const said = async (line: string, options?: Options) => (await send(line, options)).json() as Promise<{ id: string }>;
const create = async () => (await said("POST /api/asks", { as: "agent", body: { questions: [question()] } })).id;
const settle = (id: string) =>
  said(`POST /api/asks/${id}/settle`, { body: { action: "answer", answers: ANSWER, surface: "api" } });

/** What a request leaves behind while it waits: who listens, on what, for whom. */
function left() {
  for (let i = 0; i < 3; i++) Bun.gc(true);
  const { objectTypeCounts: of } = heapStats();
  return { signals: of["AbortSignal"] ?? 0, promises: of["Promise"] ?? 0, timers: of["Timeout"] ?? 0 };
}

async function aborted(line: string, options: Options): Promise<void> {
  const leave = new AbortController();
  const waiting = send(line, { ...options, signal: leave.signal }).then((response) => response.text());
  setTimeout(() => leave.abort(), 5);
  await waiting.catch(() => undefined);
}

const call = (payload: object) => ({
  agent: "claude-code",
  call: crypto.randomUUID(),
  waits: true,
  facts: {},
  payload,
});
const [permission] = payloadsOf(recording("2.1.325", "single-select"), "PermissionRequest");
const dialog = () => ({
  ...permission,
  session_id: crypto.randomUUID(),
  transcript_path: join(root, "none.jsonl"),
  tool_use_id: crypto.randomUUID(),
});

/** A hook that waits, gets its answer and says that it handed it on. */
async function held(): Promise<void> {
  const payload = dialog();
  const hook = call(payload);
  const waiting = send("POST /hook/call", { as: "agent", body: hook }).then((response) => response.json());
  let ask: { id: string } | undefined;
  await holds(async () => {
    const { asks } = (await said(`GET /api/asks?state=open&session=${payload.session_id}`)) as unknown as {
      asks: { id: string; reachable: boolean }[];
    };
    return (ask = asks.find(({ reachable }) => reachable)) !== undefined;
  });
  await said(`POST /api/asks/${ask?.id}/settle`, {
    body: { action: "answer", answers: [{ picks: [0] }], surface: "api" },
  });
  const { handed, output } = (await waiting) as { handed: unknown[]; output: unknown };
  expect(handed.length).toBe(1);
  await send("POST /hook/ack", { as: "agent", body: { call: hook.call, handed, output } });
}

async function readOnce(): Promise<void> {
  const leave = new AbortController();
  const { body } = await send("GET /api/events?after=9007199254740991", { signal: leave.signal });
  const reader = body?.getReader();
  await reader?.read();
  leave.abort();
  await reader?.read().catch(() => undefined);
}

async function connectOnce(): Promise<void> {
  const headers = { authorization: `Bearer ${daemon.registration.tokens.human}` };
  const socket = new WebSocket(`ws://127.0.0.1:${daemon.registration.port}/api/ws?after=9007199254740991`, { headers });
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.addEventListener("open", () => socket.close());
  socket.addEventListener("close", () => resolve());
  await promise;
}

const KINDS: [string, () => Promise<unknown>][] = [
  ["an answer that is asked for and not there", () => said(`GET /api/asks/${open}/answer?wait=0`, { as: "agent" })],
  ["an answer that is waited for in vain", () => said(`GET /api/asks/${open}/answer?wait=3`, { as: "agent" })],
  ["an asker that leaves", () => aborted(`GET /api/asks/${open}/answer?wait=60000`, { as: "agent" })],
  [
    "an answer that comes while it is waited for",
    async () => {
      const id = await create();
      const waiting = said(`GET /api/asks/${id}/answer?wait=60000`, { as: "agent" });
      await settle(id);
      await waiting;
    },
  ],
  ["a hook that gets its answer", held],
  ["a hook that is killed", () => aborted("POST /hook/call", { as: "agent", body: call(dialog()) })],
  ["a stream of events that is left", readOnce],
  ["a socket that is closed", connectOnce],
  ["a look at the inbox", () => said("GET /api/asks")],
];

test.each(KINDS)("[EN6] %s leaves nothing behind in the daemon", async (_name, once) => {
  for (let i = 0; i < 5; i++) await once();
  const before = left();
  for (let i = 0; i < TIMES; i += 20) await Promise.all(Array.from({ length: 20 }, once));
  // What was aborted is noticed a moment later.
  const isClean = () => {
    const after = left();
    return Object.keys(before).every((name) => after[name as "signals"] - before[name as "signals"] < SLACK);
  };
  const clean = await holds(isClean);
  expect(clean ? {} : { before, after: left(), of: TIMES }).toEqual({});
});
