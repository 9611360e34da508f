import type { Agent } from "../agents/agent.ts";
import { agentNamed } from "../agents/agents.ts";
import type { Channel, Sent } from "./channel.ts";
import type { Holds } from "./holds.ts";
import type { Ask, Delivery } from "../core/ask/ask.ts";
import { type Layout, mannerOf } from "../agents/capability/screen-layout.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import type { Question } from "../core/ask/question.ts";
import { decisionToSend } from "../core/receipt/send.ts";
import type { Intent } from "../keys/drive/intent.ts";
import { isAlive } from "../machine/process/process.ts";
import { createSerial } from "../machine/time/serial.ts";
import { eachAsk } from "../store/each-ask.ts";
import type { Store } from "../store/store.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import type { Reconciler } from "../inbox/reconcile.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  holds: Holds;
  reconciler: Reconciler;
  /** Also for sessions that nobody asked to watch, when no hook waits for the answer any more. */
  isForAll: () => boolean;
  log: Log;
};
/** A receipt comes when the agent has gone on with it. */
const RECEIPT_MS = 15_000;
/** What decides at once, such as a grant, is faster than the dialog that it answers. */
const APPEARS_MS = 5_000;
export type KeyChannel = Required<Omit<Channel, "letGo">>;

/**
 * Types a settled outcome into the agent's own dialog, where no hook waits for it.
 * Contract: what was begun is on disk before the first key and is never typed again, whatever ended it.
 */
export function createKeyChannel({ store, inbox, holds, reconciler, isForAll, log }: Deps): KeyChannel {
  const serial = createSerial();
  const ending = new AbortController();

  async function deliver({ id, origin: { pane }, outcome }: Ask, { key }: Delivery): Promise<Sent> {
    if (!pane) return "never";
    if (!outcome) return "later";
    try {
      return (await serial(`${pane.server} ${pane.id}`, () => type(id, key))) ? "sent" : "later";
    } catch (error) {
      log("error", "keys failed", { ask: id, error: String(error) });
      return "later";
    }
  }

  /** False: something better exists, or it has been typed already. */
  function reaches(ask: Ask, { state, typedAt, channel, hold, released }: Delivery): boolean {
    if (!["open", "settled"].includes(ask.state) || !isSayable(ask) || !ask.origin.pane) return false;
    const isTyped = agentNamed(ask.origin.agent)?.hooks?.isTyped ?? false;
    if (holds.of(ask.id).length > 0 || ask.origin.subagent !== undefined) return false;
    if (state !== "waiting" || typedAt !== undefined) return false;
    if (channel === "none") return false;
    return channel === "keys" || ((isTyped || isForAll()) && (hold === undefined || released !== undefined));
  }

  const deliveryFor = (ask: Ask): Delivery | undefined =>
    ask.outcome && ask.deliveries.find((delivery) => reaches(ask, delivery));

  /** Whether all of it was typed. */
  async function type(id: string, key: string): Promise<boolean> {
    const ask = await store.ask(id);
    const agent = ask && agentNamed(ask.origin.agent);
    const said = ask?.outcome && sayingOf(agent, ask, ask.outcome);
    const pane = ask?.origin.pane;
    if (!ask || !pane || !deliveryFor(ask)) {
      log("debug", "no keys: it is decided otherwise by now", { ask: id });
      return false;
    }
    if (!agent?.screens || !said)
      return stopped(id, key, `keys cannot say "${ask.outcome?.type}" to ${agent?.title ?? ask.origin.agent}`);
    const session = ask.origin.session === undefined ? undefined : await store.session(ask.origin.session);
    // Whoever runs in its pane now may ask the same: what was answered to this one is not theirs.
    if (session?.process && !isAlive(session.process)) return stopped(id, key, `${agent.title} has ended there`);
    const version = session?.transcript === undefined ? undefined : await agent.record?.versionOf(session.transcript);
    try {
      // Read when the first answer is typed: elsewhere a hook takes it.
      const [{ answerByKeys }, { openPane }] = await Promise.all([
        import("../keys/answer-by-keys.ts"),
        import("../keys/pane.ts"),
      ]);
      const result = await answerByKeys({
        pane: await openPane(pane),
        layouts: agent.screens,
        ...(version !== undefined && { version }),
        ...said,
        onIntent: () => begin(id, key, pane.id),
        signal: ending.signal,
        appearsMs: agent.hooks?.isTyped ? APPEARS_MS : 0,
      });
      if (result.type === "stopped") return await stopped(id, key, result.where);
      await inbox.change(id, ({ deliveries }) =>
        deliveries.some((d) => d.key === key && d.state === "waiting")
          ? [{ type: "ask.sent", key, channel: "keys" }]
          : [],
      );
      await reconciler.follow(id, RECEIPT_MS);
      return true;
    } catch (error) {
      return await stopped(id, key, error instanceof Error ? error.message : String(error));
    }
  }

  async function begin(id: string, key: string, pane: string): Promise<void> {
    let mine = false;
    await inbox.change(id, (ask) => {
      mine = deliveryFor(ask)?.key === key;
      return mine ? [{ type: "ask.typing", key, pane }] : [];
    });
    if (!mine) throw new Error("it was decided or taken another way meanwhile");
  }

  /** Where the driver ended is told on every surface; the dialog is still there for a person. */
  async function stopped(id: string, key: string, where: string): Promise<false> {
    log("warn", "keys stopped", { ask: id, where });
    await inbox.change(id, ({ deliveries }) => {
      const mine = deliveries.find((d) => d.key === key && d.state === "waiting");
      return mine && mine.released !== where ? [{ type: "ask.released", key, hold: "", reason: where }] : [];
    });
    void reconciler.follow(id);
    return false;
  }

  return {
    name: "keys",
    reaches,
    deliver,
    /** What an earlier daemon had begun to type stays as it is: only its record can say how far it came. */
    async resume(): Promise<void> {
      for await (const ask of eachAsk(store, ["settled"])) {
        const begun = ask.deliveries.find(
          (d) => d.state === "waiting" && d.typedAt !== undefined && d.released === undefined,
        );
        const due = deliveryFor(ask);
        if (begun) await stopped(ask.id, begun.key, "Parley was ended while it typed: look at its terminal");
        else if (due) void deliver(ask, due);
      }
    },
    stop: () => ending.abort(),
  };
}

