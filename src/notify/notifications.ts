import { ParleyError } from "../core/error.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import type { ResultOf } from "../protocol/contract.ts";
import type { Ledger } from "../store/ledger.ts";
import type { Store } from "../store/store.ts";
import type { Clock, Inbox } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import { countSends } from "./send/counted.ts";
import { type ChannelName, type Messenger, SendError, type Told } from "./messenger.ts";
import { createDesk } from "./desktop/desk.ts";
import type { Said } from "./pace.ts";
import { createSendQueue } from "./send/send-queue.ts";
import { createDesktop, type Env } from "./desktop/desktop.ts";
import { createDigestNotes, type DigestSince } from "./digest-notes.ts";
import { createGoTo } from "./desktop/go-to.ts";
import { createLinkServer } from "./link/link-server.ts";
import { linkPage } from "./link/link-page.ts";
import { createLinks } from "./link/links.ts";
import { createLate } from "./send/late-messenger.ts";
import { type Note, testNote } from "./note.ts";
import { createNotifier } from "./notifier.ts";
import { createNtfy } from "./ntfy.ts";
import { createPairs } from "./chat/pairs.ts";
import { createDevices, type Signed } from "./push/devices.ts";
import { pushEarly } from "./push/early.ts";
import { createReplies } from "./chat/replies.ts";
import { missing as missingOfSlack, slackEarly } from "./slack/early.ts";
import { missing as missingOfTelegram, telegramEarly } from "./telegram/early.ts";
import { createWebhook } from "./webhook.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  config: ConfigFiles;
  ledger: Ledger;
  /** Who is paired with a messenger; without a file nobody is for longer than this process. */
  pairsFile?: string;
  /** Our key for pushes and who takes them; as that of the pairs. */
  devicesFile?: string;
  env: Env;
  /** What became of the questions since then. */
  digest?: DigestSince;
  /** Of the page. `address`: under which the person reaches it from elsewhere; empty: they do not. */
  page?: { address: () => string; port: () => number | null; browsers: () => Browsers };
  now: Clock;
  log: Log;
};
/** Those that are signed in; a code by which one more is. */
type Browsers = { list(): Signed[]; code(): { code: string } };
type PushTo = { endpoint: string; p256dh: string; auth: string };
type NotifyTest = ResultOf<"notifyTest">;
export type Notifications = ReturnType<typeof createNotifications>;

const PATIENCE_MS = 10_000;
const NO_PAGE = {
  address: () => "",
  port: () => null,
  browsers: () => ({ list: () => [], code: () => ({ code: "" }) }),
};

