import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RemoteReading } from "../capability/remote.ts";
import { createConversation } from "./conversation.ts";
import { remote } from "./remote.ts";

const CASES = join(import.meta.dir, "fixtures/0.166.0");
type Line = { d: "<" | ">"; m: Record<string, unknown> };
const linesOf = (name: string): Line[] =>
  readFileSync(join(CASES, name, "messages.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

const thread = (id: string, more: object = {}) => ({
  id,
  ephemeral: false,
  path: `/home/you/.codex/sessions/rollout-${id}.jsonl`,
  cwd: "/home/you/project",
  status: { type: "idle" },
  ...more,
});
const waiting = { type: "active", activeFlags: ["waitingOnUserInput"] };
const changed = (threadId: string, status: object) => ({
  method: "thread/status/changed",
  params: { threadId, status },
});
const methods = (said: readonly unknown[]) =>
  said.map((message) => (message as { method?: string }).method ?? "a reply");

/** A conversation that knows these threads. */
function begun(threads: readonly { id: string }[]) {
  const talk = createConversation();
  const say = (message: unknown) => talk.heard(message);
  const [first] = talk.begin() as { id: number }[];
  const listing = say({ id: first?.id, result: { userAgent: "codex-tui/0.166.0 (Debian)" } });
  const [, list] = listing.say as { id: number }[];
  const looks = say({ id: list?.id, result: { data: threads.map(({ id }) => id), nextCursor: null } });
  const heard = (looks.say as { id: number; params: { threadId: string } }[]).map(({ id, params }) =>
    say({ id, result: { thread: threads.find((each) => each.id === params.threadId) } }),
  );
  return { talk, say, listing, looks, last: heard.at(-1) ?? looks, heard };
}

describe("codex's control socket", () => {
  test("[CX20] what is open is attached to by its thread's id, and only where a thread waits for somebody", () => {
    const { listing, looks, heard } = begun([
      thread("idle"),
      thread("asks", { status: waiting }),
      thread("helper", { ephemeral: true, path: null, status: waiting }),
    ]);
    expect([listing.version, methods(listing.say), methods(looks.say)]).toEqual([
      "0.166.0",
      ["initialized", "thread/loaded/list"],
      ["thread/read", "thread/read", "thread/read"],
    ]);
    expect(heard.flatMap(({ say }) => say)).toMatchObject([
      { method: "thread/resume", params: { threadId: "asks", excludeTurns: true } },
    ]);
    expect(heard.map(({ isCaughtUp }) => isCaughtUp)).toEqual([false, false, false]);
  });

  test("[CX21] everything is known when each thread that waits has said what for", () => {
    const { say, heard } = begun([thread("asks", { status: waiting })]);
    const [resume] = heard.flatMap((each) => each.say) as { id: number }[];
    expect(say({ id: resume?.id, result: {} }).isCaughtUp).toBe(false);
    const request = { threadId: "asks", turnId: "t", itemId: "call" };
    expect(say({ id: 7, method: "item/tool/requestUserInput", params: request }).isCaughtUp).toBe(true);
    expect(begun([]).last.isCaughtUp).toBe(true);
  });

  test("[CX22] a thread is left again when nothing of it is open; its next request is attached to anew", () => {
    const { say } = begun([thread("one")]);
    const [look] = say(changed("one", waiting)).say as { id: number }[];
    expect(methods(say({ id: look?.id, result: { thread: thread("one", { status: waiting }) } }).say)).toEqual([
      "thread/resume",
    ]);
    for (const id of [1, 2])
      say({ id, method: "item/tool/requestUserInput", params: { threadId: "one", turnId: "t", itemId: `call_${id}` } });
    const resolved = (requestId: number) => ({
      method: "serverRequest/resolved",
      params: { threadId: "one", requestId },
    });
    expect(methods(say(resolved(1)).say)).toEqual([]);
    expect(methods(say(resolved(2)).say)).toEqual(["thread/unsubscribe"]);
    expect(methods(say(changed("one", waiting)).say)).toEqual(["thread/read"]);
  });

  test("[CX23] a reply goes to the request it is for, words go into the turn before it, and what is over takes none", () => {
    const { talk, say } = begun([thread("one")]);
    say({ id: 7, method: "item/tool/requestUserInput", params: { threadId: "one", turnId: "t", itemId: "call" } });
    const post = (body: unknown, path = "7") => talk.say({ method: "POST", path, body });
    expect(post({ result: { answers: {} } })).toEqual([{ id: 7, result: { answers: {} } }]);
    expect(post({ result: { decision: "decline" }, words: "no" })).toMatchObject([
      { method: "turn/steer", params: { threadId: "one", expectedTurnId: "t", input: [{ type: "text", text: "no" }] } },
      { id: 7, result: { decision: "decline" } },
    ]);
    expect(post({ stop: true })).toMatchObject([
      { method: "turn/interrupt", params: { threadId: "one", turnId: "t" } },
    ]);
    expect(post({ result: {} }, '"7"')).toBeUndefined();
    say({ method: "serverRequest/resolved", params: { threadId: "one", requestId: 7 } });
    expect(post({ result: {} })).toBeUndefined();
  });

  test("[CX24] it never answers anything by itself, whatever it is asked", () => {
    const { say } = begun([thread("one")]);
    for (const method of ["item/tool/call", "currentTime/read", "mcpServer/elicitation/request", "execCommandApproval"])
      expect(say({ id: 9, method, params: { threadId: "one", turnId: "t", itemId: "c" } }).say).toEqual([]);
    for (const odd of [undefined, null, 7, "x", [], { id: {} }, { method: 7 }, { id: 99, result: 7 }])
      expect(say(odd).say).toEqual([]);
  });
});

describe("recorded", () => {
  /** What Parley reads when codex says all this. */
  function read(name: string): RemoteReading[] {
    const facts = { id: "01a1e0e1-9032-7f23-b892-78012760cdac", path: "/r.jsonl", cwd: "/home/you/project" };
    return linesOf(name)
      .filter(({ d, m }) => d === "<" && m["method"] !== undefined)
      .flatMap(({ m }) => {
        const isOurs = (m["params"] as { threadId?: string }).threadId === facts.id;
        return remote.read({ message: m, ...(isOurs && { thread: facts }) });
      });
  }

  test.each([
    ["question-answered-outside", "question", ["asked", "settled", "turn-ended"]],
    ["question-answered-terminal", "question", ["asked", "settled", "turn-ended"]],
    ["question-esc", "question", ["asked", "turn-ended", "settled"]],
    ["approval-accept", "approval", ["asked", "settled", "turn-ended"]],
    ["approval-decline", "approval", ["asked", "settled", "turn-ended"]],
    ["approval-cancel", "approval", ["asked", "settled", "turn-ended"]],
  ])("[CX25] %s is read as it happened", (name, kind, types) => {
    const readings = read(name);
    expect(readings.map(({ type }): string => type)).toEqual(types);
    const asked = readings.find((each) => each.type === "asked");
    expect(asked).toMatchObject({ kind, dialogOpen: true, session: { transcript: "/r.jsonl" } });
    const settled = readings.find(({ type }) => type === "settled");
    expect(settled).toMatchObject({ request: asked?.request });
  });

  test("[CX26] a question keeps the id it is answered by; a command shows what runs, and what is offered for good", () => {
    const question = read("question-esc").find((each) => each.type === "asked");
    expect(question?.questions).toMatchObject([
      { id: "database", text: "Which database should I use?", options: [{ label: "PostgreSQL" }, { label: "SQLite" }] },
    ]);
    const command = read("approval-accept").find((each) => each.type === "asked");
    expect(command?.questions).toMatchObject([
      {
        title: "$ touch /home/labfile.txt",
        body: "$ touch /home/labfile.txt\n# need it\nin /home/you/project",
        options: [
          { label: "Approve", decision: "accept" },
          {
            label: "Always allow touch /home/labfile.txt …",
            stakes: "high",
            decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "/home/labfile.txt"] } },
          },
          { label: "Deny", decision: "decline" },
          { label: "Cancel", decision: "cancel" },
        ],
      },
    ]);
  });

  test("[CX27] a secret, a form of an MCP server and a permission profile stay in the terminal", () => {
    const params = { threadId: "one", turnId: "t", itemId: "c" };
    const secret = { id: "key", question: "Key?", header: "", isSecret: true, options: [] };
    const about = (method: string, more: object) =>
      remote.read({ message: { id: 1, method, params: { ...params, ...more } } });
    expect(about("item/tool/requestUserInput", { questions: [secret] })).toEqual([]);
    expect(about("mcpServer/elicitation/request", { message: "m" })).toEqual([]);
    expect(about("item/permissions/requestApproval", { permissions: {} })).toEqual([]);
  });

  test("[CL8] a thread is told something only while no turn of it runs, and one that was just loaded is looked at", () => {
    const { talk, say } = begun([thread("works"), thread("asks", { status: waiting })]);
    const tell = (id: string) => {
      const request = remote.tell?.(id, "[parley x] words");
      return request && talk.say(request);
    };
    const item = { type: "message", role: "user", content: [{ type: "input_text", text: "[parley x] words" }] };
    const told = [{ method: "thread/inject_items", params: { threadId: "works", items: [item] } }];
    expect(tell("works")).toMatchObject(told);
    say(changed("works", { type: "active", activeFlags: [] }));
    expect([tell("works"), tell("asks"), tell("unknown")]).toEqual([undefined, undefined, undefined]);
    say(changed("works", { type: "idle" }));
    expect(tell("works")).toMatchObject(told);
    say(changed("works", { type: "notLoaded" }));
    expect(tell("works")).toBeUndefined();
    expect(say(changed("resumed", { type: "idle" })).say).toMatchObject([
      { method: "thread/read", params: { threadId: "resumed" } },
    ]);
  });
});
