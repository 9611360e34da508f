import type { ServerWebSocket } from "bun";
import { problemWithBlocks, problemWithView } from "./slack-limits.ts";

/**
 * The part of Slack's Web API and Socket Mode that Parley uses, played on loopback from its documentation (docs.slack.dev:
 * methods, Block Kit, Socket Mode). It refuses what the service would refuse. Nothing here was recorded from the real service.
 */
export const BOT_TOKEN = "xoxb-111-222-playedBotTokenOfNobody";
export const APP_TOKEN = "xapp-1-A111-333-playedAppTokenOfNobody";
export const CHANNEL = "C0123456789";
type Json = Record<string, unknown>;
export type Element = Json & { type: string; action_id?: string; value?: string; text?: { text: string } };
export type Posted = {
  channel: string;
  ts: string;
  thread?: string;
  text: string;
  blocks: Json[];
  metadata?: Json;
  edits: number;
};
export type Whispered = { user: string; text: string; thread?: string; blocks: Json[] };
/** What happens to the next call of a method: an error, no answer, or one that ends in the middle, before or after it is done. */
export type Fault = { error?: string; status?: number; retryAfter?: number } | "hang" | "cut-before" | "cut-after";
export type SlackService = ReturnType<typeof createSlackService>;
type Line = ServerWebSocket<{ url: string }>;

const SCOPES = ["chat:write", "channels:history", "groups:history"];
const NEEDED: Record<string, string> = {
  "conversations.history": "channels:history",
  "conversations.replies": "channels:history",
};

