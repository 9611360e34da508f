import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../skew/message.ts";
import { open } from "./api-request.ts";
import { type Document, type Json, misfits, operations } from "./openapi-check.ts";
import { holds, type Program } from "./program.ts";

export type Replayed = { message: Message; status: number; reply: unknown; wrong: string[] };
const skew = join(import.meta.dir, "../skew");
export const recordedMessages = (version: string) =>
  readFileSync(join(skew, version, "messages.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
export const recordedApi = (version: string) =>
  JSON.parse(readFileSync(join(skew, version, "openapi.json"), "utf8")) as Document;

/** Says everything again, in order, to the daemon of today; what that version's daemon named has other names now. */
export async function replay(program: Program, messages: readonly Message[], api: Document): Promise<Replayed[]> {
  const names = new Map<string, string>();
  const waiting = new Map<unknown, Promise<Replayed>>();
  const all: Replayed[] = [];
  writeFileSync(join(program.root, "transcript.jsonl"), "");
  for (const message of messages) {
    const call = message.body?.["call"];
    const isWaiting = message.path === "/hook/call" && message.body?.["waits"] === true;
    if (isWaiting) {
      waiting.set(call, say(message));
      // What comes next is about a hook that waits, and may else be heard before it.
      if (!(await holds(() => isOnLine(call)))) throw new Error(`the hook of ${message.step} does not wait`);
      continue;
    }
    if (message.path === "/hook/ack") {
      // It hands on what it was given.
      const given = await waiting.get(call);
      if (given) learn(message.body?.["handed"], (given.reply as Json)["handed"]);
    }
    all.push(await say(message));
  }
  return [...all, ...(await Promise.all(waiting.values()))];

  async function isOnLine(call: unknown): Promise<boolean> {
    const { asks } = await program.client().call("listAsks", { query: { state: "all" } });
    return asks.some(({ reachable, deliveries }) => reachable && deliveries.some(({ hold }) => hold === call));
  }

  async function say(message: Message): Promise<Replayed> {
    const { as, method, path, once, body } = JSON.parse(renamed(JSON.stringify(message))) as Message;
    const sent = {
      token: program.tokens()[as],
      ...(body && { body: current(body) }),
      ...(once && { headers: { "idempotency-key": crypto.randomUUID() } }),
    };
    const response = await open(program, "socket", `${method} ${path}`, sent);
    const reply: unknown = await response.json();
    learn(message.reply, reply);
    return {
      message,
      status: response.status,
      reply,
      wrong: misfits(api, schemaOf(api, message, response.status), reply),
    };
  }

  /** The process that calls is this one, now. */
  function current(body: Json): Json {
    return "facts" in body ? { ...body, calledAt: Date.now(), facts: { pid: process.pid } } : body;
  }

  function renamed(text: string): string {
    const placed = text
      .replaceAll("/home/you", program.root)
      .replaceAll("%2Fhome%2Fyou", encodeURIComponent(program.root));
    return [...names].reduce((now, [old, name]) => now.replaceAll(old, name), placed);
  }

  /**
   * Where the two replies name an Ask, the names belong together; what was learned first stays: hooks that wait are not
   * waited for, so a list may have another order.
   */
  function learn(old: unknown, now: unknown): void {
    if (typeof old !== "object" || old === null || typeof now !== "object" || now === null) return;
    for (const [key, value] of Object.entries(old)) {
      const other = (now as Json)[key];
      const isName = (key === "id" || key === "ask") && typeof value === "string" && /^[a-z0-9]{12}$/.test(value);
      if (isName && typeof other === "string" && !names.has(value)) names.set(value, other);
      learn(value, other);
    }
  }
}

function schemaOf(api: Document, { method, path }: Message, status: number): Json {
  const [address = ""] = path.split("?");
  const found = operations(api).find(
    (one) => one.method === method && new RegExp(`^${one.path.replace("{id}", "[^/]+")}$`).test(address),
  );
  const schema = found?.operation.responses[String(status)]?.content?.["application/json"]?.schema;
  if (!schema) throw new Error(`${method} ${path}: ${status} is not described`);
  return schema;
}
