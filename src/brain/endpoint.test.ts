import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { askOf } from "../../test/sample.ts";
import { BrainConfig } from "../core/autopilot/brain-config.ts";
import { BrainError, type BrainRequest } from "./brain.ts";
import { createBrain } from "./create-brain.ts";
import { createReplies } from "./replies.ts";

const KEY = "sk-very-secret";
const actions = [{ action: "select", optionIndex: 1, label: "Postgres" }];
const good = JSON.stringify({ actions, reason: "Why.", confidence: 0.9 });
const POSTGRES = { settlement: { action: "answer", answers: [{ picks: [1] }] }, reason: "Why.", confidence: 0.9 };
const request: BrainRequest = { ask: askOf(), documents: [] };
type Seen = { path: string; headers: Headers; body: Record<string, unknown> };

/** A server of the person's; `reply` says what it answers to the n-th request. */
let server: Bun.Server<unknown>;
let seen: Seen[];
let reply: (n: number) => Response | Promise<Response>;
beforeEach(() => {
  seen = [];
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(got) {
      seen.push({ path: new URL(got.url).pathname, headers: got.headers, body: (await got.json()) as Seen["body"] });
      return reply(seen.length);
    },
  });
});
afterEach(() => server.stop(true));

const replies = createReplies();
const waits: number[] = [];
const ask = (config: object, more: { signal?: AbortSignal; url?: string } = {}) =>
  createBrain("hal", BrainConfig.parse({ url: more.url ?? server.url.origin, key_env: "MY_KEY", ...config }), {
    env: { MY_KEY: KEY },
    replies,
    folder: "/",
    parley: "/home/it's me/parley",
    sleep: async (ms) => void waits.push(ms),
  })(request, more.signal ?? new AbortController().signal);
const failure = async (thinking: Promise<unknown>) => {
  const error = await thinking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BrainError)) throw new Error(`no BrainError: ${String(error)}`);
  expect(JSON.stringify([error.message, error.stack, error, error.cause])).not.toContain(KEY);
  return error.message.replace(/127\.0\.0\.1:\d+/, "HOST");
};

const anthropic = { type: "anthropic", model: "claude-x" };
const openai = { type: "openai", model: "gpt-x" };
const openclaw = { type: "openclaw" };
const message = (text: string) =>
  Response.json({ type: "message", content: [{ type: "thinking" }, { type: "text", text }] });

test("[BR27] anthropic: one message to /v1/messages with the key in its header, the text of the reply", async () => {
  reply = () => message(good);
  expect(await ask({ ...anthropic, max_tokens: 500 })).toMatchObject(POSTGRES);
  const [, { path, headers, body } = { headers: new Headers(), body: {}, path: "" }] = seen;
  expect(path).toBe("/v1/messages");
  expect([headers.get("x-api-key"), headers.get("anthropic-version")]).toEqual([KEY, "2023-06-01"]);
  expect(body).toMatchObject({
    model: "claude-x",
    max_tokens: 500,
    system: expect.stringContaining("You decide"),
    messages: [{ role: "user", content: expect.stringContaining("Which database?") }],
  });
  expect(JSON.stringify(body)).not.toContain(KEY);
});

test("[BR28] openai: chat completions below the given address, with a key or without", async () => {
  reply = () => Response.json({ choices: [{ index: 0, message: { role: "assistant", content: good } }] });
  expect(await ask(openai, { url: `${server.url.origin}/v1/` })).toMatchObject(POSTGRES);
  await ask({ ...openai, key_env: undefined });
  expect(seen.map(({ path, headers }) => [path, headers.get("authorization")])).toEqual([
    ["/v1/chat/completions", `Bearer ${KEY}`],
    ["/v1/chat/completions", `Bearer ${KEY}`],
    ["/chat/completions", null],
    ["/chat/completions", null],
  ]);
  expect(seen[0]?.body).toMatchObject({ model: "gpt-x", messages: [{ role: "system" }, { role: "user" }] });
});

test("[BR29] a bad reply goes back once over the same way", async () => {
  reply = (n) => message(n < 3 ? `{"actions":[{"action":"select","optionIndex":5}]}` : good);
  expect(await ask(anthropic)).toMatchObject({ sentBack: [{ message: "There is no option 5" }] });
  expect(JSON.stringify(seen[2]?.body)).toContain("There is no option 5");
});

