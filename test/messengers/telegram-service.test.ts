import { expect, test } from "bun:test";
import { createTelegramService, TOKEN } from "./telegram-service.ts";

/** What the service documents as refused; each of these would otherwise pass unseen in the tests beside this one. */
const button = (data: string, text = "A") => ({ reply_markup: { inline_keyboard: [[{ text, callback_data: data }]] } });
const CASES: [string, string, object, number, RegExp][] = [
  ["a text of more than 4096", "sendMessage", { text: "x".repeat(4097) }, 400, /message is too long/],
  ["an empty text", "sendMessage", { text: " \n " }, 400, /text is empty/],
  ["a chat that never wrote", "sendMessage", { chat_id: 9, text: "x" }, 400, /chat not found/],
  ["a chat that blocked the bot", "sendMessage", { chat_id: 8, text: "x" }, 403, /blocked by the user/],
  ["data of more than 64 bytes", "sendMessage", { text: "x", ...button("é".repeat(33)) }, 400, /BUTTON_DATA_INVALID/],
  ["a button without data", "sendMessage", { text: "x", ...button("") }, 400, /BUTTON_DATA_INVALID/],
  ["a button without text", "sendMessage", { text: "x", ...button("d", "") }, 400, /button text is empty/],
  [
    "more than 100 buttons",
    "sendMessage",
    {
      text: "x",
      reply_markup: { inline_keyboard: Array.from({ length: 101 }, () => [{ text: "A", callback_data: "d" }]) },
    },
    400,
    /REPLY_MARKUP_TOO_LONG/,
  ],
  ["an edit of nothing", "editMessageText", { message_id: 999, text: "x" }, 400, /message to edit not found/],
  [
    "an edit that changes nothing",
    "editMessageText",
    { message_id: 11, text: "first" },
    400,
    /message is not modified/,
  ],
  ["an edit that is too long", "editMessageText", { message_id: 11, text: "x".repeat(4097) }, 400, /too long/],
  ["an answer to no press", "answerCallbackQuery", { callback_query_id: "none" }, 400, /query is too old/],
  ["updates beyond the limit", "getUpdates", { limit: 101 }, 400, /limit/],
  ["a method that is none", "sendMassage", {}, 404, /Not Found/],
];

test.each(CASES)("[MG20] the played service refuses %s", async (_title, method, body, code, words) => {
  await using service = createTelegramService();
  service.write(7, "hi");
  service.write(8, "hi", { name: "Eve" });
  service.blocked.add(8);
  const call = async (name: string, given: object, token = TOKEN) => {
    const request = { method: "POST", body: JSON.stringify({ chat_id: 7, ...given }) };
    const response = await fetch(`${service.url}/bot${token}/${name}`, request);
    return { status: response.status, json: (await response.json()) as { ok: boolean; description?: string } };
  };
  await call("sendMessage", { text: "zeroth" });
  const first = await call("sendMessage", { text: "first" });
  expect(first.json.ok).toBe(true);
  const named = "message_id" in body && body.message_id === 11 ? { ...body, message_id: lastId(service) } : body;
  const { status, json } = await call(method, named);
  expect([status, json.ok]).toEqual([code, false]);
  expect(json.description).toMatch(words);
  expect((await call("getMe", {}, "1:wrong")).status).toBe(401);
});

test("[MG20] a press is answered with 200 characters at most, and of two who listen the first is told so", async () => {
  await using service = createTelegramService();
  service.write(7, "hi");
  const call = async (name: string, given: object) => {
    const response = await fetch(`${service.url}/bot${TOKEN}/${name}`, { method: "POST", body: JSON.stringify(given) });
    return (await response.json()) as { ok: boolean; description?: string; result?: { update_id: number }[] };
  };
  const query = service.query(7, 1, "d");
  expect(await call("answerCallbackQuery", { callback_query_id: query, text: "x".repeat(201) })).toMatchObject({
    ok: false,
  });
  const { result = [] } = await call("getUpdates", { timeout: 0 });
  const offset = (result.at(-1)?.update_id ?? 0) + 1;
  const first = call("getUpdates", { offset, timeout: 50 });
  while (service.of("getUpdates").length < 2) await Bun.sleep(1);
  const second = call("getUpdates", { offset, timeout: 50 });
  expect(await first).toMatchObject({
    ok: false,
    description: expect.stringContaining("terminated by other getUpdates"),
  });
  service.write(7, "there");
  expect((await second).result).toHaveLength(1);
});

const lastId = (service: ReturnType<typeof createTelegramService>) => [...service.messages.values()].at(-1)?.id;
