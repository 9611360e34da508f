import { afterEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPilot, type Pilot, stateIs } from "./autopilot-stage.ts";
import { createSession, ended, type Session } from "./hook-stage.ts";
import { holds } from "./program.ts";
import { decided, isFirst, replyTo, screened } from "./verdict-reply.ts";

type Sent = { path: string; key: string | null; body: Body };
type Body = { message: string; sessionKey?: string; messages: { role: string; content: string }[] };

const PARAGRAPH = `Your answer was not submitted correctly. On the next AskUserQuestion, use "Chat about this" or "Type something" to correct this with Claude Code before answering the new question.`;
const MISMATCH = /Verification — MISMATCH\n.*option 0 \(Option A\).*received:\*\* Option B/;

const GATEWAYS = (url: string) =>
  `[autopilot.brains.b]\ntype = "openclaw"\nsecond = "c"\nurl = "${url}"\nKEY\n[autopilot.brains.c]\ntype = "openclaw"\nagent = "other"\nurl = "${url}"\nKEY\n`;
const ENDPOINTS = (type: string, url: string) =>
  `[autopilot.brains.b]\ntype = "${type}"\nmodel = "m"\nsecond = "c"\nurl = "${url}"\nKEY\n[autopilot.brains.c]\ntype = "${type}"\nmodel = "n"\nurl = "${url}"\nKEY\n`;

let pilot: Pilot;
afterEach(() => pilot.dispose());

function configure(brain: string): void {
  const key = join(pilot.program.root, "key");
  writeFileSync(key, "secret-token", { mode: 0o600 });
  pilot.configure(
    `[autopilot]\nmode = "on"\ntrust.per_rule = 0\nundo_seconds = 0\nbrain = "b"\n${brain.replaceAll("KEY", `key_file = "${key}"`)}`,
  );
}

/** The brain's answer, "Option A", reaches the agent; its record says that it was "Option B". */
async function mismatch(decide: (id: string) => Promise<unknown> = async () => undefined): Promise<Session> {
  const session = createSession(pilot.program, "answered-by-hook");
  await pilot.answerBefore(session, "Option A");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  const { id } = await session.ask(({ autopilot }) => autopilot !== undefined);
  await decide(id);
  expect((await ended(dialog)).out).toContain('"Option A"');
  session.write();
  await session.tell("PostToolUse");
  await session.ask(({ state }) => state === "mismatched");
  return session;
}
const told = (session: Session) => session.ask((ask) => ask.told !== undefined);
const isTold = (text: string) => MISMATCH.test(text) && text.includes(PARAGRAPH);

/** A server of the person's: `refuse` says with which status, if any. */
function createServer(refuse: (sent: Sent) => number | undefined = () => undefined) {
  const sent: Sent[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const each = {
        path: new URL(request.url).pathname,
        key: request.headers.get("idempotency-key"),
        body: (await request.json()) as Body,
      };
      sent.push(each);
      const status = refuse(each);
      if (status !== undefined) return new Response("no", { status });
      if (each.path === "/hooks/agent") return Response.json({ ok: true });
      const content = replyTo(each.body.messages.at(-1)?.content ?? "", "Option A");
      return each.path === "/v1/messages"
        ? Response.json({ content: [{ type: "text", text: content }] })
        : Response.json({ choices: [{ message: { content } }] });
    },
  });
  return { sent, server, origin: server.url.origin };
}

