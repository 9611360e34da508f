import type { Notify } from "../../core/config/config.ts";
import { readKeyAt } from "../../machine/settings/key-place.ts";
import { SendError } from "../messenger.ts";
import { callService, waitSaid } from "../send/post.ts";

type Env = Record<string, string | undefined>;
export type Settings = Notify["slack"];
/** The methods that are used. The first is called with the app's own token, all others with the bot's. */
export type Method =
  | "apps.connections.open"
  | "auth.test"
  | "chat.postMessage"
  | "chat.postEphemeral"
  | "chat.update"
  | "conversations.history"
  | "conversations.replies"
  | "views.open";
export type Json = Record<string, unknown>;
export type Api = (method: Method, body: Json, signal: AbortSignal) => Promise<Json>;

/** What the service said no to. `code`: its own word for it, or the status. */
export class SlackError extends SendError {
  readonly code: string;
  constructor(code: string, again: boolean, afterMs?: number) {
    super(`Slack answered ${code}${wordsFor(code)}`, { again, afterMs });
    this.code = code;
  }
}

/**
 * Slack's Web API, called as its documentation says, by form fields as its own library does. Contract: no token is in any
 * error, nor is what was sent. Tokens are read at every call, so that a new one needs no restart.
 */
export function createApi(env: Env, settings: () => Settings): Api {
  return async (method, body, signal) => {
    const { api } = settings();
    const token = method === "apps.connections.open" ? await appToken() : await botToken();
    const fields = Object.entries(body).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, typeof value === "string" ? value : JSON.stringify(value)] as [string, string]],
    );
    const url = `${api.replace(/\/+$/, "")}/${method}`;
    const given = { headers: { authorization: `Bearer ${token}` }, body: new URLSearchParams(fields) };
    const { response, reply } = await callService("Slack", url, given, signal);
    if (response.ok && reply["ok"] === true) return reply;
    const said = reply["error"];
    const code = typeof said === "string" && /^\w{1,60}$/.test(said) ? said : String(response.status);
    if (response.status === 429)
      throw new SlackError("ratelimited", true, waitSaid(response.headers.get("retry-after"), 30));
    throw new SlackError(code, response.status >= 500 || AGAIN.has(code));
  };

  async function botToken(): Promise<string> {
    const { bot_token_env, bot_token_file } = settings();
    return tokenAt(bot_token_env, bot_token_file, "bot_token_file", /^xoxb-[\w-]+$/, "bot token (xoxb-…)");
  }

  async function appToken(): Promise<string> {
    const { app_token_env, app_token_file } = settings();
    return tokenAt(app_token_env, app_token_file, "app_token_file", /^xapp-[\w-]+$/, "app-level token (xapp-…)");
  }

  async function tokenAt(name: string, file: string, fileKey: string, form: RegExp, what: string): Promise<string> {
    const place = { env: name || undefined, file: file || undefined, fileKey };
    const token = await readKeyAt(place, env, (message) => new SendError(message, { again: true }));
    if (token === undefined) throw new SendError(`no ${what} is set`, { again: false });
    if (!form.test(token)) throw new SendError(`notify.slack.${fileKey}: that is no ${what}`, { again: true });
    return token;
  }
}

/** It is not there, or nobody may touch it any more: another attempt changes nothing. */
const DONE = new Set(["message_not_found", "cant_update_message", "edit_window_closed", "thread_not_found"]);
export const isDone = (error: unknown): boolean => error instanceof SlackError && DONE.has(error.code);

/** For now, or a person can mend it: the token, its scopes, the channel. */
const AGAIN = new Set([
  "ratelimited",
  "rate_limited",
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
  "team_added_to_org",
  "invalid_auth",
  "not_authed",
  "token_revoked",
  "token_expired",
  "account_inactive",
  "missing_scope",
  "channel_not_found",
  "not_in_channel",
  "is_archived",
]);

function wordsFor(code: string): string {
  switch (code) {
    case "invalid_auth":
    case "not_authed":
    case "token_revoked":
    case "token_expired":
    case "account_inactive":
      return ": the app's token is not valid";
    case "missing_scope":
      return ": the app lacks a scope of the manifest";
    case "channel_not_found":
      return ": there is no such channel for this app; if it is private, /invite the app there";
    case "not_in_channel":
      return ": the app is not in the channel; /invite it there";
    case "is_archived":
      return ": the channel is archived";
    case "ratelimited":
      return ": too many messages for now";
  }
  return "";
}