describe("[BR30] what a server does wrong is said in words that hold no key and nothing it wrote", () => {
  test.each([
    [() => new Response(`bad key ${KEY}`, { status: 401 }), "hal: HOST answered 401: it does not accept the key"],
    [
      () => new Response(KEY, { status: 404 }),
      "hal: HOST answered 404: there is nothing at this address, or no such model",
    ],
    [() => new Response(KEY, { status: 500 }), "hal: HOST answered 500"],
    [
      () => Response.redirect("http://127.0.0.1:9/"),
      "hal: HOST answered 302; redirects are not followed, set the final address",
    ],
    [() => new Response(KEY), "hal: HOST answered with something other than JSON"],
    [() => Response.json({ content: KEY }), "hal: HOST answered without a message"],
    [() => new Response("x".repeat(2 ** 21)), "hal: HOST said more than 1048576 bytes"],
  ])("%#", async (answer, told) => {
    reply = answer;
    expect(await failure(ask(anthropic))).toBe(told);
  });

  test("one that is not there, and one that does not answer in time", async () => {
    const gone = Bun.serve({ port: 0, fetch: () => new Response() });
    await gone.stop(true);
    expect(await failure(ask(openai, { url: `http://127.0.0.1:${gone.port}` }))).toMatch(
      /^hal: HOST cannot be reached \(/,
    );
    reply = () => new Promise(() => {});
    expect(await failure(ask({ ...anthropic, timeout_seconds: 1 }))).toBe("hal: no answer within 1 s");
  });
});

describe("openclaw", () => {
  const accepted = () => Response.json({ ok: true, runId: "run-1" });
  /** The agent there runs the command. */
  const answer = { settlement: { action: "chat" as const, message: "Why?" }, reason: "R" };
  const answers = () =>
    replies.take(request.ask.id, "hal", { screening: { said: {} } }) || replies.take(request.ask.id, "hal", { answer });

  test("[BR31] the gateway gets the message with its token, and the agent's command is the reply", async () => {
    reply = () => (answers(), accepted());
    expect(await ask({ ...openclaw, agent: "main", timeout_seconds: 60 })).toMatchObject(answer);
    const [, { path, headers, body } = { headers: new Headers(), body: {}, path: "" }] = seen;
    expect([path, headers.get("authorization")]).toEqual(["/hooks/agent", `Bearer ${KEY}`]);
    expect(body).toEqual({
      message: expect.stringContaining("'/home/it'\\''s me/parley' answer abc123def456 --as hal --actions '[…]'"),
      name: "Parley",
      agentId: "main",
      deliver: false,
      sessionKey: `hook:parley:${request.ask.origin.session ?? request.ask.id}`,
      timeoutSeconds: 60,
    });
  });

  test("[BR32] a gateway that is down twice and then up is asked once more, after 2 and 4 seconds, as the same run", async () => {
    waits.length = 0;
    reply = (n) => (n > 1 && n < 4 ? new Response("", { status: 503 }) : (answers(), accepted()));
    await ask(openclaw);
    expect(waits).toEqual([2000, 4000]);
    expect(new Set(seen.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(2);
  });

  test("[BR33] a gateway that stays down, or refuses, is a failure; nobody waits for a command then", async () => {
    waits.length = 0;
    reply = () => new Response("", { status: 503 });
    expect(await failure(ask(openclaw))).toBe("hal: HOST answered 503");
    expect([seen.length, ...waits]).toEqual([3, 2000, 4000]);
    reply = () => new Response("", { status: 401 });
    expect(await failure(ask(openclaw))).toBe("hal: HOST answered 401: it does not accept the key");
    expect(seen).toHaveLength(4);
    expect(answers()).toBe(false);
  });

  test("[BR34] an agent that never answers is given up at the time limit, or when nobody wants it any more", async () => {
    reply = accepted;
    expect(await failure(ask({ ...openclaw, timeout_seconds: 1 }))).toBe("hal: no answer within 1 s");
    expect(answers()).toBe(false);
    const stop = new AbortController();
    const thinking = failure(ask(openclaw, { signal: stop.signal }));
    stop.abort();
    expect(await thinking).toBe("hal: its answer is no longer wanted");
  });
});