export function createSlackService({ team = "T0PLAYED" } = {}) {
  const calls: { method: string; body: Json; ok: boolean }[] = [];
  const posted = new Map<string, Posted>();
  const whispers: Whispered[] = [];
  const faults = new Map<string, Fault[]>();
  const scopes = new Set(SCOPES);
  const members = new Set(["U1ANN", "U2BOB", "U3EVE"]);
  const tickets = new Set<string>();
  const lines = new Set<Line>();
  const triggers = new Map<string, { user: string; isOver: boolean }>();
  const views: { id: string; user: string; view: Json }[] = [];
  const acks = new Map<string, { payload?: Json; count: number }>();
  let count = 0;
  let before: ((method: string, body: Json) => Promise<void> | void) | undefined;
  let greets = true;

  const server = Bun.serve<{ url: string }>({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request, self) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/link") {
        const ticket = searchParams.get("ticket") ?? "";
        // Each address is for one connection.
        if (!tickets.delete(ticket)) return new Response("no", { status: 408 });
        return self.upgrade(request, { data: { url: ticket } }) ? undefined : new Response("no", { status: 400 });
      }
      const method = pathname.replace(/^\/api\//, "");
      const body = await fieldsOf(request);
      const called = { method, body, ok: false };
      calls.push(called);
      await before?.(method, body);
      const fault = faults.get(method)?.shift();
      if (fault === "hang") return new Promise<Response>(() => undefined);
      if (fault === "cut-before") return cut();
      if (typeof fault === "object") {
        const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
        const status = fault.retryAfter === undefined ? (fault.status ?? 200) : 429;
        if (status >= 500) return new Response("<html>upstream</html>", { status });
        return Response.json({ ok: false, error: fault.error ?? "ratelimited" }, { status, headers });
      }
      const result = done(method, body, request.headers.get("authorization") ?? "");
      called.ok = result["ok"] === true;
      return fault === "cut-after" ? cut() : Response.json(result);
    },
    websocket: {
      open(line) {
        lines.add(line);
        if (greets)
          line.send(
            JSON.stringify({
              type: "hello",
              num_connections: lines.size,
              connection_info: { app_id: "A111" },
              debug_info: { host: "applink-1", approximate_connection_time: 18_060 },
            }),
          );
      },
      message(_line, text) {
        const { envelope_id: id, payload } = JSON.parse(String(text)) as { envelope_id: string; payload?: Json };
        const known = acks.get(id);
        acks.set(id, { ...(payload ? { payload } : {}), count: (known?.count ?? 0) + 1 });
      },
      close: (line) => void lines.delete(line),
    },
  });

  const refuse = (error: string, more: Json = {}): Json => ({ ok: false, error, ...more });

  function done(method: string, body: Json, authorization: string): Json {
    if (method === "apps.connections.open") {
      if (authorization !== `Bearer ${APP_TOKEN}`)
        return refuse(authorization.includes("xoxb") ? "not_allowed_token_type" : "invalid_auth");
      const ticket = `t${++count}`;
      tickets.add(ticket);
      return { ok: true, url: `ws://127.0.0.1:${server.port}/link?ticket=${ticket}` };
    }
    if (authorization !== `Bearer ${BOT_TOKEN}`)
      return refuse(authorization.includes("xapp") ? "not_allowed_token_type" : "invalid_auth");
    if (!scopes.has(NEEDED[method] ?? "chat:write")) return refuse("missing_scope", { needed: NEEDED[method] });
    switch (method) {
      case "auth.test":
        return {
          ok: true,
          url: "https://played.slack.com/",
          team: "Played",
          user: "parley",
          team_id: team,
          user_id: "U9BOT",
          bot_id: "B1",
        };
      case "chat.postMessage":
        return post(body);
      case "chat.update":
        return update(body);
      case "chat.postEphemeral":
        return whisper(body);
      case "conversations.history":
        return page(
          [...posted.values()].filter((each) => each.thread === undefined || each.thread === each.ts).toReversed(),
          body,
        );
      case "conversations.replies":
        return replies(body);
      case "views.open":
        return openView(body);
    }
    return refuse("unknown_method");
  }

  function contentProblem({ text, blocks }: Json): string | undefined {
    if (typeof text === "string" && text.length > 40_000) return "msg_too_long";
    if (blocks === undefined) return typeof text === "string" && text.trim() !== "" ? undefined : "no_text";
    return problemWithBlocks(blocks, 50, "message");
  }

  function post(body: Json): Json {
    if (body["channel"] !== CHANNEL) return refuse("channel_not_found");
    const problem = contentProblem(body);
    if (problem !== undefined) return refuse(problem);
    const metadata = body["metadata"] as Json | undefined;
    if (metadata && (typeof metadata["event_type"] !== "string" || typeof metadata["event_payload"] !== "object"))
      return refuse("invalid_metadata_format");
    const thread = body["thread_ts"] as string | undefined;
    if (thread !== undefined && !posted.has(thread)) return refuse("thread_not_found");
    const ts = `1700000000.${String(++count).padStart(6, "0")}`;
    const blocks = (body["blocks"] ?? []) as Json[];
    const message: Posted = { channel: CHANNEL, ts, text: String(body["text"] ?? ""), blocks, edits: 0 };
    if (thread !== undefined) message.thread = thread;
    if (metadata) message.metadata = metadata;
    posted.set(ts, message);
    return {
      ok: true,
      channel: CHANNEL,
      ts,
      message: { type: "message", user: "U9BOT", bot_id: "B1", text: message.text, ts, blocks },
    };
  }

  function update(body: Json): Json {
    if (body["channel"] !== CHANNEL) return refuse("channel_not_found");
    const message = posted.get(String(body["ts"]));
    if (!message) return refuse("message_not_found");
    const problem = contentProblem(body);
    if (problem !== undefined) return refuse(problem);
    message.text = String(body["text"] ?? "");
    message.blocks = (body["blocks"] ?? []) as Json[];
    message.edits++;
    return { ok: true, channel: CHANNEL, ts: message.ts, text: message.text };
  }

  function whisper(body: Json): Json {
    if (body["channel"] !== CHANNEL) return refuse("channel_not_found");
    const user = String(body["user"]);
    if (!members.has(user)) return refuse("user_not_in_channel");
    const problem = contentProblem(body);
    if (problem !== undefined) return refuse(problem);
    const thread = body["thread_ts"] as string | undefined;
    whispers.push({
      user,
      text: String(body["text"] ?? ""),
      blocks: (body["blocks"] ?? []) as Json[],
      ...(thread !== undefined && { thread }),
    });
    return { ok: true, message_ts: `1700000001.${String(++count).padStart(6, "0")}` };
  }

  function replies(body: Json): Json {
    const thread = String(body["ts"]);
    if (!posted.has(thread)) return refuse("thread_not_found");
    return page(
      [...posted.values()].filter((each) => each.ts === thread || each.thread === thread),
      body,
    );
  }

  function page(all: readonly Posted[], { channel, limit = 100, cursor, include_all_metadata: isWhole }: Json): Json {
    if (channel !== CHANNEL) return refuse("channel_not_found");
    const size = Number(limit);
    if (!Number.isInteger(size) || size < 1 || size > 999) return refuse("invalid_limit");
    const from = typeof cursor === "string" && cursor !== "" ? Number(cursor) : 0;
    if (!Number.isInteger(from)) return refuse("invalid_cursor");
    const messages = all.slice(from, from + size).map(({ ts, text, metadata }) => ({
      type: "message",
      ts,
      text,
      ...(metadata && isWhole === true ? { metadata } : {}),
    }));
    const next = from + size < all.length ? String(from + size) : "";
    return { ok: true, messages, has_more: next !== "", response_metadata: { next_cursor: next } };
  }

  function openView(body: Json): Json {
    const trigger = triggers.get(String(body["trigger_id"]));
    if (!trigger) return refuse("invalid_trigger_id");
    // Three seconds old, or used.
    if (trigger.isOver) return refuse("expired_trigger_id");
    const problem = problemWithView(body["view"]);
    if (problem !== undefined) return refuse("invalid_arguments", { response_metadata: { messages: [problem] } });
    trigger.isOver = true;
    const id = `V${++count}`;
    views.push({ id, user: trigger.user, view: body["view"] as Json });
    return { ok: true, view: { id, ...(body["view"] as Json) } };
  }

  /** On one connection, as Slack does. Answers its id. What is pressed while there is none is lost: its person sees that. */
  function envelope(payload: Json, more: Json = {}): string {
    const id = String(more["envelope_id"] ?? `e${++count}`);
    const whole = { type: "interactive", accepts_response_payload: true, ...more, envelope_id: id, payload };
    sent.set(id, whole);
    if (held) held.push(whole);
    else deliver(whole);
    return id;
  }

  const sent = new Map<string, Json>();
  let held: Json[] | undefined;
  const deliver = (whole: Json) => void [...lines].at(-1)?.send(JSON.stringify(whole));

  const person = (user: string) => ({
    type: "block_actions",
    user: { id: user, username: nameOf(user), name: nameOf(user), team_id: team },
    api_app_id: "A111",
    team: { id: team, domain: "played" },
  });

  return {
    url: `http://127.0.0.1:${server.port}/api`,
    calls,
    posted,
    whispers,
    views,
    acks,
    scopes,
    members,
    lines,
    of: (method: string) => calls.filter((call) => call.method === method),
    fault: (method: string, ...more: Fault[]) => void faults.set(method, [...(faults.get(method) ?? []), ...more]),
    /** Called with each request before it is answered. */
    whenCalled: (look: typeof before) => void (before = look),
    /** New connections hear no hello. */
    mute: (on: boolean) => void (greets = !on),
    envelope,
    /** The same once more, word for word. */
    resend: (id: string) => deliver({ ...sent.get(id), retry_attempt: 1, retry_reason: "timeout" }),
    /** What comes from now on is held back, and then delivered the other way round, and twice. */
    hold: () => void (held = []),
    release: () => {
      const all = (held ?? []).toReversed();
      held = undefined;
      for (const whole of [...all, ...all]) deliver(whole);
    },
    /** Slack wants another connection, or ends this one. */
    disconnect: (reason: "warning" | "refresh_requested" | "link_disabled") => {
      for (const line of lines)
        line.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "applink-1" } }));
    },
    cutLines: () => {
      for (const line of lines) line.terminate();
    },
    /** Somebody presses what stands there. `state`: what is chosen beside it. */
    press(user: string, ts: string, element: Element, { state = {}, late = false, more = {} }: Pressing = {}): string {
      const message = posted.get(ts);
      const trigger = `tr${++count}`;
      triggers.set(trigger, { user, isOver: late });
      const { action_id, type, value } = element;
      const action = {
        type,
        action_id,
        block_id: "b",
        ...(value !== undefined && { value }),
        ...(element["selected_option"] ? { selected_option: element["selected_option"] } : {}),
        action_ts: `1700000002.${String(++count).padStart(6, "0")}`,
      };
      return envelope(
        {
          ...person(user),
          trigger_id: trigger,
          container: { type: "message", message_ts: ts, channel_id: CHANNEL, is_ephemeral: message === undefined },
          channel: { id: CHANNEL, name: "agents" },
          ...(message && {
            message: {
              type: "message",
              ts,
              text: message.text,
              blocks: message.blocks,
              ...(message.thread === undefined ? {} : { thread_ts: message.thread }),
            },
          }),
          state: { values: state },
          actions: [action],
        },
        more,
      );
    },
    /** Somebody sends the form that was opened last. `values`: by block, what stands in its field. */
    submit(user: string, values: Record<string, Json>, more: Json = {}): string {
      const opened = views.at(-1);
      if (!opened) throw new Error("no form is open");
      const blocks = (opened.view["blocks"] ?? []) as { type: string; block_id?: string; element?: Json }[];
      const inputs = blocks.filter(({ type }) => type === "input");
      const state = Object.fromEntries(
        inputs.map(({ block_id = "", element }) => [
          block_id,
          { v: { type: element?.["type"], value: null, ...values[block_id] } },
        ]),
      );
      return envelope(
        {
          ...person(user),
          type: "view_submission",
          view: { id: opened.id, hash: "h1", ...opened.view, state: { values: state } },
        },
        more,
      );
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}

type Pressing = { state?: Json; late?: boolean; more?: Json };
const nameOf = (user: string) => user.replace(/^U\d/, "").toLowerCase();

/** As a form, the way Slack's own library sends it; lists and objects are JSON in their field. */
async function fieldsOf(request: Request): Promise<Json> {
  const fields = new URLSearchParams(await request.text());
  return Object.fromEntries(
    [...fields].map(([name, value]) => [
      name,
      /^[[{]|^(true|false|\d+)$/.test(value) && !["ts", "text"].includes(name) ? JSON.parse(value) : value,
    ]),
  );
}

/** Its answer ends in the middle: nobody can say what was done. */
function cut(): Response {
  return new Response('{"ok":tr', { headers: { "content-type": "application/json" } });
}

/** All that can be pressed in a message. */
export function elementsIn({ blocks }: Pick<Posted, "blocks">): Element[] {
  return blocks
    .flatMap((block) => [
      ...((block["elements"] ?? []) as Element[]),
      ...(block["accessory"] ? [block["accessory"] as Element] : []),
    ])
    .filter(({ action_id }) => action_id !== undefined);
}
