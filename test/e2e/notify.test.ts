import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ask } from "../../src/core/ask/ask.ts";
import { question } from "../sample.ts";
import { createReceiver, createStage, type Received, type Receiver } from "./notify-stage.ts";
import { holds } from "./program.ts";

const SECRET = "tk_0123456789abcdef";
const webhook = (receiver: Receiver, more = "") =>
  `[notify]\n${more}\n[notify.webhook]\nurl = "${receiver.url}/tk_path"\nsecret = "${SECRET}"\n`;
const ntfy = (receiver: Receiver, more = "") =>
  `[notify]\n${more}\n[notify.ntfy]\nurl = "${receiver.url}/tk_topic"\ntoken = "tk_token"\n`;
const events = (requests: readonly Received[]) => requests.map(({ json }) => json["event"]);
type Hook = {
  event: string;
  ask: Ask & { title: string; questions: { options: { label: string; link?: string }[] }[] };
};

test("[N2] a question is told about when it has waited long enough, and not before", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver));
  await stage.ask();
  await stage.after(9.9);
  expect(receiver.requests).toEqual([]);
  await stage.after(0.1);
  const first = await receiver.nth(1);
  expect(first.json).toMatchObject({ event: "asked", ask: { title: "shop: Which database?" } });
});

test("[N2] a question answered before makes no noise", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver));
  const ask = await stage.ask();
  await stage.after(5);
  await stage.settle(ask);
  await stage.after(60);
  await stage.notifications.stop();
  expect(receiver.requests).toEqual([]);
});

test("[N1] an Ask is told about once, also after a restart", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0"));
  await stage.ask();
  await receiver.first(1);
  for (let i = 0; i < 3; i++) await stage.after(3600);
  await stage.restart();
  await stage.after(3600);
  await stage.ask({ questions: [question("Another?", ["A", "B"])] });
  const requests = await receiver.first(2);
  expect(requests.map(({ json }) => (json as Hook).ask.questions[0]?.text)).toEqual(["Which database?", "Another?"]);
  await stage.notifications.stop();
  expect(receiver.requests).toHaveLength(2);
});

test("[N1] a ledger that cannot be read costs a second notification, not the daemon", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0"));
  await stage.ask();
  await receiver.first(1);
  await stage.notifications.stop();
  for (const end of ["", "-wal"]) writeFileSync(join(stage.home, `notify.db${end}`), "no database at all".repeat(99));
  await stage.restart();
  await stage.after(1);
  expect(events(await receiver.first(2))).toEqual(["asked", "asked"]);
});

test("[N3] it says project, header, the whole question and its options, and all of it is harmless", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0"));
  const text = `Which \u001b[31mdatabase\u202e?\r\n${"x".repeat(5000)}`;
  const hostile = { ...question(text, ["SQ\u0007Lite", "Post\ngres"]), header: "St\u001b]0;x\u0007ore" };
  await stage.ask({ questions: [hostile], origin: { agent: "claude-code", project: "sh\u001b[1mop" } });
  const first = await receiver.nth(1);
  const { ask } = first.json as unknown as Hook;
  expect(ask.title).toMatch(/^shop: Which database\? x{90,110}…$/);
  expect(ask.questions[0]?.text.length).toBe(2000);
  expect(ask.questions[0]).toMatchObject({
    header: "Store",
    text: expect.stringMatching(/^Which database\?\nx+…$/),
    options: [{ label: "SQ\ufffdLite" }, { label: "Post gres" }],
  });
  expect(first.text).not.toMatch(/\\u001b|\\u202e|\\u0007/);
});

test("[N4] what is settled is taken back; what was never sent is not", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0"));
  const ask = await stage.ask();
  await receiver.first(1);
  await stage.settle(ask);
  const settled = await receiver.nth(2);
  expect(settled.json).toEqual({
    id: `settled-${ask.id}`,
    event: "settled",
    ask: { id: ask.id },
    outcome: { type: "answered", words: "answered by cli 0 ms ago: SQLite", at: stage.clock.now },
  });
  await stage.after(60);
  await stage.notifications.stop();
  expect(receiver.requests).toHaveLength(2);
});

test("[N4] what was settled while the daemon was away is taken back afterwards", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0"));
  const ask = await stage.ask();
  await receiver.first(1);
  await stage.notifications.stop();
  await stage.settle(ask);
  await stage.restart();
  await stage.after(0);
  expect(events(await receiver.first(2))).toEqual(["asked", "settled"]);
});

