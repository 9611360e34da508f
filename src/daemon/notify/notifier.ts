import { titleOf } from "../../agents/agents.ts";
import type { Ask } from "../../core/ask.ts";
import type { ConfigFiles } from "../../machine/config-file.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../inbox.ts";
import type { Log } from "../log.ts";
import type { Channel } from "./channel.ts";
import type { Courier } from "./courier.ts";
import type { Ledger } from "./ledger.ts";
import type { LinkServer } from "./link-server.ts";
import { noteOf } from "./note.ts";

type Deps = {
  store: Store;
  config: ConfigFiles;
  ledger: Ledger;
  channels: readonly Channel[];
  courier: Courier;
  linkServer: LinkServer;
  now: Clock;
  log: Log;
};

const STIRRING = new Set(["ask.captured", "ask.settled", "ask.ended", "ask.closed"]);
/** Many changes at once are one look. */
const STIR_MS = 20;
const LINKS_KEPT_MS = 7 * 86_400_000;
/** The daemon looks every few seconds anyway. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Decides which Asks a person is told about, and when. Contract: nothing waits for it, and whatever goes wrong in it
 * is a line in the log.
 */
export function createNotifier({ store, config, ledger, channels, courier, linkServer, now, log }: Deps) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakeAt = Infinity;
  let looking: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let stopped = false;
  const off = store.onCommit((events) => {
    if (events.some(({ type }) => STIRRING.has(type))) wakeIn(STIR_MS);
  });

  /** Contract: resolves after a look that began after the call; several calls meanwhile share one. */
  function tick(): Promise<void> {
    if (looking)
      return (next ??= looking.then(() => {
        next = undefined;
        return tick();
      }));
    looking = look()
      .catch((error: unknown) => log("error", "notifications failed", { error: String(error) }))
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function look(): Promise<void> {
    if (stopped) return;
    linkServer.follow((await config.current()).values.notify);
    ledger.forgetLinks(now() - LINKS_KEPT_MS);
    const open = await store.list({ states: ["open"], limit: 100_000 });
    let due = Infinity;
    for (const ask of open) if (!ledger.knows(ask.id)) due = Math.min(due, await announce(ask));
    due = Math.min(due, await courier.run(() => wakeIn(0)));
    if (Number.isFinite(due)) wakeIn(due - now());
  }

  /** Answers when to look at it again. */
  async function announce(ask: Ask): Promise<number> {
    const { notify } = (await config.current(ask.origin.cwd)).values;
    if (!notify.enabled) return Infinity;
    const at = ask.createdAt + notify.after_seconds * 1000;
    if (at > now()) return at;
    const note = noteOf(ask, titleOf(ask.origin.agent), { buttonsForApprovals: notify.buttons_for_approvals });
    const usable = channels.filter((channel) => channel.off(notify, note) === undefined).map(({ name }) => name);
    ledger.announce(ask.id, usable, now());
    return Infinity;
  }

  /** The earliest wish counts; every look makes its wishes anew. */
  function wakeIn(ms: number): void {
    const wait = Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
    const at = performance.now() + wait;
    if (stopped || at >= wakeAt) return;
    clearTimeout(timer);
    wakeAt = at;
    timer = setTimeout(() => {
      wakeAt = Infinity;
      void tick();
    }, wait);
  }

  return {
    tick,
    async stop(): Promise<void> {
      stopped = true;
      off();
      clearTimeout(timer);
      await looking;
      await courier.stop();
      await linkServer.stop();
      ledger.close();
    },
  };
}