/** All that tells a person about Asks outside of Parley's own surfaces. */
export function createNotifications(deps: Deps) {
  const {
    store,
    inbox,
    config,
    ledger,
    pairsFile,
    devicesFile,
    env,
    digest = async () => [],
    page = NO_PAGE,
    now,
    log,
  } = deps;
  const current = async () => (await config.current()).values.notify;
  const links = createLinks({ ledger, inbox, config: current, now });
  const linkServer = createLinkServer({ links, log });
  const pairs = createPairs({ file: pairsFile, now });
  const pageOf = (ask: string) => (page.address() === "" ? undefined : `${page.address()}/#/ask/${ask}`);
  const { take, sheet } = createReplies({ store, inbox, config, ledger, pageOf, now, log });
  const goTo = createGoTo({ env, pageAt, log });
  const desktop = createDesktop({
    env,
    platform: process.platform,
    pressed: (ask, option) => void press(ask, option),
    clicked: (note, click) => void goTo(note, click),
  });
  const settings = () => config.latest().notify.telegram;
  const telegram = createLate(telegramEarly(pairs), {
    log,
    read: async () =>
      (await import("./telegram/telegram.ts")).createTelegram({ env, settings, pairs, ledger, take, now, log }),
  });
  const slackSettings = () => config.latest().notify.slack;
  const slackDeps = { env, settings: slackSettings, pairs, ledger, take, sheet, now, log };
  const slack = createLate(slackEarly(pairs), {
    log,
    read: async () => (await import("./slack/slack.ts")).createSlack(slackDeps),
  });
  const devices = createDevices({ file: devicesFile, signed: () => page.browsers().list(), now });
  const push = createLate(pushEarly(devices), {
    log,
    read: async () => (await import("./push/push.ts")).createPush({ devices, ledger, take, now, log }),
  });
  const chats = [telegram.messenger, slack.messenger, push.messenger];
  const all = [desktop, createNtfy(), createWebhook({ now }), ...chats];
  const { channels, counts } = countSends(all);
  const outside = { links, linkServer, pageAddress: page.address };
  const desk = createDesk({ env, now });
  const sendQueue = createSendQueue({ store, config, ledger, channels, desktop, ...outside, now, log, desk, noted });
  const digests = createDigestNotes({ store, config, ledger, channels, digest, pageAddress: page.address, now, log });
  const told = { noted, digests, heard };
  const notifier = createNotifier({ store, config, ledger, channels, sendQueue, linkServer, now, log, ...told });

  /** As the person opens it on this machine. */
  function pageAt({ ask, digest: isDigest }: Note): string | undefined {
    const port = page.port();
    const place = isDigest ? "answered" : `ask=${ask}`;
    return port === null ? undefined : `http://127.0.0.1:${port}/#code=${page.browsers().code().code}&${place}`;
  }

  async function press(ask: string, option: number): Promise<void> {
    const id = `${ask} ${option} ${now()}`;
    const input = { type: "press", question: 0, option } as const;
    const told = await take({ messenger: "desktop", id, ask, input }).catch((error: unknown) => error);
    const { state = "failed" } = told as { state?: string };
    if (state !== "answered") log("warn", "a button came too late", { ask, state });
  }

  /** Contract: never throws; what cannot be written is a line in the log. */
  async function noted(ask: string, said: Said): Promise<void> {
    await inbox
      .change(ask, () => [{ type: "ask.messaged", ...said }])
      .catch((error: unknown) => log("warn", "a notification was not noted", { ask, error: String(error) }));
  }

  /** Contract: as `noted`. */
  async function heard(ask: string, to: string): Promise<void> {
    await inbox
      .change(ask, ({ told }) => (told ? [] : [{ type: "ask.told", to }]))
      .catch((error: unknown) => log("warn", "that a mismatch was told was not noted", { ask, error: String(error) }));
  }

  return {
    tick: notifier.tick,
    /** What stands behind a link that leads to the page's port. Undefined: none does. */
    async openLink(request: Request): Promise<Response | undefined> {
      if (page.address() === "" || (await current()).link_base !== "") return undefined;
      const own = ["127.0.0.1", "localhost"].map((name) => `${name}:${page.port()}`);
      return linkPage(request, links, [new URL(page.address()).host, ...own]);
    },
    counts: () => counts,
    /** Contract: never throws; the daemon waits for it. */
    stop: () =>
      notifier
        .stop()
        .catch((error: unknown) => log("error", "notifications did not end well", { error: String(error) })),
    /** A code with which somebody pairs their chat, once. Throws when the messenger cannot be reached: it would be in vain. */
    async pair(messenger: "telegram" | "slack"): Promise<ResultOf<"notifyPair">> {
      const notify = await current();
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const missing = messenger === "slack" ? missingOfSlack(notify) : missingOfTelegram(notify);
      if (missing !== undefined) throw new ParleyError("settings", missing);
      const made = pairs.code(messenger);
      const invite = async () =>
        messenger === "slack"
          ? (await slack.get()).invite(notify, signal)
          : (await telegram.get()).invite(made.code, signal);
      const where = await invite().catch((error: unknown) => {
        pairs.forget(messenger);
        const words = error instanceof SendError ? error.message : "it failed; see the daemon's log";
        throw new ParleyError("settings", `The ${messenger === "slack" ? "app" : "bot"} cannot be used: ${words}`);
      });
      void notifier.tick();
      return { ...made, ...where };
    },
    pairs: (): ResultOf<"notifyPairs"> => ({
      pairs: pairs.list().map(({ messenger, id, name, at }) => ({ messenger, id, name, at })),
      expecting: pairs.isExpecting("telegram") || pairs.isExpecting("slack"),
    }),
    checked,
    async unpair(messenger: string, who: string): Promise<ResultOf<"notifyUnpair">> {
      const removed = await pairs.remove(messenger, who);
      void notifier.tick();
      return { removed: removed.map(({ name }) => name) };
    },
    /** What a signed-in browser does about pushes to it. */
    push: {
      ids: () => new Set(devices.list().map(({ browser }) => browser)),
      key: async () => (await devices.vapid()).publicKey,
      async subscribe(by: Signed, given: PushTo | null): Promise<void> {
        if (given === null) return devices.drop({ browser: by.id });
        const { endpoint, p256dh, auth } = given;
        const { refusedService } = await import("./push/push-service.ts");
        const refusal = refusedService(endpoint, (await current()).push.private_services);
        if (refusal !== undefined) throw new ParleyError("invalid", `No pushes to this browser: ${refusal}`);
        await devices.keep({ browser: by.id, endpoint, p256dh, auth });
        void notifier.tick();
      },
      drop: (browser: string) => devices.drop({ browser }),
      reply: async (...given: [Signed, string, number]): Promise<Told> => (await push.get()).reply(...given),
    },
    /**
     * Tries every channel, or one of them, now: whatever the hour, and also while notifications are switched off. `waitMs`:
     * how long one that takes answers waits for the press of its button.
     */
    async test(only: ChannelName | undefined, waitMs = 0, gone?: AbortSignal): Promise<NotifyTest> {
      const notify = await current();
      linkServer.follow(notify);
      const wanted = channels.filter(({ name }) => only === undefined || name === only);
      const results = await Promise.all(
        wanted.map(async (channel): Promise<NotifyTest["channels"][number]> => {
          const off = channel.off(notify, testNote(now()));
          if (off !== undefined) return { channel: channel.name, result: "off", detail: off };
          channel.follow?.(notify);
          try {
            return { channel: channel.name, result: "sent", detail: await tried(channel, waitMs, gone) };
          } catch (error) {
            const detail = error instanceof SendError ? error.message : "it failed; see the daemon's log";
            if (!(error instanceof SendError)) log("error", "notify test failed", { error: String(error) });
            return { channel: channel.name, result: "failed", detail };
          }
        }),
      );
      const base = notify.link_base || page.address();
      const port = notify.link_base === "" && base !== "" ? page.port() : linkServer.port;
      return {
        enabled: notify.enabled,
        channels: results,
        links: { base, ...(typeof port === "number" && { port }) },
      };
    },
  };

  /** Those that are set up: whether their tokens work. */
  async function checked(): Promise<{ messenger: string; works: boolean; detail: string }[]> {
    const notify = await current();
    const isSetUp = { telegram: missingOfTelegram(notify) === undefined, slack: missingOfSlack(notify) === undefined };
    const found = all.filter(({ name, check }) => check && isSetUp[name as keyof typeof isSetUp]);
    return Promise.all(
      found.map(async ({ name, check, follow }) => {
        follow?.(notify);
        try {
          const detail = (await check?.(notify, AbortSignal.timeout(PATIENCE_MS))) ?? "";
          return { messenger: name, works: true, detail };
        } catch (error) {
          const detail = error instanceof SendError ? error.message : "it failed; see the daemon's log";
          return { messenger: name, works: false, detail };
        }
      }),
    );
  }

  async function tried(channel: Messenger, waitMs: number, gone?: AbortSignal): Promise<string> {
    const notify = await current();
    const limit = AbortSignal.timeout(PATIENCE_MS + waitMs);
    const signal = gone ? AbortSignal.any([limit, gone]) : limit;
    if (channel.prove) return channel.prove(notify, waitMs, signal);
    return (await channel.send(testNote(now()), [], notify, signal)).detail;
  }
}
