import type { Notify } from "../../core/config/config.ts";
import { asRecord } from "../../core/record.ts";
import { readKeyAt } from "../../machine/settings/key-place.ts";
import { SendError } from "../messenger.ts";
import { callService, waitSaid } from "../send/post.ts";

type Env = Record<string, string | undefined>;
/** The six methods that are used; `call` answers the method's `result`. */
export type Method =
  | "getMe"
  | "getUpdates"
  | "sendMessage"
  | "editMessageText"
  | "editMessageReplyMarkup"
  | "answerCallbackQuery";
export type Api = (method: Method, body: object, signal: AbortSignal) => Promise<unknown>;

/** What the service said no to. `code`: its own, or the status. */
export class TelegramError extends SendError {
  readonly code: number;
  /** The beginning of its own words, for the cases that mean "done already". */
  readonly said: string;
  constructor(code: number, said: string, again: boolean, afterMs?: number) {
    super(`Telegram answered ${code}${wordsFor(code)}`, { again, afterMs });
    this.code = code;
    this.said = said;
  }
}

/**
 * Telegram's Bot API, called as its documentation says. Contract: the token, which is part of every address, is in no
 * error; nor is what was sent. It is read at every call, so that a new one needs no restart.
 */
export function createApi(env: Env, settings: () => Notify["telegram"]): Api {
  return async (method, body, signal) => {
    const { api, token_env, token_file } = settings();
    const place = { env: token_env || undefined, file: token_file || undefined, fileKey: "token_file" };
    const token = await readKeyAt(place, env, (message) => new SendError(message, { again: true }));
    if (token === undefined) throw new SendError("no bot token is set", { again: false });
    if (!/^\d+:[\w-]+$/.test(token)) throw new SendError("that is no token of a Telegram bot", { again: true });
    const url = `${api.replace(/\/+$/, "")}/bot${token}/${method}`;
    const given = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const { response, reply } = await callService("Telegram", url, given, signal);
    if (response.ok && reply["ok"] === true) return reply["result"];
    const code = Number(reply["error_code"]) || response.status;
    const said = String(reply["description"] ?? "").slice(0, 200);
    // 401 and 404: the token, which may be mended; 409: somebody else listens, for now.
    const again = code >= 500 || response.status >= 500 || [401, 404, 408, 409, 425, 429].includes(code);
    throw new TelegramError(code, said, again, code === 429 ? waitOf(reply, response) : undefined);
  };
}

export const messageName = (chat: string | number, message: number): string => `${chat}:${message}`;

/** It is as wanted, or not there, or nobody may touch it any more: another attempt changes nothing. */
export const isDone = (error: unknown): boolean =>
  error instanceof TelegramError &&
  (error.code === 403 || (error.code === 400 && /not modified|not found|can't be edited|ID_INVALID/i.test(error.said)));

const waitOf = (reply: Record<string, unknown>, response: Response) =>
  waitSaid(asRecord(reply["parameters"])?.["retry_after"] ?? response.headers.get("retry-after"), 5);

function wordsFor(code: number): string {
  if (code === 401 || code === 404) return ": the bot's token is not valid";
  if (code === 403) return ": the chat does not take messages of this bot any more";
  if (code === 409) return ": another program receives what is sent to this bot";
  if (code === 429) return ": too many messages for now";
  return "";
}