test("[N5] in quiet hours nothing is sent; afterwards what still waits", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, `after_seconds = 0\nquiet = "22:00-07:00"`));
  stage.clock.now = new Date(2026, 5, 15, 22, 0).getTime();
  const [, answered] = [await stage.ask(), await stage.ask({ questions: [question("In the night?", ["A", "B"])] })];
  await stage.after(0);
  stage.clock.now = new Date(2026, 5, 16, 6, 59, 59).getTime();
  await stage.after(0);
  await stage.settle(answered);
  expect(receiver.requests).toEqual([]);
  await stage.after(1);
  const first = await receiver.nth(1);
  expect((first.json as unknown as Hook).ask.questions[0]?.text).toBe("Which database?");
  await stage.notifications.stop();
  expect(receiver.requests).toHaveLength(1);
});

test("[N6] switched off nothing is sent; switched on again what still waits", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0\nenabled = false"));
  await stage.ask();
  await stage.after(60);
  expect(receiver.requests).toEqual([]);
  stage.config(webhook(receiver, "after_seconds = 0\nenabled = true"));
  await stage.after(1);
  expect(events(await receiver.first(1))).toEqual(["asked"]);
});

test("[N6] a project that switches off its own notifications leaves all others", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0"));
  const cwd = join(stage.home, "silent/src");
  mkdirSync(join(stage.home, "silent/.git"), { recursive: true });
  writeFileSync(join(stage.home, "silent/.parley.toml"), "notify.enabled = false\n");
  await stage.ask({ origin: { agent: "claude-code", project: "silent", cwd } });
  await stage.ask();
  await stage.after(60);
  const first = await receiver.nth(1);
  expect((first.json as unknown as Hook).ask.title).toBe("shop: Which database?");
  await stage.notifications.stop();
  expect(receiver.requests).toHaveLength(1);
});

