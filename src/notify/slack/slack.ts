import { randomBytes } from "node:crypto";
import type { Notify } from "../../core/config/config.ts";
import { asRecord } from "../../core/record.ts";
import { capitalised, safeLine } from "../../core/text/text.ts";
import type { Clock } from "../../inbox/inbox.ts";
import type { Ledger } from "../../store/ledger.ts";
import { type Messenger, outOf, type Progress, type Ref, SendError } from "../messenger.ts";
import type { Note } from "../note.ts";
import { provePress, type Tests } from "../prove.ts";
import { createApi, isDone, type Json, SlackError } from "./api.ts";
import {
  actionBlocks,
  type Block,
  escaped,
  markedBlocks,
  pageBlocks,
  pairBlocks,
  questionBlocks,
  section,
  testBlocks,
} from "./blocks.ts";
import { isSet, slackEarly } from "./early.ts";
import { createListener, type ListenerDeps } from "./listener.ts";
import { userIn } from "./read.ts";

type Deps = Omit<ListenerDeps, "call" | "tests" | "isKnown"> & {
  env: Record<string, string | undefined>;
  settings: () => Notify["slack"];
  ledger: Ledger;
  now: Clock;
};
/** A message. `blocks`: what it says above its buttons. */
type Out = { channel: string; ts: string; thread?: string; blocks: Block[]; text: string };
/** One that may be out: whoever begins anew looks for it first. */
type Tried = Omit<Out, "ts"> & { key: string };
const NAME = "slack";
const CALL_MS = 8000;
const EVENT = "parley_question";
const PAGES = 5;
/** The message to which another one belongs is not there any more. */
const NO_THREAD = new Set(["thread_not_found", "message_not_found", "cannot_reply_to_message", "invalid_thread_ts"]);

export type Slack = ReturnType<typeof createSlack>;

/**
 * Questions in a channel of the person's own workspace, each session in a thread. Slack has no key against doubles: that a
 * message is about to go out is on disk first, and one that may be out is looked for by its metadata. Its buttons come in a
 * second step, when its name is on disk: so nothing is left that could be pressed and never marked.
 */
