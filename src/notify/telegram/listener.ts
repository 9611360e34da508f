import { z } from "zod";
import { safeLine } from "../../core/text/text.ts";
import type { Log } from "../../machine/log.ts";
import { pause } from "../../machine/time/pause.ts";
import type { Ledger } from "../../store/ledger.ts";
import { readButton } from "../chat/button-data.ts";
import { createListening } from "../chat/listening.ts";
import { type Person, SendError, type TakeReply, type Told } from "../messenger.ts";
import type { Pairs } from "../chat/pairs.ts";
import { type Api, isDone, messageName } from "./api.ts";
import { keyboard } from "./keyboard.ts";
import { safelyParse } from "../../core/safely-parse.ts";

type Deps = {
  call: Api;
  pairs: Pairs;
  ledger: Ledger;
  take: TakeReply;
  /** Tests that wait for the press of their button. */
  tests: ReadonlyMap<string, (by: string) => void>;
  log: Log;
};

const NAME = "telegram";
/** Telegram holds the line so long when nothing comes. */
const POLL_SECONDS = 50;
const CALL_MS = 8000;
const PAUSES_MS = [1000, 5000, 30_000, 60_000];
/** One that fails again and again is skipped, so that those behind it come through. */
const MOST_TRIES = 3;
const KEPT_IDS = 1000;

const From = z.looseObject({
  id: z.number().int(),
  first_name: z.string().optional(),
  username: z.string().optional(),
});
const Chat = z.looseObject({ id: z.number().int(), type: z.string() });
const Message = z.looseObject({
  message_id: z.number().int(),
  chat: Chat,
  from: From.optional(),
  text: z.string().optional(),
  reply_to_message: z.looseObject({ message_id: z.number().int() }).optional().catch(undefined),
});
const Update = z.looseObject({
  update_id: z.number().int(),
  message: Message.optional().catch(undefined),
  callback_query: z
    .looseObject({ id: z.string(), from: From, message: Message.optional(), data: z.string().optional() })
    .optional()
    .catch(undefined),
});
type Update = z.infer<typeof Update>;
type Message = z.infer<typeof Message>;
type Query = NonNullable<Update["callback_query"]>;

/**
 * Hears what is sent to the bot, by long polling: no port is open. An update counts as taken only when the next call says
 * so, which is after it was handled: one that a daemon died over comes again, and `take` knows it.
 * Contract: who is not paired is never answered.
 */
