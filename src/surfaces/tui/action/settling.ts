import { ParleyError } from "../../../core/error.ts";
import { recommendedAnswers } from "../../../core/ask/answer/recommended.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Settlement } from "../../cli/answering/settle-ask.ts";
import { pause } from "../../../machine/time/pause.ts";
import { safeLine } from "../../../core/text/text.ts";
import { nameOf } from "../draw/status-line.ts";
import type { Model } from "../model.ts";
import type { Drafts } from "./drafts.ts";
import type { Plan } from "./settle-many.ts";

type Deps = {
  model: Model;
  drafts: Drafts;
  repaint: () => void;
  /** Contract: throws `already_settled` when somebody was first. */
  send: (ask: AskView, settlement: Settlement) => Promise<AskView>;
  /** Somebody was first: says who. */
  late: (ask: AskView, error: ParleyError) => Promise<void>;
};
export type Settling = ReturnType<typeof createSettling>;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** How a person ends an Ask from the inbox. Contract: nothing here throws; what went wrong is said on the screen. */
export function createSettling({ model, drafts, repaint, send, late }: Deps) {
  /** What is being sent, by its Ask. */
  const underway = new Map<string, { ask: AskView; end: Promise<AskView | undefined> }>();
  const mine = new Set<string>();
  /** Why it did not come to be, by its Ask. */
  const refusals = new Map<string, string>();

  /** Undefined: it did not come to be; the line above the keys says why. */
  async function sent(ask: AskView, settle: () => Promise<AskView>): Promise<AskView | undefined> {
    // The same key twice is meant once.
    if (underway.has(ask.id)) return undefined;
    mine.add(ask.id);
    const end = settledBy(ask, settle);
    underway.set(ask.id, { ask, end });
    return end.finally(() => underway.delete(ask.id));
  }

  async function settledBy(ask: AskView, settle: () => Promise<AskView>): Promise<AskView | undefined> {
    try {
      const settled = await settle();
      drafts.forget(ask.id);
      model.marked.delete(ask.id);
      model.asks.put(settled);
      return settled;
    } catch (error) {
      refusals.set(ask.id, wordsOf(error));
      if (!(error instanceof ParleyError) || error.code !== "already_settled") return fail(error);
      await late(ask, error);
      return undefined;
    }
  }

  /** Waits for what is being sent; says of each that did not arrive, or may not have. */
  async function leave(mostMs: number): Promise<string[]> {
    const left = [...underway.values()].map(async ({ ask, end }) => {
      const isOver = await Promise.race([end.catch(() => undefined), pause(mostMs).then(() => "late" as const)]);
      if (isOver === "late") return `${nameOf(ask)}: nobody has said yet that it was received`;
      return isOver ? [] : `${nameOf(ask)}: ${safeLine(refusals.get(ask.id) ?? "", { max: 500 })}`;
    });
    return (await Promise.all(left)).flat();
  }

  function fail(error: unknown): undefined {
    model.say(`✗ ${wordsOf(error)}`, "error");
    return undefined;
  }

  /** Shows at once that the key was taken; a daemon that is just being started may take a moment. */
  async function act<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      return fail(error);
    } finally {
      repaint();
    }
  }

  const settle = (ask: AskView, settlement: Settlement) =>
    act(async () => {
      const settled = await sent(ask, () => send(ask, settlement));
      if (settled) model.said = { type: "follow", ids: [ask.id] };
      return settled;
    });

  const settleEach = (all: readonly { ask: AskView; settlement: Settlement }[]) =>
    act(async () => {
      const settled = await Promise.all(all.map(({ ask, settlement }) => sent(ask, () => send(ask, settlement))));
      const ids = settled.flatMap((ask) => ask?.id ?? []);
      if (ids.length > 0) model.said = { type: "follow", ids };
    });

  return {
    settle,
    settleEach,
    settleAll: ({ answered }: Plan) =>
      settleEach(answered.map(({ ask, answers }) => ({ ask, settlement: { action: "answer", answers } }))),
    async recommended(ask: AskView): Promise<void> {
      const found = recommendedAnswers(ask);
      if ("reason" in found) return model.say(`${nameOf(ask)}: ${found.reason}; Enter answers it`, "error");
      await settle(ask, { action: "answer", answers: found.answers });
    },
    /** It was settled here, or tried to be: then the line above the keys tells of it already. */
    isMine: (id: string) => mine.has(id),
    isUnderway: (id: string) => underway.has(id),
    leave,
    sent,
    act,
    fail,
  };
}
