import { randomBytes } from "node:crypto";
import type { Notify } from "../../core/config/config.ts";
import type { Clock } from "../../inbox/inbox.ts";
import type { Log } from "../../machine/log.ts";
import { createWaits } from "../../machine/time/waits.ts";
import type { Ledger } from "../../store/ledger.ts";
import { type Messenger, outOf, type Ref, SendError, type TakeReply, type Told } from "../messenger.ts";
import type { Note } from "../note.ts";
import { provePress, type Tests } from "../prove.ts";
import type { Device, Devices, Signed } from "./devices.ts";
import { pushEarly } from "./early.ts";
import { askPayload, closePayload, type Payload, pressedOn, sayPayload, TEST } from "./payload.ts";
import { sendPush } from "./send-push.ts";

type Deps = { devices: Devices; ledger: Ledger; take: TakeReply; now: Clock; log: Log };
/** What one device was sent. `tried`: perhaps; nobody said so. */
type Out = { browser: string; message: string; tried?: true };
export type Push = ReturnType<typeof createPush>;

const NAME = "push";
/** Of a message that others have got. */
const MOST_TRIES = 4;

/** Web Push to browsers that signed in to the page: encrypted for each of them, answered by its worker. */
export function createPush({ devices, ledger, take, now, log }: Deps) {
  const tests: Tests = new Map();
  /** Services that said when they take more. */
  const held = new Map<string, number>();
  const waits = createWaits(now);

  const { isWanted: _, ...early } = pushEarly(devices);
  const messenger: Messenger = {
    ...early,
    async send(note, _links, config, signal, progress = { ref: {}, keep: () => undefined }) {
      let out = outOf<Out>(progress.ref);
      const tries = Number(progress.ref["tries"] ?? 0) + 1;
      const known = devices.list();
      const isReached = ({ browser }: Device) => out.some((done) => done.browser === browser && !done.tried);
      const others = ({ browser }: Device) => out.filter((done) => done.browser !== browser);
      const keep = (next: Out[]) => progress.keep({ out: (out = next), tries });
      const sent = await each(
        known.filter((device) => !isReached(device)),
        async (device) => {
          const { browser } = device;
          const message = out.find((done) => done.browser === browser)?.message ?? bind(note, device, config);
          // Before it may be out: whoever goes on sends it in its own place, or takes it back.
          keep([...others(device), { browser, message, tried: true }]);
          try {
            await deliver(device, askPayload(note, message, config.push.text), config, signal);
          } catch (error) {
            if (error instanceof SendError && error.status !== undefined) keep(others(device));
            throw error;
          }
          keep([...others(device), { browser, message }]);
        },
      );
      const reached = known.filter(isReached);
      // Who was reached is told so; the others have a few more chances.
      if (sent.lost?.again && (reached.length === 0 || tries < MOST_TRIES)) throw sent.lost;
      if (reached.length === 0) throw sent.lost ?? new SendError("no phone takes pushes any more", { again: false });
      const to = reached.map(({ name }) => name).join(", ");
      return { ref: { out }, detail: `sent to ${to}`, to };
    },
    async remind(ref, note, _links, config, signal) {
      const { reached, lost } = await each(reachedBy(ref), async ({ device, message }) => {
        await deliver(device, { ...askPayload(note, message, config.push.text), again: true }, config, signal);
      });
      if (reached.length === 0) throw lost ?? new SendError("nobody was reached", { again: false });
      const to = reached.map(({ device }) => device.name).join(", ");
      return { ref, detail: `reminded ${to}`, to };
    },
    async tell({ ask, person }, words, signal) {
      const answered = new Set(ledger.messagesOf(NAME, ask).map((row) => row.person));
      const meant = devices
        .list()
        .filter(({ browser, name }) => answered.has(browser) && (person === undefined || name === person));
      const config = latest();
      const { reached, lost } = await each(meant, (device) =>
        deliver(device, sayPayload(ask, words, config.push.text), config, signal),
      );
      if (reached.length === 0)
        throw lost ?? new SendError("whoever answered takes no pushes any more", { again: false });
      return reached.map(({ name }) => name).join(", ");
    },
    async withdraw(ref, ending, config, signal, keep) {
      const payload = closePayload(ending, config.push.text);
      let left = outOf<Out>(ref);
      const { lost } = await each(reachedBy(ref), async ({ device, message }) => {
        await deliver(device, payload, config, signal);
        // Whom it has reached is not told again because of another.
        left = left.filter((one) => one.message !== message);
        keep?.({ out: left });
      });
      if (lost?.again) throw lost;
    },
    follow(config) {
      settings = config;
    },
    async prove(config, ms, signal) {
      const message = newMessage();
      return provePress(tests, message, { ms, signal }, async () => {
        const payload = { ...TEST, message, actions: [{ action: "0", title: "It works" }] };
        const { reached, lost } = await each(devices.list(), (device) => deliver(device, payload, config, signal));
        if (reached.length === 0) throw lost ?? new SendError("no phone takes pushes", { again: false });
        return `sent to ${reached.map(({ name }) => name).join(", ")}`;
      });
    },
  };
  let settings: Notify | undefined;
  const latest = (): Notify => {
    if (!settings) throw new SendError("the settings are not read yet", { again: true });
    return settings;
  };

  return {
    messenger,
    /** A press in a notification. Contract: only by the browser that got it, only what it showed. */
    async reply(by: Signed, message: string, option: number): Promise<Told> {
      const test = tests.get(message);
      if (test) {
        test(by.name);
        return { state: "answered", words: "It works" };
      }
      const row = ledger.message(NAME, message);
      const pressed = row?.draft["buttons"];
      if (!row || row.person !== by.id) return { state: "unknown", words: "That notification is not known any more." };
      if (!Array.isArray(pressed) || !pressed.includes(option))
        return { state: "refused", words: "Not answered. Open the question to answer it." };
      const input = { type: "press", question: 0, option } as const;
      // One press, however often a worker says so.
      const id = `${message} ${option}`;
      return take({ messenger: NAME, id, ask: row.ask, version: row.version, message, person: by, input });
    },
  };

  /** One after the other: each has a service of its own, and what one does not take keeps nobody else from it. */
  async function each<T>(all: readonly T[], step: (one: T) => Promise<void>) {
    const reached: T[] = [];
    let lost: SendError | undefined;
    for (const one of all)
      try {
        await step(one);
        reached.push(one);
      } catch (error) {
        if (!(error instanceof SendError)) throw error;
        log("warn", "a device was not reached", { messenger: NAME, error: error.message });
        // What may work later counts for more.
        lost = lost?.again ? lost : error;
      }
    const isAlone = devices.list().some(({ endpoint }) => heldFor(endpoint) <= 0);
    if (lost?.afterMs !== undefined && isAlone) {
      const { again, afterMs, status } = lost;
      lost = new SendError(lost.message, { again, afterMs, status, alone: true });
    }
    return { reached, lost };
  }

  /** A press names it, so it is on disk before the message is out. */
  function bind(note: Note, { browser }: Device, { push }: Notify): string {
    const message = newMessage();
    const buttons = push.text ? pressedOn(note).map(({ option }) => option) : [];
    const version = note.chat?.version;
    if (version !== undefined)
      ledger.keepMessage({
        channel: NAME,
        message,
        ask: note.ask,
        version,
        person: browser,
        draft: { buttons },
        at: now(),
      });
    return message;
  }

  async function deliver(device: Device, payload: Payload, { push }: Notify, signal: AbortSignal): Promise<void> {
    const { endpoint, name } = device;
    signal.throwIfAborted();
    const { host, origin } = new URL(endpoint);
    const wait = heldFor(endpoint);
    if (wait > 0) throw new SendError(`${host} takes no more for now`, { again: true, afterMs: wait, status: 429 });
    try {
      const by = { vapid: await devices.vapid(), isPrivateFine: push.private_services, at: now() };
      await sendPush(device, payload, by, signal);
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      if (error.afterMs !== undefined) held.set(origin, now() + error.afterMs);
      if (error.status === 401 || error.status === 403)
        throw new SendError(
          `${host} answered ${error.status}: it does not take what this machine signs. If its clock is right, switch pushes off and on again on ${name}`,
          { again: false, status: error.status },
        );
      if (error.status !== 404 && error.status !== 410) throw error;
      await devices.drop({ endpoint });
      log("warn", "a device takes no pushes any more", { messenger: NAME, status: error.status });
      throw new SendError(`${name} takes no pushes any more: open the page on it and switch them on again`, {
        again: false,
        status: error.status,
      });
    }
  }

  /** A service that said so is left alone; the others are not. */
  function heldFor(endpoint: string): number {
    const { origin } = new URL(endpoint);
    const until = held.get(origin);
    return until === undefined ? 0 : waits.left(origin, until);
  }

  function reachedBy(ref: Ref): { device: Device; message: string }[] {
    const known = devices.list();
    return outOf<Out>(ref).flatMap(({ browser, message }) => {
      const device = known.find((one) => one.browser === browser);
      return device ? [{ device, message }] : [];
    });
  }
}

const newMessage = () => randomBytes(16).toString("base64url");
