import { expect, test } from "bun:test";
import type { KnownBlock, MessageMetadata, ModalView } from "@slack/types";
import { sheetOf } from "../../src/notify/chat/chat-sheet.ts";
import {
  actionBlocks,
  formView,
  pairBlocks,
  pairView,
  questionBlocks,
  wordsView,
} from "../../src/notify/slack/blocks.ts";
import { askOf, database, features, question } from "../sample.ts";
import { APP_TOKEN, BOT_TOKEN, CHANNEL, createSlackService } from "./slack-service.ts";
import { problemWithBlocks, problemWithView } from "./slack-limits.ts";

/** What the service documents as refused; each of these would otherwise pass unseen in the tests beside this one. */
const text = (words: string) => ({ type: "plain_text", text: words }) as const;
const section = (words: string) => ({ type: "section", text: text(words) }) as const;
const button = (label: string, id = "a", value = "v") => ({ type: "button", action_id: id, text: text(label), value });
const actions = (...elements: object[]) => ({ type: "actions", elements });
const select = (type: string, count: number, label = "A") => ({
  type,
  action_id: "s",
  placeholder: text("Choose"),
  options: Array.from({ length: count }, (_, i) => ({ text: text(label), value: String(i) })),
});
const input = (element: object) => ({ type: "input", block_id: "i", label: text("Words"), element });
const modal = (more: object, blocks: object[] = [section("x")]) => ({
  trigger_id: "now",
  view: { type: "modal", title: text("T"), submit: text("S"), blocks, ...more },
});
const CASES: [string, string, object, string][] = [
  ["a message without words", "chat.postMessage", { text: " " }, "no_text"],
  ["a channel that is not there", "chat.postMessage", { channel: "C0", text: "x" }, "channel_not_found"],
  ["a thread that is not there", "chat.postMessage", { text: "x", thread_ts: "1.2" }, "thread_not_found"],
  ["a text of more than 40000", "chat.postMessage", { text: "x".repeat(40_001) }, "msg_too_long"],
  ["metadata of another form", "chat.postMessage", { text: "x", metadata: { event: 1 } }, "invalid_metadata_format"],
  ["blocks that are no list", "chat.postMessage", { text: "x", blocks: { a: 1 } }, "invalid_blocks_format"],
  [
    "more than 50 blocks",
    "chat.postMessage",
    { blocks: Array.from({ length: 51 }, () => section("x")) },
    "invalid_blocks",
  ],
  ["a section of more than 3000", "chat.postMessage", { blocks: [section("x".repeat(3001))] }, "invalid_blocks"],
  ["an empty section", "chat.postMessage", { blocks: [section("")] }, "invalid_blocks"],
  ["an unknown block", "chat.postMessage", { blocks: [{ type: "form" }] }, "invalid_blocks"],
  ["an input in a message", "chat.postMessage", { blocks: [input({ type: "plain_text_input" })] }, "invalid_blocks"],
  [
    "more than 25 elements",
    "chat.postMessage",
    { blocks: [actions(...Array.from({ length: 26 }, (_, i) => button("A", `a${i}`)))] },
    "invalid_blocks",
  ],
  ["the same action twice", "chat.postMessage", { blocks: [actions(button("A"), button("B"))] }, "invalid_blocks"],
  ["a button of more than 75", "chat.postMessage", { blocks: [actions(button("x".repeat(76)))] }, "invalid_blocks"],
  ["a button without words", "chat.postMessage", { blocks: [actions(button(""))] }, "invalid_blocks"],
  [
    "a value of more than 2000",
    "chat.postMessage",
    { blocks: [actions(button("A", "a", "x".repeat(2001)))] },
    "invalid_blocks",
  ],
  [
    "a list of more than 100",
    "chat.postMessage",
    { blocks: [actions(select("static_select", 101))] },
    "invalid_blocks",
  ],
  [
    "an option of more than 75",
    "chat.postMessage",
    { blocks: [actions(select("static_select", 1, "x".repeat(76)))] },
    "invalid_blocks",
  ],
  [
    "a list for several among actions",
    "chat.postMessage",
    { blocks: [actions(select("multi_static_select", 2))] },
    "invalid_blocks",
  ],
  ["an update of nothing", "chat.update", { ts: "1.2", text: "x" }, "message_not_found"],
  ["a whisper to who is not there", "chat.postEphemeral", { user: "U0", text: "x" }, "user_not_in_channel"],
  ["a trigger that is none", "views.open", modal({}), "invalid_trigger_id"],
  ["a page of more than 999", "conversations.history", { limit: 1000 }, "invalid_limit"],
  ["replies to nothing", "conversations.replies", { ts: "1.2" }, "thread_not_found"],
  ["a method that is none", "chat.postMassage", {}, "unknown_method"],
];

