import { expect } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Config } from "../../src/core/config/config.ts";
import { createDesktop } from "../../src/notify/desktop/desktop.ts";
import type { Reply } from "../../src/notify/messenger.ts";
import { newDraft } from "../../src/notify/chat/chat-draft.ts";
import { chatView } from "../../src/notify/chat/chat-form.ts";
import { sheetOf } from "../../src/notify/chat/chat-sheet.ts";
import { noteOf } from "../../src/notify/note.ts";
import { createNtfy } from "../../src/notify/ntfy.ts";
import { createDevices } from "../../src/notify/push/devices.ts";
import { createPush } from "../../src/notify/push/push.ts";
import { createPairs } from "../../src/notify/chat/pairs.ts";
import { createSlack } from "../../src/notify/slack/slack.ts";
import { createTelegram } from "../../src/notify/telegram/telegram.ts";
import { createWebhook } from "../../src/notify/webhook.ts";
import { openLedger } from "../../src/store/sqlite/ledger.ts";
import { messengerContract, type MessengerStage } from "../contract/messenger.ts";
import { createReceiver } from "../e2e/notify-stage.ts";
import { eventually } from "../patience.ts";
import { askOf } from "../sample.ts";
import { APP_TOKEN, BOT_TOKEN, CHANNEL, createSlackService, elementsIn } from "./slack-service.ts";
import { buttonIn, textIn } from "./slack-stage.ts";
import { createPushService } from "./push-service.ts";
import { createTelegramService, TOKEN } from "./telegram-service.ts";

const ask = askOf({ origin: { agent: "claude-code", project: "shop" } });
const note = {
  ...noteOf(ask, "Claude Code", { buttonsForApprovals: false }),
  chat: { ...chatView(ask, newDraft(ask), "Claude Code", { approvals: false }), version: 1 },
  sheet: sheetOf(ask, "Claude Code", { approvals: false }),
};
const notify = (given: object) => Config.parse({ notify: given }).notify;
const NO_KEY = "what it sends carries no answer back: that comes by a link, see N9";

messengerContract(
  "ntfy",
  async (): Promise<MessengerStage> => {
    const receiver = createReceiver();
    const cleared = () => receiver.requests.some(({ path }) => path.endsWith("/clear"));
    return {
      ...served(receiver),
      messenger: createNtfy(),
      config: notify({ ntfy: { url: `${receiver.url}/tk_topic`, token: "tk_token" } }),
      answerable: () => (cleared() ? 0 : 1),
      secrets: ["tk_topic", "tk_token"],
    };
  },
  { reply: NO_KEY },
);

messengerContract(
  "webhook",
  async (): Promise<MessengerStage> => {
    const receiver = createReceiver();
    const settled = () => receiver.requests.some(({ json }) => json["event"] === "settled");
    return {
      ...served(receiver),
      messenger: createWebhook({ now: () => 1000 }),
      config: notify({ webhook: { url: `${receiver.url}/tk_path`, secret: "tk_secret_0123456" } }),
      answerable: () => (settled() ? 0 : 1),
      secrets: ["tk_path", "tk_secret"],
    };
  },
  { reply: NO_KEY },
);

function served(receiver: ReturnType<typeof createReceiver>) {
  return {
    unset: notify({}),
    note,
    arrived: () => receiver.requests.map(({ text }) => text),
    fail: (how: "down" | { retryAfter: number }) => {
      if (how === "down") receiver.statuses.push(500);
      else {
        receiver.statuses.push(429);
        receiver.retryAfter = how.retryAfter;
      }
    },
    replies: [],
    close: () => receiver[Symbol.asyncDispose](),
  };
}

messengerContract("telegram", async (): Promise<MessengerStage> => {
  const service = createTelegramService();
  const folder = mkdtempSync(join(tmpdir(), "parley-contract-"));
  const ledger = openLedger(join(folder, "notify.db"));
  const config = notify({ telegram: { token_env: "BOT", api: service.url } });
  const replies: Reply[] = [];
  const pairs = createPairs({ file: join(folder, "pairs.json"), now: () => 1 });
  service.write(7, "hello");
  await pairs.take(pairs.code("telegram").code, { messenger: "telegram", id: "7", chat: "7", name: "Ann" });
  const { messenger } = createTelegram({
    env: { BOT: TOKEN },
    settings: () => config.telegram,
    pairs,
    ledger,
    take: async (reply) => (replies.push(reply), { state: "answered", words: "Answered" }),
    now: () => 1,
    log: () => undefined,
  });
  return {
    messenger,
    config,
    unset: notify({}),
    note,
    arrived: () => service.shown(7).map(({ id, text }) => `${id} ${text}`),
    answerable: () => service.shown(7).filter(({ buttons }) => buttons.length > 0).length,
    fail: (how) =>
      service.fault("sendMessage", how === "down" ? { code: 500 } : { code: 429, retryAfter: how.retryAfter }),
    press() {
      messenger.follow?.(config);
      service.press(7, service.shown(7)[0]?.id ?? 0, "Postgres");
    },
    replies,
    secrets: [TOKEN, TOKEN.slice(8)],
    async close() {
      await messenger.stop?.();
      ledger.close();
      rmSync(folder, { recursive: true, force: true });
      await service[Symbol.asyncDispose]();
    },
  };
});