test("[N7] a webhook is signed over timestamp and body", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0"));
  const ask = await stage.ask();
  const first = await receiver.nth(1);
  const timestamp = first.headers.get("parley-timestamp") ?? "";
  expect([first.method, first.path, timestamp]).toEqual(["POST", "/tk_path", String(stage.clock.now / 1000)]);
  const sign = (secret: string, body: string) =>
    `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
  expect(first.headers.get("parley-signature")).toBe(sign(SECRET, first.text));
  expect(first.headers.get("parley-signature")).not.toBe(sign(SECRET, `${first.text} `));
  expect([first.headers.get("parley-delivery"), first.json["id"]]).toEqual([`asked-${ask.id}`, `asked-${ask.id}`]);
});

test("[N7] the check in the handbook accepts what is sent, and nothing else", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(webhook(receiver, "after_seconds = 0"));
  await stage.ask();
  const first = await receiver.nth(1);
  const handbook = readFileSync(join(import.meta.dir, "../../docs/notifications.md"), "utf8");
  const code = /```js\n([^]*?)```/.exec(handbook)?.[1] ?? "";
  writeFileSync(join(stage.home, "verify.mjs"), code);
  const { verify } = (await import(join(stage.home, "verify.mjs"))) as {
    verify: (secret: string, headers: Record<string, string>, body: string, now: number) => boolean;
  };
  const headers = Object.fromEntries(first.headers);
  const [body, now] = [first.text, stage.clock.now / 1000];
  expect(verify(SECRET, headers, body, now)).toBe(true);
  expect(verify(SECRET, headers, `${body} `, now)).toBe(false);
  expect(verify(`${SECRET}x`, headers, body, now)).toBe(false);
  expect(verify(SECRET, headers, body, now + 301)).toBe(false);
  expect(verify(SECRET, {}, body, now)).toBe(false);
});

test("[N8] ntfy gets title, message and token, and is cleared when it is settled", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(ntfy(receiver, "after_seconds = 0"));
  const ask = await stage.ask({ questions: [question("Wählen? 🙂", ["Grün", "Blau"])] });
  const first = await receiver.nth(1);
  expect([first.method, first.path, first.headers.get("authorization")]).toEqual(["POST", "/", "Bearer tk_token"]);
  expect(first.json).toEqual({
    topic: "tk_topic",
    title: "shop: Wählen? 🙂",
    message: "Wählen? 🙂\n1. Grün\n2. Blau",
    tags: ["question"],
    sequence_id: `parley-${ask.id}`,
  });
  await stage.settle(ask);
  const second = await receiver.nth(2);
  expect([second.method, second.path, second.headers.get("authorization"), second.text]).toEqual([
    "PUT",
    `/tk_topic/parley-${ask.id}/clear`,
    "Bearer tk_token",
    "",
  ]);
});

test("[N8] a message for ntfy stays below its limit, and no character is cut", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(ntfy(receiver, "after_seconds = 0"));
  await stage.ask({ questions: [question("🙂".repeat(3000), ["A", "B"])] });
  const first = await receiver.nth(1);
  const message = String(first.json["message"]);
  expect(Buffer.byteLength(message)).toBeLessThan(4096);
  expect(message).toMatch(/^(🙂)+…$/u);
});

test("[N12] a failure is tried again later and later, then given up, and the log has no secret", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  receiver.statuses.push(500, 503, 429, 408, 500);
  stage.config(ntfy(receiver, "after_seconds = 0"));
  const ask = await stage.ask();
  await receiver.first(1);
  for (const [i, pause] of [5, 30, 120, 600].entries()) {
    expect(await holds(() => stage.logged.filter(({ level }) => level === "warn").length === i + 1)).toBe(true);
    await stage.after(pause - 1);
    expect(receiver.requests).toHaveLength(i + 1);
    await stage.after(1);
    await receiver.first(i + 2);
  }
  expect(await holds(() => stage.logged.at(-1)?.message === "notification given up")).toBe(true);
  expect(stage.logged.at(-1)?.fields).toEqual({
    ask: ask.id,
    channel: "ntfy",
    attempts: 5,
    error: `${new URL(receiver.url).host} answered 500`,
  });
  await stage.after(86_400);
  await stage.settle(ask);
  await stage.after(86_400);
  await stage.notifications.stop();
  expect(receiver.requests).toHaveLength(5);
  expect(JSON.stringify(stage.logged)).not.toContain("tk_");
});

test("[N12] attempts are counted on after a restart, and the one that works is the last", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  receiver.statuses.push(500);
  stage.config(webhook(receiver, "after_seconds = 0"));
  await stage.ask();
  await receiver.first(1);
  expect(await holds(() => stage.logged.length === 1)).toBe(true);
  await stage.restart();
  await stage.after(4);
  expect(receiver.requests).toHaveLength(1);
  await stage.after(1);
  const requests = await receiver.first(2);
  expect(requests[1]?.headers.get("parley-delivery")).toBe(requests[0]?.headers.get("parley-delivery") ?? "");
  await stage.after(3600);
  await stage.notifications.stop();
  expect(receiver.requests).toHaveLength(2);
});

test.each([
  [404, "answered 404"],
  [302, "answered 302; redirects are not followed, set the final address"],
])("[N12] what cannot get better is given up at once: %d", async (status, words) => {
  await using receiver = createReceiver();
  await using stage = createStage();
  receiver.statuses.push(status);
  stage.config(webhook(receiver, "after_seconds = 0"));
  await stage.ask();
  expect(await holds(() => stage.logged.at(-1)?.message === "notification given up")).toBe(true);
  expect(stage.logged.at(-1)?.fields["error"]).toBe(`${new URL(receiver.url).host} ${words}`);
  await stage.after(3600);
  await stage.notifications.stop();
  expect(receiver.requests).toHaveLength(1);
});

test("[N12] a server that does not answer holds up nobody", async () => {
  await using stage = createStage();
  const { promise: asked, resolve: called } = Promise.withResolvers<void>();
  const { promise: never, resolve: free } = Promise.withResolvers<Response>();
  const mute = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => (called(), never) });
  stage.config(`[notify]\nafter_seconds = 0\n[notify.ntfy]\nurl = "http://127.0.0.1:${mute.port}/t"\n`);
  const ask = await stage.ask();
  await asked;
  await stage.after(1);
  expect((await stage.settle(ask)).state).toBe("settled");
  await stage.notifications.stop();
  free(new Response());
  await mute.stop(true);
});

test("[N13] a test says for each channel what happened", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(
    `${webhook(receiver, `quiet = "00:00-23:59"\nenabled = false`)}[notify.ntfy]\nurl = "http://127.0.0.1:1/t"\n`,
  );
  expect(await stage.notifications.test(undefined)).toEqual({
    enabled: false,
    channels: [
      { channel: "desktop", result: "off", detail: "off; notify-send is not installed" },
      { channel: "ntfy", result: "failed", detail: "127.0.0.1:1 cannot be reached (ECONNREFUSED)" },
      { channel: "webhook", result: "sent", detail: `posted to ${new URL(receiver.url).host}` },
      {
        channel: "telegram",
        result: "off",
        detail: "off; set notify.telegram.token_file to the file with your bot's token",
      },
      {
        channel: "slack",
        result: "off",
        detail: "off; set notify.slack.channel, bot_token_file and app_token_file",
      },
      { channel: "push", result: "off", detail: "off; no phone takes pushes: parley phone" },
    ],
    links: { base: "" },
  });
  expect(events(receiver.requests)).toEqual(["test"]);
  expect((await stage.notifications.test("webhook")).channels).toHaveLength(1);
});
