import { randomBytes } from "node:crypto";
import type { Notify } from "../../core/config/config.ts";
import { asRecord } from "../../core/record.ts";
import { capitalised, safeLine } from "../../core/text/text.ts";
import type { Clock } from "../../inbox/inbox.ts";
import type { Log } from "../../machine/log.ts";
import type { Ledger } from "../../store/ledger.ts";
import { type Messenger, outOf, type Progress, SendError, type TakeReply } from "../messenger.ts";
import type { Note } from "../note.ts";
import type { Pair, Pairs } from "../chat/pairs.ts";
import { provePress, type Tests } from "../prove.ts";
import { createApi, isDone, messageName, TelegramError } from "./api.ts";
import { isSet, telegramEarly } from "./early.ts";
import { keyboard } from "./keyboard.ts";
import { createListener } from "./listener.ts";

type Deps = {
  env: Record<string, string | undefined>;
  settings: () => Notify["telegram"];
  pairs: Pairs;
  ledger: Ledger;
  take: TakeReply;
  now: Clock;
  log: Log;
};
/** One message to one person. `text`: what it says above its buttons. */
type Out = { chat: string; message: number; text: string };
const NAME = "telegram";
/** Of 4096. */
const LONGEST = 4000;
const CALL_MS = 8000;

export type Telegram = ReturnType<typeof createTelegram>;

/**
 * Questions in a chat with the person's own bot. What it sends has no buttons at first: they come in a second step, when
 * the message's name is on disk. So if a daemon dies between, nothing is left that could be pressed and never marked.
 */