messengerContract("slack", async (): Promise<MessengerStage> => {
  const service = createSlackService();
  const folder = mkdtempSync(join(tmpdir(), "parley-contract-"));
  const ledger = openLedger(join(folder, "notify.db"));
  const tokens = { bot_token_env: "BOT", app_token_env: "APP" };
  const config = notify({ slack: { channel: CHANNEL, ...tokens, api: service.url } });
  const replies: Reply[] = [];
  const pairs = createPairs({ file: join(folder, "pairs.json"), now: () => 1 });
  await pairs.take(pairs.code("slack").code, { messenger: "slack", id: "T0PLAYED:U1ANN", chat: CHANNEL, name: "Ann" });
  const { messenger } = createSlack({
    env: { BOT: BOT_TOKEN, APP: APP_TOKEN },
    settings: () => config.slack,
    pairs,
    ledger,
    take: async (reply) => (replies.push(reply), { state: "answered", words: "Answered" }),
    sheet: async () => ({ state: "unknown", words: "none" }),
    now: () => 1,
    log: () => undefined,
  });
  const posted = () => [...service.posted.values()];
  return {
    messenger,
    config,
    unset: notify({}),
    note,
    arrived: () => posted().map((each) => `${each.ts} ${textIn(each)}`),
    answerable: () => posted().filter((each) => elementsIn(each).length > 0).length,
    fail: (how) => service.fault("chat.postMessage", how === "down" ? { status: 500 } : { retryAfter: how.retryAfter }),
    async press() {
      messenger.follow?.(config);
      await eventually(() => expect(service.lines.size).toBe(1));
      const [shown] = posted();
      if (shown) service.press("U1ANN", shown.ts, buttonIn(shown, "Postgres"));
    },
    replies,
    secrets: [BOT_TOKEN.slice(5), APP_TOKEN.slice(5)],
    async close() {
      await messenger.stop?.();
      ledger.close();
      rmSync(folder, { recursive: true, force: true });
      await service[Symbol.asyncDispose]();
    },
  };
});

messengerContract("push", async (): Promise<MessengerStage> => {
  const service = await createPushService();
  const folder = mkdtempSync(join(tmpdir(), "parley-contract-"));
  const ledger = openLedger(join(folder, "notify.db"));
  const phone = { id: "p1", name: "Pixel" };
  const devices = createDevices({ file: join(folder, "devices.json"), signed: () => [phone], now: () => 1 });
  const { publicKey } = await devices.vapid();
  const { subscription, received, shown } = service.subscribe(publicKey);
  await devices.keep({ browser: phone.id, ...subscription });
  const replies: Reply[] = [];
  const { messenger, reply } = createPush({
    devices,
    ledger,
    take: async (each) => (replies.push(each), { state: "answered", words: "Answered" }),
    now: Date.now,
    log: () => undefined,
  });
  return {
    messenger,
    config: notify({ push: { text: true, private_services: true } }),
    unset: notify({ push: { enabled: false } }),
    note,
    arrived: () => received.map((each) => JSON.stringify(each)),
    answerable: () => shown().filter(({ actions }) => actions.length > 0).length,
    fail: (how) => service.faults.push(how === "down" ? { status: 500 } : { status: 429, ...how }),
    async press() {
      const [{ message = "", actions } = { actions: [] }] = shown();
      await reply(phone, message, Number(actions.find(({ title }) => title === "Postgres")?.action));
    },
    replies,
    secrets: [subscription.endpoint.slice(-16), subscription.auth],
    async close() {
      ledger.close();
      rmSync(folder, { recursive: true, force: true });
      await service[Symbol.asyncDispose]();
    },
  };
});

/** A program in the place of notify-send: shows by writing down, and is pressed by a line in a file. */
const NOTIFY_SEND = (folder: string) => `#!${process.execPath}
import { appendFileSync, existsSync, readFileSync, writeSync } from "node:fs";
const words = process.argv.slice(2);
if (words[0] === "--help") { writeSync(1, "--action --print-id\\n"); process.exit(0); }
if (existsSync("${folder}/down")) process.exit(1);
process.on("SIGINT", () => { appendFileSync("${folder}/closed", "x"); process.exit(0); });
appendFileSync("${folder}/shown", words.join(" "));
writeSync(1, "7\\n");
const isWanted = () => existsSync("${folder}") && !existsSync("${folder}/pressed");
while (words.some((word) => word.startsWith("--action")) && isWanted()) await Bun.sleep(20);
if (existsSync("${folder}/pressed")) writeSync(1, readFileSync("${folder}/pressed"));
`;

messengerContract(
  "desktop",
  async (): Promise<MessengerStage> => {
    const folder = mkdtempSync(join(tmpdir(), "parley-contract-"));
    writeFileSync(join(folder, "notify-send"), NOTIFY_SEND(folder));
    chmodSync(join(folder, "notify-send"), 0o755);
    const env = {
      PATH: `${folder}:${process.env["PATH"]}`,
      DISPLAY: ":9",
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
    };
    const replies: Reply[] = [];
    const pressed = (id: string, option: number) => {
      const input = { type: "press", question: 0, option } as const;
      replies.push({ messenger: "desktop", id: "1", ask: id, input });
    };
    const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
    return {
      messenger: createDesktop({ env, platform: "linux", pressed, clicked: () => {} }),
      config: notify({}),
      unset: notify({ desktop: { enabled: false } }),
      note,
      arrived: () => read("shown").split("--app-name=").slice(1),
      answerable: () => (read("closed") === "" ? 1 : 0),
      fail: () => writeFileSync(join(folder, "down"), ""),
      press() {
        // Whole from the first look at it on.
        writeFileSync(join(folder, "pressing"), "1\n");
        renameSync(join(folder, "pressing"), join(folder, "pressed"));
      },
      replies,
      secrets: [],
      async close() {
        // What still stands there ends with its folder.
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  {
    retryAfter: "it is no service, and has no limit",
    again: "a desktop keeps no name over restarts of ours: it is shown again, as docs/notifications.md says",
  },
);