const isSayable = ({ kind, origin }: Ask): boolean => {
  const agent = agentNamed(origin.agent);
  return kind === "question" || (kind === "approval" && (agent?.typed !== undefined || agent?.hooks?.isTyped === true));
};

/** Undefined: there is no row or key for it. */
function sayingOf(agent: Agent | undefined, ask: Ask, outcome: Outcome): Saying | undefined {
  if (agent?.typed) {
    const said = agent.typed(ask, outcome);
    return said && { questions: said.questions, intent: { type: "answers", answers: said.answers } };
  }
  const intent = intentOf(ask, outcome, agent?.screens ?? []);
  return intent && { questions: ask.questions, intent };
}
type Saying = { questions: readonly Question[]; intent: Intent };

function intentOf(ask: Ask, outcome: Outcome, layouts: readonly Layout[]): Intent | undefined {
  const { type, answers, message } = outcome;
  if (ask.kind === "approval") return verdictOf(ask, outcome);
  if (type === "answered" && answers) return { type: "answers", answers };
  const isLeft = layouts.every((layout) => mannerOf(layout) !== undefined);
  if (type === "chat" && message) return isLeft ? { type: "leave", text: message } : { type: "chat", text: message };
  if (isLeft && (type === "declined" || type === "cancelled"))
    return { type: "leave", ...(message !== undefined && { text: message }) };
  return undefined;
}

/** Words of a person follow as a message; what nobody said is not put into their mouth. */
function verdictOf({ kind, questions, call }: Ask, outcome: Outcome): Intent | undefined {
  if (!call) return undefined;
  const sent = decisionToSend({ kind, questions }, outcome);
  const [answer] = outcome.answers ?? [];
  const about = { type: "verdict" as const, call, body: questions[0]?.body ?? "" };
  if (sent.allow) return { ...about, row: questions[0]?.options[sent.pick]?.target ?? "" };
  const words = outcome.actor.type === "person" ? (answer?.note ?? answer?.text ?? outcome.message) : undefined;
  return { ...about, row: "deny", ...(words !== undefined && { text: words }) };
}