export function createSlack({ env, settings, ledger, now, ...deps }: Deps) {
  const { pairs, log } = deps;
  const call = createApi(env, settings);
  const tests: Tests = new Map();
  const isKnown = (message: string) => ledger.message(NAME, message) !== undefined;
  const listener = createListener({ ...deps, call, tests, isKnown });
  const names = () => pairs.of(NAME).map(({ name }) => name);
  const mentions = () => pairs.of(NAME).map(({ id }) => userIn(id));

  const { isWanted, ...early } = slackEarly(pairs);
  const messenger: Messenger = {
    ...early,
    async send(note, _links, config, signal, progress = { ref: {}, keep: () => undefined }) {
      const out = await sendOnce(note, config.slack.channel, progress, signal);
      await open(note, out, signal);
      const to = names().join(", ");
      return { ref: { out: [out] }, detail: `sent for ${to}`, to };
    },
    async remind(ref, note, _links, _config, signal) {
      const [first] = outOf<Out>(ref);
      if (!first) throw new SendError("there is no message to remind of", { again: false });
      const text = `Still waiting: ${note.title}`;
      const said = `${mentions()
        .map((id) => `<@${id}>`)
        .join(" ")} ${escaped(text)}`;
      await post({ channel: first.channel, thread_ts: first.thread ?? first.ts, text: said }, signal);
      const to = names().join(", ");
      return { ref, detail: `reminded ${to}`, to };
    },
    async tell({ ask, person }, words, signal) {
      const about = ledger.messagesOf(NAME, ask).find(({ message }) => isMessage(message));
      const people = pairs.of(NAME).filter(({ name }) => person === undefined || name === person);
      if (!about || people.length === 0)
        throw new SendError("whoever answered is not paired any more", { again: false });
      const [channel = "", ts = ""] = about.message.split(":");
      const thread = asRecord(about.draft)?.["thread"];
      const who = people.map(({ id }) => `<@${userIn(id)}>`).join(" ");
      const thread_ts = typeof thread === "string" ? thread : ts;
      await post({ channel, thread_ts, text: `${who} ${escaped(safeLine(words, { max: 2500 }))}` }, signal);
      return people.map(({ name }) => name).join(", ");
    },
    async withdraw(ref, { type, plain }, config, signal) {
      if (!isSet(config)) return;
      const words = `${type === "answered" ? "✓" : "–"} ${capitalised(plain)}`;
      const out = outOf<Out>(ref);
      const tried = triedOf(ref);
      const found = out.length === 0 && tried ? await find(tried, signal) : undefined;
      for (const each of found ? [found] : out) await mark(each, words, signal);
    },
    follow(config) {
      listener.listen(isWanted(config) ? JSON.stringify({ ...config.slack, channel: "" }) : undefined);
    },
    stop: () => listener.stop(),
    async prove(config, ms, signal) {
      await listener.ready(signal);
      const nonce = randomBytes(9).toString("base64url");
      const text = "This is a test. Questions from your agents will look like this.";
      const { channel } = config.slack;
      let sent: Out | undefined;
      try {
        return await provePress(tests, nonce, { ms, signal }, async () => {
          const ts = await post({ channel, text, blocks: testBlocks(text, nonce) }, signal);
          sent = { channel, ts, text, blocks: [section(text)] };
          return ms === 0 ? "sent to the channel; it is heard there" : "sent to the channel";
        });
      } finally {
        // Nothing is left that could be pressed in vain.
        if (sent) await mark(sent, "✓ The test is over", AbortSignal.timeout(CALL_MS)).catch(() => undefined);
      }
    },
    async check(_config, signal) {
      const { user, team } = await self(signal);
      // While nobody is paired nobody is listened to.
      if (pairs.of(NAME).length === 0) return `@${user} in ${team} works`;
      await listener.ready(signal);
      return `@${user} in ${team} works and is heard`;
    },
  };

  return {
    messenger,
    /** Who comes with the code presses this. Answers where it is. */
    async invite(config: Notify, signal: AbortSignal): Promise<{ bot: string; url: string }> {
      const { user, id } = await self(signal);
      listener.listen(JSON.stringify({ ...config.slack, channel: "" }));
      await listener.ready(signal);
      const { channel } = config.slack;
      const text =
        "Somebody wants to answer their agents' questions here. Press Pair and type the code that Parley shows.";
      await post({ channel, text, blocks: pairBlocks(text) }, signal);
      return { bot: user, url: `https://slack.com/app_redirect?channel=${channel}&team=${encodeURIComponent(id)}` };
    },
  };

  /** What the app is called there; also the proof that its token works. */
  async function self(signal: AbortSignal): Promise<{ user: string; team: string; id: string }> {
    const { user, team, team_id } = await call("auth.test", {}, signal);
    const name = (given: unknown) => safeLine(String(given ?? ""), { max: 60 });
    return { user: name(user), team: name(team), id: name(team_id) };
  }

  async function sendOnce(note: Note, channel: string, progress: Progress, signal: AbortSignal): Promise<Out> {
    const [known] = outOf<Out>(progress.ref);
    if (known) return known;
    const tried = triedOf(progress.ref);
    const found = tried && (await find(tried, signal));
    if (found) return kept(note, found, progress);
    const blocks = note.sheet
      ? questionBlocks(note.sheet, mentions())
      : [section(`${note.title}\n\n${note.body}`), ...pageBlocks(note)];
    const text = escaped(note.title);
    const thread = threadOf(note, channel);
    const key = randomBytes(9).toString("base64url");
    const next: Omit<Out, "ts"> = { channel, text, blocks, ...(thread !== undefined && { thread }) };
    progress.keep({ tried: { ...next, key } });
    const metadata = { event_type: EVENT, event_payload: { ask: note.ask, key } };
    const body = { channel, text, blocks, metadata, unfurl_links: false, unfurl_media: false };
    try {
      return kept(note, { ...next, ts: await post({ ...body, thread_ts: thread }, signal) }, progress);
    } catch (error) {
      if (thread === undefined || !(error instanceof SlackError) || !NO_THREAD.has(error.code)) throw error;
      const { thread: _gone, ...alone } = next;
      progress.keep({ tried: { ...alone, key } });
      return kept(note, { ...alone, ts: await post(body, signal) }, progress);
    }
  }

  /** From now on a press on this message is one about that Ask, and what its session asks next comes below it. */
  function kept(note: Note, out: Out, progress: Progress): Out {
    const { channel, ts, thread } = out;
    const row = { channel: NAME, ask: note.ask, version: note.sheet?.version ?? 0, person: "", at: now() };
    const draft = thread === undefined ? {} : { thread };
    if (note.sheet) ledger.keepMessage({ ...row, message: `${channel}:${ts}`, draft });
    if (note.thread !== undefined && thread === undefined)
      ledger.keepMessage({ ...row, message: threadName(channel, note.thread), draft: { ts } });
    progress.keep({ out: [out] });
    return out;
  }

  function threadOf({ thread }: Note, channel: string): string | undefined {
    const root = thread === undefined ? undefined : ledger.message(NAME, threadName(channel, thread));
    const ts = root?.draft["ts"];
    return typeof ts === "string" ? ts : undefined;
  }

  /** Done again where an earlier attempt got so far. */
  async function open({ sheet }: Note, out: Out, signal: AbortSignal): Promise<void> {
    const actions = sheet ? actionBlocks(sheet) : [];
    if (actions.length > 0) await edit(out, [...out.blocks, ...actions], signal);
  }

  /** What an attempt that was cut off has left there. */
  async function find({ key, ...tried }: Tried, signal: AbortSignal): Promise<Out | undefined> {
    const { channel, thread } = tried;
    const method = thread === undefined ? "conversations.history" : "conversations.replies";
    let cursor: string | undefined;
    for (let page = 0; page < PAGES; page++) {
      const body = { channel, ts: thread, limit: 200, include_all_metadata: true, cursor };
      const reply = await call(method, body, signal).catch((error: unknown) => {
        // Without that scope it cannot be known: a second one is better than none.
        if (!(error instanceof SlackError) || error.code !== "missing_scope") {
          if (isDone(error)) return undefined;
          throw error;
        }
        log("warn", "a message cannot be looked for", { messenger: NAME, error: error.message });
        return undefined;
      });
      const messages = Array.isArray(reply?.["messages"]) ? (reply["messages"] as unknown[]) : [];
      const found = messages.map(asRecord).find((message) => keyIn(message) === key);
      if (typeof found?.["ts"] === "string") return { ...tried, ts: found["ts"] };
      cursor = String(asRecord(reply?.["response_metadata"])?.["next_cursor"] ?? "");
      if (cursor === "") return undefined;
    }
    return undefined;
  }

  async function post(body: Json, signal: AbortSignal): Promise<string> {
    const { ts } = await call("chat.postMessage", body, signal);
    if (typeof ts !== "string") throw new SendError("Slack did not say what it sent", { again: false });
    return ts;
  }

  function mark(out: Out, words: string, signal: AbortSignal): Promise<void> {
    return edit(out, markedBlocks(out.blocks, words), signal, words);
  }

  /** One that is gone is done. */
  async function edit({ channel, ts, text }: Out, blocks: Block[], signal: AbortSignal, words = ""): Promise<void> {
    const said = words === "" ? text : `${text} ${escaped(words)}`;
    await call("chat.update", { channel, ts, text: said.slice(0, 3900), blocks }, signal).catch((error: unknown) => {
      if (!isDone(error)) throw error;
    });
  }
}

const THREAD = "thread ";
const threadName = (channel: string, thread: string) => `${THREAD}${channel} ${thread}`;
const isMessage = (message: string) => !message.startsWith(THREAD);

function keyIn(message: Json | undefined): unknown {
  const metadata = asRecord(message?.["metadata"]);
  return metadata?.["event_type"] === EVENT ? asRecord(metadata["event_payload"])?.["key"] : undefined;
}

const triedOf = (ref: Ref): Tried | undefined => asRecord(ref["tried"]) as Tried | undefined;