const caller =
  ({ url }: { url: string }) =>
  async (method: string, body: object, token = BOT_TOKEN) => {
    const fields = Object.entries({ channel: CHANNEL, ...body }).map(
      ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as [string, string],
    );
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/${method}`, { method: "POST", headers, body: new URLSearchParams(fields) });
    return (await response.json()) as { ok: boolean; error?: string; url?: string };
  };

test.each(CASES)("[SK20] the played service refuses %s", async (_title, method, body, error) => {
  await using service = createSlackService();
  expect(await caller(service)(method, body)).toMatchObject({ ok: false, error });
});

test.each([
  ["a title of more than 24", modal({ title: text("x".repeat(25)) })],
  ["a form without a button to send it", modal({ submit: undefined }, [input({ type: "plain_text_input" })])],
  ["more than 3000 of its own data", modal({ private_metadata: "x".repeat(3001) })],
  [
    "more than 100 blocks",
    modal(
      {},
      Array.from({ length: 101 }, () => section("x")),
    ),
  ],
  ["a field for more than 3000", modal({}, [input({ type: "plain_text_input", max_length: 3001 })])],
  ["the same field twice", modal({}, [input({ type: "plain_text_input" }), input({ type: "plain_text_input" })])],
] as const)("[SK20] the played service refuses a form with %s", (_title, { view }) => {
  expect(problemWithView(view)).toBeDefined();
});

test("[SK20] tokens are for their own methods, scopes are needed, an address is for one connection, a trigger for one form", async () => {
  await using service = createSlackService();
  const call = caller(service);
  expect(await call("apps.connections.open", {})).toMatchObject({ error: "not_allowed_token_type" });
  expect(await call("auth.test", {}, APP_TOKEN)).toMatchObject({ error: "not_allowed_token_type" });
  expect(await call("auth.test", {}, "xoxb-other")).toMatchObject({ error: "invalid_auth" });
  service.scopes.delete("channels:history");
  expect(await call("conversations.history", {})).toMatchObject({ error: "missing_scope" });
  const { url = "" } = await call("apps.connections.open", {}, APP_TOKEN);
  const dial = () =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(url);
      socket.addEventListener("message", ({ data }: MessageEvent) => resolve(String(data)));
      socket.addEventListener("error", () => resolve("refused"));
    });
  expect(JSON.parse(await dial())).toMatchObject({ type: "hello" });
  expect(await dial()).toBe("refused");
  service.press("U1ANN", "1.2", { type: "button", action_id: "a", value: "v" });
  expect(await call("views.open", { ...modal({}), trigger_id: "tr2" })).toMatchObject({ ok: true });
  expect(await call("views.open", { ...modal({}), trigger_id: "tr2" })).toMatchObject({ error: "expired_trigger_id" });
});

test("[SK21] what Parley sends has the shapes of the service's own types and keeps its limits, whatever was asked", () => {
  const long = "ö𝄞x".repeat(4000);
  const sheets = [
    [database],
    [features],
    [question("", [])],
    [{ ...question(long, [long, long], true), body: long }],
    [
      question(
        "Which?",
        Array.from({ length: 200 }, (_, i) => `${i} ${long}`),
      ),
    ],
    Array.from({ length: 40 }, () => ({ ...question("Q".repeat(2700), ["A".repeat(190), "B"]), body: "x" })),
    Array.from({ length: 10 }, () => ({
      ...question(
        "Q".repeat(2000),
        Array.from({ length: 50 }, (_, i) => `A${i}`),
        true,
      ),
      body: "b",
    })),
  ].map((questions) => sheetOf(askOf({ questions }), "Claude Code", { approvals: false }));
  const people = Array.from({ length: 60 }, (_, i) => `U${i}`);
  for (const sheet of sheets) {
    const blocks = [...questionBlocks({ ...sheet, more: "And 3 more" }, people), ...actionBlocks(sheet)];
    expect([problemWithBlocks(blocks, 50, "message"), problemWithView(formView(sheet, "C:1.2"))]).toEqual([
      undefined,
      undefined,
    ]);
  }
  for (const view of [pairView("C:1"), wordsView("x".repeat(5000))]) expect(problemWithView(view)).toBeUndefined();
  expect(problemWithBlocks(pairBlocks("x"), 50, "message")).toBeUndefined();
});

test("[SK21] the shapes themselves, as the service's types have them", () => {
  // Written out as `KnownBlock` and `ModalView` take them; what Parley makes must be equal.
  const sheet = sheetOf(askOf({ questions: [features] }), "Claude Code", { approvals: false });
  const plain = (words: string) => ({ type: "plain_text", text: words, emoji: false }) as const;
  const options = ["1. Auth", "2. A, B", "3. Export"].map((label, i) => ({ text: plain(label), value: String(i) }));
  const list = { type: "multi_static_select", action_id: "v", placeholder: plain("Choose any"), options } as const;
  const blocks: KnownBlock[] = [
    { type: "section", block_id: "ticks", text: plain("Choose, then press Done:"), accessory: list },
    {
      type: "actions",
      elements: [
        { type: "button", action_id: "done", text: plain("Done"), value: "m.abc123def456.1", style: "primary" },
        { type: "button", action_id: "form", text: plain("Own words, note…"), value: "f.abc123def456.1" },
      ],
    },
  ];
  expect(actionBlocks(sheet) as unknown).toEqual(blocks);
  const view: ModalView = {
    type: "modal",
    callback_id: "pair",
    private_metadata: `{"message":"C:1"}`,
    title: plain("Pair with Parley"),
    submit: plain("Pair"),
    close: plain("Not now"),
    blocks: [
      {
        type: "input",
        block_id: "code",
        label: plain("The code that parley notify pair slack shows"),
        element: { type: "plain_text_input", action_id: "v", max_length: 64 },
      },
    ],
  };
  expect(pairView("C:1") as unknown).toEqual(view);
  const code: KnownBlock = {
    type: "rich_text",
    elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text: "ls" }] }],
  };
  const metadata: MessageMetadata = { event_type: "parley_question", event_payload: { ask: "abc" } };
  const about = sheetOf(askOf({ questions: [{ ...database, body: "ls" }] }), "Claude Code", { approvals: false });
  expect(questionBlocks(about, [])).toContainEqual(code as never);
  expect(Object.keys(metadata)).toEqual(["event_type", "event_payload"]);
});
