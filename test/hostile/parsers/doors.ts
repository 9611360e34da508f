import { AGENTS } from "../../../src/agents/agents.ts";
import type { Agent } from "../../../src/agents/agent.ts";
import type { Conversation, RemoteReading } from "../../../src/agents/capability/remote.ts";
import type { HookReading } from "../../../src/agents/capability/reading.ts";
import type { Ask } from "../../../src/core/ask/ask.ts";
import type { Outcome } from "../../../src/core/ask/outcome.ts";
import { lineOf, messageIn } from "../../../src/acp/json-rpc.ts";
import { createTraffic } from "../../../src/acp/traffic.ts";
import { createTurn } from "../../../src/acp/turn.ts";
import { asRecord } from "../../../src/core/record.ts";
import { recordedOf } from "./samples.ts";
import { parseUncounted, unmetered } from "./work.ts";
import { slackDoor } from "./slack-door.ts";
import { telegramDoor } from "./telegram-door.ts";

/** A place where something from outside is read. Contract of `play`: throws when the parser does, or says what was not said. */
export type Door = {
  name: string;
  samples: readonly unknown[];
  play(values: readonly unknown[]): void | Promise<void>;
};

export const OUTCOMES: Outcome[] = [
  { type: "answered", actor: { type: "person", surface: "cli" }, at: 1, answers: [{ picks: [0] }] },
  { type: "declined", actor: { type: "person", surface: "cli" }, at: 1 },
];
const NOWHERE = { method: "POST", path: '"nobody asked this"', body: { result: {} } } as const;

export const DOORS: readonly Door[] = [
  ...AGENTS.flatMap(doorsOf),
  acpTraffic(),
  acpTurn(),
  telegramDoor(),
  slackDoor(),
];

function doorsOf(agent: Agent): Door[] {
  const { name, hooks, record, remote, service, headless } = agent;
  const folder = name === "claude-code" ? "claude-code" : name;
  const sent = [...recordedOf(folder, "**/*hooks.jsonl"), ...recordedOf(folder, "**/question.jsonl")];
  const events = recordedOf(folder, "**/{events,messages,permission,question,pending,part}.{jsonl,json}");
  const lines = recordedOf(folder, "**/{transcript,chat,session,rollout,events}.jsonl");
  const doors: Door[] = [];
  if (hooks && sent.length > 0)
    doors.push({
      name: `${name} hooks`,
      samples: sent,
      play: (values) => values.forEach((value) => hook(agent, value)),
    });
  if (record?.lines && lines.length > 0)
    doors.push({ name: `${name} record`, samples: lines, play: (values) => readLines(agent, values) });
  const converse = remote?.socket?.converse;
  const told = name === "acp" ? acpTold() : converse ? heardIn(converse(), events) : events;
  if (remote && told.length > 0)
    doors.push({ name: `${name} events`, samples: told, play: (values) => remoteEvents(remote, values) });
  if (converse)
    doors.push({
      name: `${name} conversation`,
      samples: events,
      play(values) {
        const talk = converse();
        talk.begin();
        for (const value of values) for (const event of talk.heard(value).events) remoteEvents(remote, [event]);
        if (talk.say(NOWHERE) !== undefined) throw new Error("it answers what nobody asked");
      },
    });
  if (service)
    doors.push({
      name: `${name} service`,
      samples: events,
      async play(values) {
        const hear = service.listen();
        for (const value of values) {
          const { event, call } = hear(value);
          said(service.remote.read(event, call), [values]);
          service.registered("service.json", JSON.stringify(value) ?? "", () => undefined);
          service.health.isIt(value, { url: "", pid: 1, version: "1" });
        }
        await service
          .open(async () => ({ status: 200, body: values[0] }))
          .catch((error: Error) => {
            if (error.constructor !== Error && error.name !== "ParleyError") throw error;
          });
      },
    });
  const streams = headless?.isAcp ? acpPrinted() : [...events, ...recordedOf(folder, "**/stream.ndjson")];
  if (headless) doors.push(streamOf(agent, streams));
  return doors;
}

/** What such a connection hands on, of what was recorded there. */
function heardIn(talk: Conversation, messages: readonly unknown[]): unknown[] {
  talk.begin();
  return messages.flatMap((message) => talk.heard(message).events);
}

/** What an editor says was not recorded: it prompts, and says yes to everything. */
function acpMessages(): unknown[] {
  const recorded = recordedOf("acp", "**/*.jsonl");
  return recorded.flatMap((message) => {
    const { id, method, params } = message as { id?: unknown; method?: string; params?: { sessionId?: string } };
    if (id === undefined || method === undefined) return [message];
    const prompt = { id: 77, method: "session/prompt", params: { sessionId: params?.sessionId, prompt: [] } };
    const result = { outcome: { outcome: "selected", optionId: "allow" }, action: "accept", content: {} };
    return [prompt, message, { id, result }, { id: 77, result: { stopReason: "end_turn" } }];
  });
}

function messageOf(value: unknown) {
  const isObject = typeof value === "object" && value !== null;
  return messageIn(isObject ? lineOf(value as Record<string, unknown>) : Buffer.from(String(value)));
}

function acpTold(): unknown[] {
  const traffic = createTraffic("run");
  return acpMessages().flatMap((value) => {
    const message = messageOf(value);
    if (!message) return [];
    const isEditors = message.type === "reply" ? message.id !== 77 : message.type === "request" && message.id === 77;
    return isEditors ? traffic.fromEditor(message).told : traffic.fromAgent(message);
  });
}

