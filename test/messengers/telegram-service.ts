/**
 * The part of Telegram's Bot API that Parley uses, played on loopback from its documentation (core.telegram.org/bots/api and
 * the FAQ on limits). It refuses what the service would refuse. Nothing here was recorded from the real service.
 */
export const TOKEN = "123456:AAE-played-token_of_nobody";
type Json = Record<string, unknown>;
type Button = { text: string; callback_data: string };
export type Shown = { chat: number; id: number; text: string; buttons: Button[]; edits: number; replyTo?: number };
export type Called = { method: string; body: Json; ok: boolean; at: number };
/** What happens to the next call of a method: an error, no answer, or one that ends in the middle, before or after it is done. */
export type Fault = { code: number; description?: string; retryAfter?: number } | "hang" | "cut-before" | "cut-after";
export type TelegramService = ReturnType<typeof createTelegramService>;

const refuse = (code: number, description: string, parameters?: object) =>
  Response.json({ ok: false, error_code: code, description, ...(parameters && { parameters }) }, { status: code });

export function createTelegramService() {
  const calls: Called[] = [];
  const messages = new Map<string, Shown>();
  const faults = new Map<string, Fault[]>();
  const blocked = new Set<number>();
  const started = new Set<number>();
  const queries = new Map<string, { text?: string; alert?: boolean }>();
  let updates: (Json & { update_id: number })[] = [];
  let nextUpdate = 700_000;
  let nextMessage = 10;
  let polls = 0;
  let wake = Promise.withResolvers<void>();
  let before: ((method: string, body: Json) => Promise<void> | void) | undefined;

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request, listening) {
      listening.timeout(request, 0);
      const [, token, method = ""] = /^\/bot([^/]*)\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
      const body = (await request.json().catch(() => ({}))) as Json;
      const called: Called = { method, body, ok: false, at: performance.now() };
      calls.push(called);
      if (token !== TOKEN) return refuse(401, "Unauthorized");
      await before?.(method, body);
      const fault = faults.get(method)?.shift();
      if (typeof fault === "object") {
        const { code, description = "Internal Server Error", retryAfter } = fault;
        if (code === 502) return new Response("<html>Bad Gateway</html>", { status: 502 });
        if (retryAfter === undefined) return refuse(code, description);
        return refuse(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
      }
      if (fault === "hang") return new Promise<Response>(() => undefined);
      if (fault === "cut-before") return cut();
      const response = await done(method, body, request.signal);
      called.ok = response.ok;
      if (fault === "cut-after") return cut();
      return response;
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    messages,
    queries,
    blocked,
    of: (method: string) => calls.filter((call) => call.method === method),
    shown: (chat: number) => [...messages.values()].filter((message) => message.chat === chat),
    fault: (method: string, ...more: Fault[]) => void faults.set(method, [...(faults.get(method) ?? []), ...more]),
    /** Called with each request before it is answered. */
    whenCalled: (look: typeof before) => void (before = look),
    /** Somebody writes to the bot. */
    write(user: number, text: string, { replyTo, name = "Ann", chat = user, type = "private" }: Writing = {}): number {
      started.add(chat);
      const id = nextMessage++;
      const reply =
        replyTo === undefined ? {} : { reply_to_message: { message_id: replyTo, chat: { id: chat, type } } };
      const from = { id: user, is_bot: false, first_name: name };
      push({ message: { message_id: id, date: 1, chat: { id: chat, type }, from, text, ...reply } });
      return id;
    },
    /** Presses the button of a message whose label holds these words. */
    press(chat: number, message: number, label: string, { user = chat, name = "Ann" } = {}): string {
      const shown = messages.get(`${chat}:${message}`);
      const button = shown?.buttons.find(({ text }) => text.includes(label));
      if (!shown || !button) throw new Error(`no button "${label}" in ${JSON.stringify(shown)}`);
      return this.query(chat, message, button.callback_data, { user, name });
    },
    query(chat: number, message: number, data: string, { user = chat, name = "Ann" } = {}): string {
      const id = `query-${nextUpdate}`;
      const shown = { message_id: message, date: 1, chat: { id: chat, type: "private" } };
      push({
        callback_query: {
          id,
          from: { id: user, is_bot: false, first_name: name },
          message: shown,
          data,
          chat_instance: "1",
        },
      });
      queries.set(id, {});
      return id;
    },
    push,
    /** What waits is delivered the other way round, and twice. */
    scramble: () => void (updates = updates.flatMap((update) => [update, update]).toReversed()),
    waiting: () => updates.length,
    [Symbol.asyncDispose]: () => server.stop(true),
  };

  function push(update: Json): void {
    updates.push({ update_id: nextUpdate++, ...update });
    wake.resolve();
    wake = Promise.withResolvers();
  }

  /** Its answer ends in the middle: nobody can say what was done. */
  function cut(): Response {
    return new Response('{"ok":true,"resu', { headers: { "content-type": "application/json" } });
  }

  async function done(method: string, body: Json, signal: AbortSignal): Promise<Response> {
    switch (method) {
      case "getMe":
        return Response.json({
          ok: true,
          result: { id: 123456, is_bot: true, first_name: "P", username: "played_bot" },
        });
      case "getUpdates":
        return getUpdates(body, signal);
      case "sendMessage":
        return sendMessage(body);
      case "editMessageText":
      case "editMessageReplyMarkup":
        return edit(method, body);
      case "answerCallbackQuery":
        return answer(body);
    }
    return refuse(404, "Not Found");
  }

  async function getUpdates({ offset, timeout = 0, limit = 100, allowed_updates }: Json, signal: AbortSignal) {
    if (typeof limit !== "number" || limit < 1 || limit > 100) return refuse(400, "Bad Request: limit must be 1-100");
    if (allowed_updates !== undefined && !Array.isArray(allowed_updates))
      return refuse(400, "Bad Request: can't parse allowed_updates");
    // An update is confirmed when a later one is asked for.
    if (typeof offset === "number") updates = updates.filter(({ update_id }) => update_id >= offset);
    const mine = ++polls;
    const until = performance.now() + Number(timeout) * 1000;
    while (updates.length === 0 && performance.now() < until && !signal.aborted) {
      await Promise.race([wake.promise, Bun.sleep(50)]);
      if (mine !== polls)
        return refuse(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        );
    }
    return Response.json({ ok: true, result: updates.slice(0, limit) });
  }

  function sendMessage(body: Json): Response {
    const problem = textProblem(body) ?? markupProblem(body) ?? chatProblem(body);
    if (problem) return problem;
    const chat = Number(body["chat_id"]);
    const reply = body["reply_parameters"] as { message_id?: number } | undefined;
    const shown: Shown = { chat, id: nextMessage++, text: String(body["text"]), buttons: buttonsIn(body), edits: 0 };
    if (reply?.message_id !== undefined) shown.replyTo = reply.message_id;
    messages.set(`${chat}:${shown.id}`, shown);
    return Response.json({
      ok: true,
      result: { message_id: shown.id, date: 1, chat: { id: chat, type: "private" }, text: shown.text },
    });
  }

  function edit(method: string, body: Json): Response {
    const problem =
      (method === "editMessageText" ? textProblem(body) : undefined) ?? markupProblem(body) ?? chatProblem(body);
    if (problem) return problem;
    const shown = messages.get(`${Number(body["chat_id"])}:${Number(body["message_id"])}`);
    if (!shown) return refuse(400, "Bad Request: message to edit not found");
    const next = { text: method === "editMessageText" ? String(body["text"]) : shown.text, buttons: buttonsIn(body) };
    if (next.text === shown.text && JSON.stringify(next.buttons) === JSON.stringify(shown.buttons))
      return refuse(
        400,
        "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      );
    Object.assign(shown, next, { edits: shown.edits + 1 });
    return Response.json({
      ok: true,
      result: { message_id: shown.id, date: 1, chat: { id: shown.chat, type: "private" }, text: shown.text },
    });
  }

  function answer(body: Json): Response {
    const query = queries.get(String(body["callback_query_id"]));
    if (!query) return refuse(400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
    const text = body["text"];
    if (text !== undefined && (typeof text !== "string" || text.length > 200))
      return refuse(400, "Bad Request: MESSAGE_TOO_LONG");
    Object.assign(query, { text, alert: body["show_alert"] });
    return Response.json({ ok: true, result: true });
  }

  function textProblem({ text }: Json): Response | undefined {
    if (typeof text !== "string" || text.trim() === "") return refuse(400, "Bad Request: message text is empty");
    return text.length > 4096 ? refuse(400, "Bad Request: message is too long") : undefined;
  }

  function markupProblem({ reply_markup: markup }: Json): Response | undefined {
    if (markup === undefined) return undefined;
    const rows = (markup as { inline_keyboard?: unknown }).inline_keyboard;
    if (!Array.isArray(rows) || !rows.every(Array.isArray))
      return refuse(400, "Bad Request: object expected as reply markup");
    const buttons = (rows as Json[][]).flat();
    if (buttons.length > 100) return refuse(400, "Bad Request: REPLY_MARKUP_TOO_LONG");
    for (const { text, callback_data: data } of buttons) {
      if (typeof text !== "string" || text === "")
        return refuse(400, "Bad Request: inline keyboard button text is empty");
      const size = typeof data === "string" ? Buffer.byteLength(data) : 0;
      if (size < 1 || size > 64) return refuse(400, "Bad Request: BUTTON_DATA_INVALID");
    }
    return undefined;
  }

  function chatProblem({ chat_id: chat }: Json): Response | undefined {
    if (typeof chat !== "number" || !Number.isSafeInteger(chat)) return refuse(400, "Bad Request: chat_id is empty");
    if (blocked.has(chat)) return refuse(403, "Forbidden: bot was blocked by the user");
    return started.has(chat) ? undefined : refuse(400, "Bad Request: chat not found");
  }
}

type Writing = { replyTo?: number; name?: string; chat?: number; type?: string };

function buttonsIn({ reply_markup: markup }: Json): Button[] {
  return ((markup as { inline_keyboard?: Button[][] } | undefined)?.inline_keyboard ?? []).flat();
}
