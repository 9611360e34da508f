import type { Ask } from "../core/ask/ask.ts";
import type { ToldTrust, Trust } from "../core/hub-trust.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import { pause } from "../machine/time/pause.ts";
import {
  BEAT_MS,
  FromHub,
  type FromMachine,
  HUB_PATHS,
  LINK_ENDS,
  LINK_TAKES,
  SILENCE_MS,
} from "../protocol/hub/hub.ts";
import { readLine } from "../protocol/hub/read-line.ts";
import type { AskView } from "../protocol/view.ts";
import type { Store } from "../store/store.ts";
import type { Joined } from "./joined.ts";
import { giveBack, takeIntent } from "./take-intent.ts";
import { type GiveTask, giveTaskBack, offersOf, takeTask } from "./take-task.ts";
import { tellAsks } from "./tell-asks.ts";
import { toldWithout } from "./without.ts";
import { safelyParse } from "../core/safely-parse.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** So many messages may be on their way before the hub says that the first of them is on disk; it takes them in their order. */
const ON_THE_WAY = 8;
/** As many as a hub takes. */
const MOST_OFFERED = 100;

export type LinkState = "connecting" | "connected" | "away" | "revoked";
export type LinkDeps = { store: Store; inbox: Inbox; view: (ask: Ask) => AskView; giveTask: GiveTask; log: Log };
/** Whose signatures count, and what is demanded. `told` is what the hub says of it now; contract: kept when it resolves. */
export type TrustHere = { now: () => Trust; told: (trust: ToldTrust) => Promise<void> };
type Options = LinkDeps & { joined: Joined; onState: (state: LinkState) => void; trust: TrustHere };

/** The one line to the hub, dialled from here again and again until it is stopped, or the hub says that it is over. */
export function openLink({ joined, onState, ...deps }: Options): { stop(): void } {
  const ending = new AbortController();
  // Of all lines together: what an earlier one has begun to settle is settled before a later one is asked about it.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  void keep().catch((error: unknown) => deps.log("error", "the link to the hub ended", { error: String(error) }));
  return { stop: () => ending.abort() };

  async function keep(): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !ending.signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      onState("connecting");
      const { code, wasWelcome } = await talk(joined, { ...deps, onState, inTurn }, ending.signal);
      if (ending.signal.aborted) return;
      if (code === LINK_ENDS.revoked) {
        deps.log("warn", "the hub does not take this machine any more", { hub: joined.url });
        return onState("revoked");
      }
      onState("away");
      if (wasWelcome && code !== LINK_ENDS.replaced) wait = FIRST_PAUSE_MS;
      await pause(wait * (0.5 + Math.random() / 2), ending.signal);
    }
  }
}

/** What is answered with a receipt. */
type ToDo = Exclude<FromHub, { type: "welcome" | "taken" | "beat" }>;
/** An answer by its number, a task by its id. */
const nameOf = (message: ToDo): number | string =>
  message.type === "task" || message.type === "withdraw-task" ? message.id : message.n;

type Talk = LinkDeps & {
  trust: TrustHere;
  onState: (state: LinkState) => void;
  inTurn: (work: () => Promise<void>) => Promise<void>;
};