/** What the agents behind the gateway run: the first brain and its second, whether a person is needed and then the answer. */
async function answer(id: string, sent: readonly Sent[]): Promise<void> {
  const rest = [];
  for (const brain of ["b", "c"])
    for (const isScreening of [true, false]) {
      const asked = ({ body: { message } }: Sent) =>
        message.includes(`--as ${brain} `) && isFirst(message) === isScreening;
      let message = "";
      expect(await holds(() => (message = sent.findLast(asked)?.body.message ?? "") !== "")).toBe(true);
      const { actions, decidedBy } = JSON.parse(decided(message, "Option A")) as {
        actions: unknown;
        decidedBy: unknown;
      };
      const said = isScreening
        ? ["--verdict", screened(message)]
        : ["--actions", JSON.stringify(actions), "--confidence", "0.9", "--verdict", JSON.stringify({ decidedBy })];
      rest.push(await pilot.program.parley(["answer", id, "--as", brain, ...said]));
    }
  expect(rest.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
}

test("[AU80] an agent behind a gateway hears at once, in the session that decided, that the agent received something else", async () => {
  const { sent, server, origin } = createServer();
  await using _ = { [Symbol.asyncDispose]: () => server.stop(true) };
  pilot = createPilot("");
  configure(GATEWAYS(origin));
  await pilot.program.start();
  const session = await mismatch(async (id) => {
    await pilot.becomes(id, stateIs("asking"));
    await answer(id, sent);
  });
  const { id, told: at } = await told(session);
  expect(at?.to).toBe("brain b");
  const [, asked, , , ...corrections] = sent;
  expect(asked?.body.sessionKey).toBe(`hook:parley:${session.id}`);
  expect(corrections).toHaveLength(1);
  expect(corrections[0]).toMatchObject({
    key: `parley-mismatch-${id}`,
    body: { sessionKey: `hook:parley:${session.id}` },
  });
  expect(isTold(corrections[0]?.body.message ?? "")).toBe(true);
});

test("[DC20] a gateway that takes no session of ours is told without one", async () => {
  const { sent, server, origin } = createServer(({ body }) => (body.sessionKey === undefined ? undefined : 400));
  await using _ = { [Symbol.asyncDispose]: () => server.stop(true) };
  pilot = createPilot("");
  configure(GATEWAYS(origin));
  await pilot.program.start();
  const session = await mismatch(async (id) => {
    await pilot.becomes(id, stateIs("asking"));
    await answer(id, sent);
  });
  await told(session);
  expect(sent.filter(({ body }) => body.sessionKey === undefined).map(({ body }) => isTold(body.message))).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
});

test.each([
  ["anthropic", "/v1/messages"],
  ["openai", "/chat/completions"],
])(
  "[DC21] a model behind an address is told in the conversation that decided, and asked there next (%s)",
  async (type, path) => {
    const { sent, server, origin } = createServer();
    await using _ = { [Symbol.asyncDispose]: () => server.stop(true) };
    pilot = createPilot("");
    configure(ENDPOINTS(type, origin));
    await pilot.program.start();
    const session = await mismatch();
    await told(session);
    const said = sent.map(({ body }) => body.messages.filter(({ role }) => role !== "system"));
    // Twice the first brain, twice its second, and then the first is told.
    expect(sent.map((each) => each.path)).toEqual([path, path, path, path, path]);
    expect(said[4]?.slice(0, 1)).toEqual([said[1]?.[0] as never]);
    expect(said[4]?.[1]).toEqual({ role: "assistant", content: decided(said[1]?.[0]?.content ?? "", "Option A") });
    expect(isTold(said[4]?.[2]?.content ?? "")).toBe(true);
    await pilot.program.kill9();
    await pilot.program.start();
    await pilot.ask({ session: session.id, question: "And now?" });
    expect(await holds(() => sent.length >= 7)).toBe(true);
    // What it is asked first it judges without any of that.
    expect(sent[5]?.body.messages.filter(({ role }) => role !== "system")).toHaveLength(1);
    const next = sent[6]?.body.messages.filter(({ role }) => role !== "system") ?? [];
    expect(next.slice(0, 3)).toEqual(said[4] ?? []);
    expect(next).toHaveLength(5);
    expect(next[4]?.content).toContain("And now?");
    expect(isTold(next[4]?.content ?? "")).toBe(true);
  },
);

test("[DC22] a program that decides is started again with what went wrong and the name of its conversation, once", async () => {
  pilot = createPilot("");
  const brain = pilot.agreeing("b", "Option A");
  configure(brain.toml);
  await pilot.program.start();
  const session = await mismatch();
  await told(session);
  const [, first, , , second, ...more] = brain.told() as unknown as { conversation: string; mismatch?: string }[];
  expect(more).toEqual([]);
  expect(first?.mismatch).toBeUndefined();
  expect(second?.conversation).toBe(first?.conversation as string);
  expect(isTold(second?.mismatch ?? "")).toBe(true);
  await pilot.program.kill9();
  await pilot.program.start();
  await pilot.program.parley(["status"]);
  expect(brain.told()).toHaveLength(5);
});

test("[DC23] what could not be told is told by the next daemon, and only once", async () => {
  let isDown = false;
  const { sent, server, origin } = createServer(() => (isDown ? 503 : undefined));
  await using _ = { [Symbol.asyncDispose]: () => server.stop(true) };
  pilot = createPilot("");
  configure(ENDPOINTS("anthropic", origin));
  await pilot.program.start();
  const session = createSession(pilot.program, "answered-by-hook");
  await pilot.answerBefore(session, "Option A");
  await session.tell("PreToolUse");
  await ended(session.fire("PermissionRequest"));
  isDown = true;
  session.write();
  await session.tell("PostToolUse");
  expect(await holds(() => sent.length >= 5)).toBe(true);
  expect((await session.ask(({ state }) => state === "mismatched")).told).toBeUndefined();
  const log = () => readFileSync(pilot.program.paths.log, "utf8");
  expect(await holds(() => log().includes("a mismatch was not told yet"))).toBe(true);
  await pilot.program.kill9();
  isDown = false;
  await pilot.program.start();
  await told(session);
  const before = sent.length;
  await pilot.program.terminate();
  await pilot.program.start();
  await pilot.program.parley(["status"]);
  expect(sent.length).toBe(before);
});