export function createListener({ call, pairs, ledger, take, tests, log }: Deps) {
  let said = "";

  async function run(signal: AbortSignal): Promise<void> {
    let offset: number | undefined;
    let failed = 0;
    const handled: number[] = [];
    const tries = new Map<number, number>();
    while (!signal.aborted) {
      try {
        const updates = await poll(offset, signal);
        if (said !== "") log("info", "Telegram is heard again", {});
        [said, failed] = ["", 0];
        for (const update of updates) {
          const { update_id: id } = update;
          if (!handled.includes(id)) {
            tries.set(id, (tries.get(id) ?? 0) + 1);
            if ((tries.get(id) ?? 0) <= MOST_TRIES) await handle(update, signal);
            else log("error", "an update is skipped", { messenger: NAME });
            tries.delete(id);
            handled.push(id);
            handled.splice(0, handled.length - KEPT_IDS);
          }
          offset = id + 1;
        }
      } catch (error) {
        if (signal.aborted) return;
        const words = error instanceof SendError ? error.message : `an update could not be handled`;
        if (words !== said) log("warn", "Telegram is not heard", { error: words, kind: (error as Error).name });
        said = words;
        const afterMs = error instanceof SendError ? error.afterMs : undefined;
        await pause(afterMs ?? PAUSES_MS[Math.min(failed++, PAUSES_MS.length - 1)] ?? 1000, signal);
      }
    }
  }

  async function poll(offset: number | undefined, signal: AbortSignal): Promise<Update[]> {
    const body = {
      ...(offset !== undefined && { offset }),
      timeout: POLL_SECONDS,
      allowed_updates: ["message", "callback_query"],
    };
    const patience = AbortSignal.timeout((POLL_SECONDS + 10) * 1000);
    const result = await call("getUpdates", body, AbortSignal.any([signal, patience]));
    const updates = (Array.isArray(result) ? result : []).flatMap((each) => {
      const { success, data } = safelyParse(Update, each);
      return success ? [data] : [];
    });
    return updates.toSorted((a, b) => a.update_id - b.update_id);
  }

  async function handle({ message, callback_query: query }: Update, signal: AbortSignal): Promise<void> {
    if (query) return pressed(query, signal);
    if (message?.from && message.chat.type === "private") return written(message, message.from, signal);
  }

  function known(from: z.infer<typeof From>, chat: z.infer<typeof Chat> | undefined): Person | undefined {
    const pair = pairs.of(NAME).find(({ id, chat: at }) => id === String(from.id) && at === String(chat?.id));
    return pair && { id: pair.id, name: pair.name };
  }

  async function written(message: Message, from: z.infer<typeof From>, signal: AbortSignal): Promise<void> {
    const text = message.text ?? "";
    const code = text.replace(/^\/start\s+/, "").trim();
    if (/^\w{4,64}$/.test(code) && pairs.isExpecting(NAME)) {
      const name = safeLine(from.first_name ?? from.username ?? "", { max: 40 }) || String(from.id);
      const pair = { messenger: NAME, id: String(from.id), chat: String(message.chat.id), name };
      if (await pairs.take(code, pair)) {
        log("info", "a chat was paired", { messenger: NAME });
        return say(message, "Paired. Questions of your agents come here; your answers go back to them.", signal);
      }
    }
    const person = known(from, message.chat);
    if (!person) return;
    const about = message.reply_to_message;
    if (!about) return say(message, "Reply to the message of the question that you mean.", signal);
    const name = messageName(message.chat.id, about.message_id);
    const row = ledger.message(NAME, name);
    if (!row || row.person !== person.id) return say(message, UNKNOWN, signal);
    if (message.text === undefined) return say(message, "Only text reaches your agent.", signal);
    const told = await take({
      messenger: NAME,
      id: messageName(message.chat.id, message.message_id),
      ask: row.ask,
      message: name,
      person,
      input: { type: "words", text },
    });
    if (told.state === "kept") await show(message.chat.id, about.message_id, row.ask, row.version, told.view, signal);
    await say(message, told.words, signal);
  }

  async function pressed(query: Query, signal: AbortSignal): Promise<void> {
    const { message, data = "", from } = query;
    const person = known(from, message?.chat);
    if (!person || !message) return;
    const test = tests.get(data.replace(/^test\./, ""));
    if (test) {
      test(person.name);
      return answer(query, "It works", false, signal);
    }
    const button = readButton(data);
    const name = messageName(message.chat.id, message.message_id);
    const told: Told = button
      ? await take({ messenger: NAME, id: query.id, ...button, message: name, person })
      : { state: "unknown", words: "This button does nothing any more." };
    if (told.state === "kept" && button)
      await show(message.chat.id, message.message_id, button.ask, button.version, told.view, signal);
    // Also one that nobody would mark any more: what is over has no buttons.
    if (told.state === "settled" || told.state === "unknown") await bare(message, signal);
    await answer(query, told.words, told.state !== "kept" && told.state !== "answered", signal);
  }

  async function show(
    chat: number,
    message: number,
    ask: string,
    version: number,
    { text, hint, buttons }: Extract<Told, { state: "kept" }>["view"],
    signal: AbortSignal,
  ): Promise<void> {
    const body = { chat_id: chat, message_id: message, text: [text, hint].filter(Boolean).join("\n\n") };
    const more = { link_preview_options: { is_disabled: true }, reply_markup: keyboard(ask, version, buttons) };
    await quietly(call("editMessageText", { ...body, ...more }, limited(signal)));
  }

  async function bare({ chat, message_id }: Message, signal: AbortSignal): Promise<void> {
    const body = { chat_id: chat.id, message_id, reply_markup: { inline_keyboard: [] } };
    await quietly(call("editMessageReplyMarkup", body, limited(signal)));
  }

  async function say({ chat, message_id }: Message, text: string, signal: AbortSignal): Promise<void> {
    const reply_parameters = { message_id, allow_sending_without_reply: true };
    const body = { chat_id: chat.id, text: safeLine(text, { max: 1000 }), reply_parameters };
    await quietly(call("sendMessage", body, limited(signal)));
  }

  /** At most 200 characters; one that came too late for it is no error. */
  async function answer({ id }: Query, words: string, show_alert: boolean, signal: AbortSignal): Promise<void> {
    const body = { callback_query_id: id, text: safeLine(words, { max: 180 }), show_alert };
    await quietly(call("answerCallbackQuery", body, limited(signal)));
  }

  /** What was done is done: that its person was not told so is a line in the log. */
  async function quietly(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      const words = error instanceof SendError ? error.message : "internal";
      if (!isDone(error)) log("warn", "a reply was not answered", { messenger: NAME, error: words });
    });
  }

  return createListening("Telegram", run, log);
}

const UNKNOWN = "That message is not known here any more. What waits is in your inbox.";
const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