/** What Parley's own client prints of it, for the one who reads the run. */
function acpPrinted(): unknown[] {
  const printed: unknown[] = [];
  const turn = createTurn((item) => printed.push(item));
  turn.starts();
  for (const value of recordedOf("acp", "**/*.jsonl")) {
    const { params } = value as { params?: { update?: Record<string, unknown> } };
    if (params?.update) turn.updated(params.update);
  }
  return [...printed, ...acpTold().map((event) => ({ type: "heard", event }))];
}

function streamOf({ name, headless }: Agent, samples: unknown[]): Door {
  return {
    name: `${name} stream`,
    samples: samples.length > 0 ? samples : [{ type: "result", is_error: false, result: "x" }],
    play(values) {
      for (const value of values) headless?.readStream(JSON.stringify(value) ?? "");
      const run = { session: "s", start: { how: "prompt" }, prompt: "p", settings: "/s" } as const;
      const talk = headless?.talk?.(run);
      talk?.begin();
      for (const value of values)
        for (const kept of talk?.heard(value).keep ?? []) headless?.readStream(JSON.stringify(kept));
      if (talk?.say(NOWHERE) !== undefined) throw new Error("it answers what nobody asked");
    },
  };
}

function hook({ hooks }: Agent, payload: unknown): void {
  const reading = hooks?.read(payload);
  hooks?.ran?.(payload);
  hooks?.telling?.(payload);
  if (!reading) return;
  said([reading], [payload]);
  if (reading.type !== "asked" || reading.questions.length === 0) return;
  for (const outcome of OUTCOMES) hooks?.reply(payload, askOf(reading), outcome, undefined);
}

/** One file of lines. */
function readLines({ record }: Agent, values: readonly unknown[]): void {
  const format = record?.lines;
  const texts = values.map((value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")));
  for (const [i, text] of texts.entries()) {
    format?.versionIn(text);
    for (const item of format?.read(text) ?? []) {
      if (item.type === "result") item.read(item.questions ?? []);
      if (item.type === "result" || item.type === "asked") named(item.key, texts.slice(0, i + 1));
    }
  }
}

function remoteEvents(remote: NonNullable<Agent["remote"]>, values: readonly unknown[]): void {
  for (const [i, value] of values.entries()) {
    const before = values[i - 1];
    const readings = remote.read(value, before);
    said(readings, [value, before]);
    for (const { read } of remote.pending) said(read(value), [value]);
    remote.server?.versionIn(value);
    for (const reading of readings)
      if (reading.type === "asked" && reading.questions.length > 0)
        for (const outcome of OUTCOMES) remote.reply(askOf(reading), outcome, reading.request);
  }
}

function askOf({ kind, questions, key }: HookReading & { type: "asked" }): Ask {
  return { id: "a", kind, questions, state: "open", origin: { key }, deliveries: [] } as unknown as Ask;
}

/** What is settled, taken back or came of a call carries a name; it stands in what was heard. */
function said(readings: readonly (HookReading | RemoteReading)[], heard: readonly unknown[]): void {
  for (const reading of readings) {
    if ("request" in reading && reading.type !== "asked") named(reading.request, heard);
    if (reading.type === "result") named(reading.key, heard);
  }
}

/** A name may be an address, or a name in quotes: then its last part says which one is meant. */
function named(name: string, heard: readonly unknown[]): void {
  const texts = new Set(heard.flatMap(textsIn));
  const inner = decoded(name.split("/").at(-1) ?? "").replaceAll(/^"|"$/g, "");
  const quoted = textsIn(name);
  const isSaid = [name, inner, ...quoted].some((part) => texts.has(part) || texts.has(part.toWellFormed()));
  const isPart = () => [...texts].some((text) => text !== "" && (name.includes(text) || text.includes(inner)));
  if (!isSaid && !isPart()) throw new Error(`it settles ${name}, which nobody named`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every text and number in it; a line of JSON is what it says. */
function textsIn(given: unknown): string[] {
  const value = unmetered(given);
  if (typeof value === "number") return [String(value)];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== "string") return [];
  try {
    return [value, ...textsIn(parseUncounted(value) as unknown)];
  } catch {
    return [value];
  }
}

function acpTraffic(): Door {
  return {
    name: "acp traffic",
    samples: acpMessages(),
    play(values) {
      const traffic = createTraffic("run");
      const asked = new Set<unknown>();
      for (const [i, value] of values.entries()) {
        const message = messageOf(value);
        if (!message) continue;
        // What the agent says is said back by the editor too: it may reply to anything.
        const told = i % 3 === 2 ? traffic.fromEditor(message).told : traffic.fromAgent(message);
        for (const each of told) {
          if (each["type"] === "asked") asked.add(each["name"]);
          if (["replied", "withdrawn", "came"].includes(String(each["type"])) && !asked.has(each["name"]))
            throw new Error(`it tells of ${JSON.stringify(each)}, which was not asked`);
        }
      }
      if (traffic.answer("run.none", { result: {} }) !== undefined) throw new Error("it answers what nobody asked");
    },
  };
}

function acpTurn(): Door {
  const isUpdate = (value: unknown) => asRecord(asRecord(value)?.["params"])?.["update"] !== undefined;
  return {
    name: "acp turn",
    samples: recordedOf("acp", "**/*.jsonl").filter(isUpdate),
    play(values) {
      const called = new Set<unknown>();
      const turn = createTurn(({ type, key }) => {
        if (type === "called") called.add(key);
        if (type === "returned" && !called.has(key)) throw new Error(`${String(key)} returned, and was never called`);
      });
      turn.starts();
      for (const value of values) {
        const params = asRecord(asRecord(value)?.["params"]);
        turn.updated(asRecord(params?.["update"]) ?? {});
      }
      turn.ended(asRecord(values[0]) ?? {});
    },
  };
}