export function createTelegram({ env, settings, pairs, ledger, take, now, log }: Deps) {
  const call = createApi(env, settings);
  const tests: Tests = new Map();
  const listener = createListener({ call, pairs, ledger, take, tests, log });
  const { isWanted, ...early } = telegramEarly(pairs);

  const messenger: Messenger = {
    ...early,
    async send(note, _links, _config, signal, progress = { ref: {}, keep: () => undefined }) {
      const people = pairs.of(NAME);
      const out = await sendAll(note, people, progress, signal);
      await open(note, out, signal);
      const reached = people.filter(({ chat }) => out.some((each) => each.chat === chat));
      const to = reached.map(({ name }) => name).join(", ");
      return { ref: { out }, detail: `sent to ${to}`, to };
    },
    async remind(ref, note, _links, _config, signal) {
      const out = outOf<Out>(ref);
      const people = pairs.of(NAME).filter(({ chat }) => out.some((each) => each.chat === chat));
      const text = `Still waiting: ${note.title}`;
      const reached: string[] = [];
      for (const { chat, id, name } of people) {
        const first = out.find((each) => each.chat === chat)?.message;
        const reply_parameters = { message_id: first, allow_sending_without_reply: true };
        const message = await post(chat, text, signal, { reply_parameters }).catch((): undefined => undefined);
        if (message === undefined) continue;
        bind(note, chat, message, id);
        out.push({ chat, message, text });
        reached.push(name);
      }
      if (reached.length === 0) throw new SendError("nobody was reached", { again: false });
      const to = reached.join(", ");
      return { ref: { out }, detail: `reminded ${to}`, to };
    },
    async tell({ ask, person }, words, signal) {
      const reached: string[] = [];
      for (const { id, name, chat } of pairs.of(NAME)) {
        const about = ledger.messagesOf(NAME, ask).find((row) => row.person === id);
        if (!about || (person !== undefined && name !== person)) continue;
        const message_id = Number(about.message.split(":").at(-1));
        const reply_parameters = { message_id, allow_sending_without_reply: true };
        await post(chat, words.slice(0, LONGEST).toWellFormed(), signal, { reply_parameters });
        reached.push(name);
      }
      if (reached.length === 0) throw new SendError("whoever answered is not paired any more", { again: false });
      return reached.join(", ");
    },
    async withdraw(ref, { type, plain }, config, signal) {
      if (!isSet(config)) return;
      const words = `${type === "answered" ? "✓" : "–"} ${capitalised(plain)}`;
      for (const each of outOf<Out>(ref)) await mark(each, words, signal);
    },
    follow(config) {
      listener.listen(isWanted(config) ? JSON.stringify(config.telegram) : undefined);
    },
    stop: () => listener.stop(),
    async prove(_config, ms, signal) {
      const people = pairs.of(NAME);
      const nonce = randomBytes(9).toString("base64url");
      const text = "Parley\n\nThis is a test. Questions from your agents will look like this.";
      const reply_markup = { inline_keyboard: [[{ text: "It works", callback_data: `test.${nonce}` }]] };
      const sent: Out[] = [];
      try {
        return await provePress(tests, nonce, { ms, signal }, async () => {
          for (const { chat } of people)
            sent.push({ chat, message: await post(chat, text, signal, { reply_markup }), text });
          return `sent to ${people.map(({ name }) => name).join(", ")}`;
        });
      } finally {
        // Nothing is left that could be pressed in vain.
        for (const each of sent)
          await mark(each, "✓ The test is over", AbortSignal.timeout(CALL_MS)).catch(() => undefined);
      }
    },
    check: async (_config, signal) => `@${safeLine(await bot(signal), { max: 60 })} works`,
  };

  return {
    messenger,
    /** Whom to send the code to, and the address that does so. */
    async invite(code: string, signal: AbortSignal): Promise<{ bot: string; url: string }> {
      const name = await bot(signal);
      return { bot: name, url: `https://t.me/${encodeURIComponent(name)}?start=${code}` };
    },
  };

  /** What the bot is called there; also the proof that its token works. */
  async function bot(signal: AbortSignal): Promise<string> {
    const me = asRecord(await call("getMe", {}, signal));
    return String(me?.["username"] ?? "");
  }

  /** Everybody who has none yet gets one. Each is on disk before the next. */
  async function sendAll(note: Note, people: readonly Pair[], progress: Progress, signal: AbortSignal): Promise<Out[]> {
    const out = outOf<Out>(progress.ref);
    const text = note.chat?.text ?? `${note.title}\n\n${note.body}`.slice(0, LONGEST).toWellFormed();
    let lost: unknown;
    for (const { chat, id } of people) {
      if (out.some((each) => each.chat === chat)) continue;
      try {
        const message = await post(chat, text, signal);
        bind(note, chat, message, id);
        out.push({ chat, message, text });
        progress.keep({ out });
      } catch (error) {
        // Somebody who has blocked the bot is not reached; the others are.
        if (!(error instanceof TelegramError) || error.again) throw error;
        log("warn", "a chat does not take messages", { messenger: NAME, code: error.code });
        lost = error;
      }
    }
    if (out.length === 0) throw lost ?? new SendError("nobody is paired", { again: false });
    return out;
  }

  /** From now on a reply to this message is one about that Ask. */
  function bind(note: Note, chat: string, message: number, person: string): void {
    if (!note.chat) return;
    const { version } = note.chat;
    const name = messageName(chat, message);
    ledger.keepMessage({ channel: NAME, message: name, ask: note.ask, version, person, draft: {}, at: now() });
  }

  /** Done again where an earlier attempt got so far: an edit that changes nothing costs nothing. */
  async function open({ ask, chat: view }: Note, out: readonly Out[], signal: AbortSignal): Promise<void> {
    if (!view || view.buttons.length + view.hint.length === 0) return;
    const text = [view.text, view.hint].filter(Boolean).join("\n\n");
    for (const each of out) await edit(each, text, signal, keyboard(ask, view.version, view.buttons));
  }

  async function post(chat: string, text: string, signal: AbortSignal, more: object = {}): Promise<number> {
    const body = { chat_id: Number(chat), text, link_preview_options: { is_disabled: true }, ...more };
    const sent = asRecord(await call("sendMessage", body, signal));
    const id = Number(sent?.["message_id"]);
    if (!Number.isSafeInteger(id)) throw new SendError("Telegram did not say what it sent", { again: false });
    return id;
  }

  /** Without buttons nothing of it can be pressed any more. */
  function mark(each: Out, words: string, signal: AbortSignal): Promise<void> {
    const room = LONGEST - words.length - 4;
    return edit(each, `${each.text.slice(0, room).toWellFormed()}\n\n${words}`, signal);
  }

  /** One that is gone, or says so already, is done. */
  async function edit({ chat, message }: Out, text: string, signal: AbortSignal, reply_markup?: object): Promise<void> {
    const body = { chat_id: Number(chat), message_id: message, text, link_preview_options: { is_disabled: true } };
    try {
      await call("editMessageText", { ...body, ...(reply_markup && { reply_markup }) }, signal);
    } catch (error) {
      if (!isDone(error)) throw error;
    }
  }
}
