import type { ConfigFiles } from "../machine/config-file.ts";
import type { ResultOf } from "../protocol/contract.ts";
import type { Ledger } from "../store/ledger.ts";
import type { Store } from "../store/store.ts";
import type { Clock, Inbox } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import { countSends } from "./counted.ts";
import { type ChannelName, SendError } from "./messenger.ts";
import { createSendQueue } from "./send-queue.ts";
import { createDesktop, type Env } from "./desktop.ts";
import { createLinkServer } from "./link-server.ts";
import { linkPage } from "./link-page.ts";
import { createLinks } from "./links.ts";
import { isPressable, testNote } from "./note.ts";
import { createNotifier } from "./notifier.ts";
import { createNtfy } from "./ntfy.ts";
import { createWebhook } from "./webhook.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  config: ConfigFiles;
  ledger: Ledger;
  env: Env;
  /** Of the page. `address`: under which the person reaches it from elsewhere; empty: they do not. */
  page?: { address: string; port: () => number | null };
  now: Clock;
  log: Log;
};
type NotifyTest = ResultOf<"notifyTest">;
export type Notifications = ReturnType<typeof createNotifications>;

const PATIENCE_MS = 10_000;
const NO_PAGE = { address: "", port: () => null };

/** All that tells a person about Asks outside of Parley's own surfaces. */
export function createNotifications({ store, inbox, config, ledger, env, page = NO_PAGE, now, log }: Deps) {
  const current = async () => (await config.current()).values.notify;
  const links = createLinks({ ledger, inbox, config: current, now });
  const linkServer = createLinkServer({ links, log });
  const desktop = createDesktop({ env, platform: process.platform, pressed: (ask, option) => void press(ask, option) });
  const { channels, counts } = countSends([desktop, createNtfy(), createWebhook({ now })]);
  const outside = { links, linkServer, pageAddress: page.address };
  const sendQueue = createSendQueue({ store, config, ledger, channels, desktop, ...outside, now, log });
  const notifier = createNotifier({ store, config, ledger, channels, sendQueue, linkServer, now, log });

  async function press(ask: string, option: number): Promise<void> {
    try {
      // A button of an earlier version may still be on the screen.
      if (!isPressable((await inbox.get(ask)).questions[0]?.options[option])) return;
      const settlement = { action: "answer" as const, answers: [{ picks: [option] }] };
      await inbox.settle(ask, settlement, { type: "person", surface: "desktop" });
    } catch (error) {
      log("warn", "a button came too late", { ask, error: error instanceof Error ? error.name : "" });
    }
  }

  return {
    tick: notifier.tick,
    /** What stands behind a link that leads to the page's port. Undefined: none does. */
    async openLink(request: Request): Promise<Response | undefined> {
      if (page.address === "" || (await current()).link_base !== "") return undefined;
      const own = ["127.0.0.1", "localhost"].map((name) => `${name}:${page.port()}`);
      return linkPage(request, links, [new URL(page.address).host, ...own]);
    },
    counts: () => counts,
    /** Contract: never throws; the daemon waits for it. */
    stop: () =>
      notifier
        .stop()
        .catch((error: unknown) => log("error", "notifications did not end well", { error: String(error) })),
    /** Tries every channel, or one of them, now: whatever the hour, and also while notifications are switched off. */
    async test(only: ChannelName | undefined): Promise<NotifyTest> {
      const notify = await current();
      linkServer.follow(notify);
      const wanted = channels.filter(({ name }) => only === undefined || name === only);
      const results = await Promise.all(
        wanted.map(async (channel): Promise<NotifyTest["channels"][number]> => {
          const note = testNote(now());
          const off = channel.off(notify, note);
          if (off !== undefined) return { channel: channel.name, result: "off", detail: off };
          try {
            const { detail } = await channel.send(note, [], notify, AbortSignal.timeout(PATIENCE_MS));
            return { channel: channel.name, result: "sent", detail };
          } catch (error) {
            const detail = error instanceof SendError ? error.message : "it failed; see the daemon's log";
            if (!(error instanceof SendError)) log("error", "notify test failed", { error: String(error) });
            return { channel: channel.name, result: "failed", detail };
          }
        }),
      );
      const base = notify.link_base || page.address;
      const port = notify.link_base === "" && base !== "" ? page.port() : linkServer.port;
      return {
        enabled: notify.enabled,
        channels: results,
        links: { base, ...(typeof port === "number" && { port }) },
      };
    },
  };
}