/** One connection, from beginning to end. Contract: never throws. */
function talk(joined: Joined, deps: Talk, stop: AbortSignal): Promise<{ code: number; wasWelcome: boolean }> {
  const { store, inbox, log, onState, inTurn, trust } = deps;
  const { projects, machine, token, ca, without } = joined;
  const view = (ask: Ask) => toldWithout(deps.view(ask), without);
  const address = `${joined.url.replace(/^http/, "ws").replace(/\/$/, "")}${HUB_PATHS.link}`;
  const { promise, resolve } = Promise.withResolvers<{ code: number; wasWelcome: boolean }>();
  const over = new AbortController();
  // Bun's own: a browser's takes no headers.
  const options = {
    headers: { authorization: `Bearer ${token}`, [LINK_TAKES.header]: LINK_TAKES.withdraw },
    ...(ca !== undefined && { tls: { ca } }),
  };
  const socket = new WebSocket(address, options);
  let [heardAt, wasWelcome] = [performance.now(), false];
  let onTheWay = 0;
  /** Which intents were asked back on this line. */
  const back = new Set<number | string>();
  let room = Promise.withResolvers<void>();
  const beat = setInterval(() => {
    if (performance.now() - heardAt > SILENCE_MS) return end(1006);
    say({ type: "beat" });
  }, BEAT_MS);
  const leave = () => end(1000);
  stop.addEventListener("abort", leave);
  socket.addEventListener("message", ({ data }) => hear(String(data)));
  socket.addEventListener("close", ({ code }) => end(code));
  socket.addEventListener("error", () => undefined);
  if (stop.aborted) leave();
  return promise;

  function end(code: number): void {
    if (over.signal.aborted) return;
    clearInterval(beat);
    stop.removeEventListener("abort", leave);
    over.abort();
    room.resolve();
    // With its code it is a goodbye: nothing of this machine comes again by itself.
    if (code === 1000) socket.close(code);
    else socket.close();
    resolve({ code, wasWelcome });
  }

  function say(message: FromMachine): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  function failed(error: unknown): void {
    if (over.signal.aborted) return;
    log("warn", "the link to the hub starts again", { error: String(error) });
    end(1011);
  }

  function hear(text: string): void {
    heardAt = performance.now();
    const parsed = safelyParse(FromHub, readLine(text));
    if (!parsed.success) return failed("the hub says what this Parley does not know");
    const message = parsed.data;
    if (message.type === "taken") {
      onTheWay--;
      return room.resolve();
    }
    const { trust: told } = message as { trust?: ToldTrust };
    if (told && (message.type === "welcome" || message.type === "beat"))
      void inTurn(() => trust.told(told)).catch(failed);
    if (message.type === "welcome") {
      wasWelcome = true;
      onState("connected");
      if (joined.tasks && message.gives?.includes("tasks"))
        void offersOf(joined)
          .then((offered) => say({ type: "offers", projects: offered.slice(0, MOST_OFFERED) }))
          .catch(failed);
      void tellAsks(message.after, { store, projects, view, send, from: joined.from, over: over.signal }).catch(failed);
    }
    if (message.type === "welcome" || message.type === "beat") return;
    if (message.type === "withdraw" || message.type === "withdraw-task") back.add(nameOf(message));
    void inTurn(() => take(message)).catch(failed);
  }

  async function take(message: ToDo): Promise<void> {
    if (message.type === "intent" || message.type === "task") {
      // Whoever wakes hears all that was said meanwhile at once: that it was taken back, or that the line is gone.
      await new Promise((resolve) => setImmediate(resolve));
      if (back.has(nameOf(message))) return;
    }
    if (!over.signal.aborted) say(await receiptOf(message));
  }

  function receiptOf(message: ToDo): Promise<FromMachine> {
    const work = { store, joined, giveTask: deps.giveTask, trust: trust.now(), log };
    switch (message.type) {
      case "intent":
        return takeIntent(message, { store, inbox, machine: machine.id, projects, view, trust: trust.now() });
      case "withdraw":
        return giveBack(message, { store, machine: machine.id });
      case "task":
        return takeTask(message, work);
      case "withdraw-task":
        return giveTaskBack(message, work);
    }
  }

  async function send(asks: AskView[], upTo: number | undefined): Promise<void> {
    if (over.signal.aborted) throw new Error("the line is gone");
    say({ type: "asks", asks, ...(upTo !== undefined && { upTo }) });
    onTheWay++;
    while (onTheWay >= ON_THE_WAY && !over.signal.aborted) {
      room = Promise.withResolvers<void>();
      await room.promise;
    }
    if (over.signal.aborted) throw new Error("the line is gone");
  }
}
