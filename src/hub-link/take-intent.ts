import type { Ask } from "../core/ask/ask.ts";
import { type ErrorCode, ParleyError } from "../core/error.ts";
import type { Trust } from "../core/hub-trust.ts";
import { safeLine } from "../core/text/text.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { FromHub, FromMachine, WithdrawnReason } from "../protocol/hub/hub.ts";
import type { AskView } from "../protocol/view.ts";
import type { Store } from "../store/store.ts";
import { isShared } from "./is-shared.ts";
import { judgeIntent } from "./trust.ts";

type Intent = Extract<FromHub, { type: "intent" }>;
type Receipt = Extract<FromMachine, { type: "receipt" }>;
type Deps = {
  store: Store;
  inbox: Inbox;
  machine: string;
  projects: readonly string[];
  /** As the hub is told of it. */
  view: (ask: Ask) => AskView;
  trust: Trust;
};

const keyOf = (machine: string, n: number): string => `settle hub ${machine} ${n}`;

/** A hub that was put back from a backup gives its numbers again: what was settled then says nothing about another Ask. */
const isUsedFor = async (ask: string, key: string, store: Store): Promise<boolean> =>
  (await store.used(key))?.ask.id === ask;

/** Whoever gave this answer wants it back. Contract: what was settled with it stays, and that is said. */
export async function giveBack(
  { n, ask }: { n: number; ask: string },
  { store, machine }: Pick<Deps, "store" | "machine">,
): Promise<Receipt> {
  if (await isUsedFor(ask, keyOf(machine, n), store)) return { type: "receipt", n, state: "received" };
  const detail = "Taken back before its machine had it";
  return { type: "receipt", n, state: "withdrawn", detail, reason: "taken-back" };
}

/** What whoever settles here says of an answer that it does not take. */
const REASONS: Partial<Record<ErrorCode, WithdrawnReason>> = { invalid: "invalid", not_answerable: "over" };

/** Of what the agent took back, or what ended by itself, nobody was faster. */
const ENDED = new Set(["withdrawn", "expired"]);

/**
 * What somebody decided in the hub, by the way of every answer: this machine says what became of it. Contract: the same
 * intent twice is settled once and gets the same receipt; throws when it cannot be said yet.
 */
export async function takeIntent(intent: Intent, deps: Deps): Promise<Receipt> {
  const { n, ask: id, member, settlement } = intent;
  const { store, inbox, machine, projects, view, trust } = deps;
  const receipt = (state: Receipt["state"], detail?: string): Receipt => ({
    type: "receipt",
    n,
    state,
    ...(detail !== undefined && { detail: safeLine(detail, { max: 1000 }) }),
  });
  const withdrawn = (reason: WithdrawnReason, detail: string): Receipt => ({ ...receipt("withdrawn", detail), reason });
  const ask = await store.ask(id);
  if (!ask || !(await isShared(ask, projects, store))) return withdrawn("not-shared", "This machine does not share it");
  // What was settled with it stays, whatever is demanded now.
  if (await isUsedFor(id, keyOf(machine, n), store)) return receipt("received");
  const judged = await judgeIntent(intent, view(ask), trust, machine);
  if (!judged.ok) {
    if (!ask.outcome) return withdrawn("demand", judged.why);
    return ENDED.has(ask.outcome.type) ? withdrawn("over", judged.why) : receipt("overtaken", judged.why);
  }
  const { members, signed } = judged;
  const actor = {
    type: "person" as const,
    surface: "hub",
    name: members.map(({ name }) => name).join(" and "),
    member: member.id,
    ...(members.length > 1 && { members }),
    ...(signed.length > 0 && { signed }),
  };
  // The version is that of the copy: what is newer here is looked at by whoever settles.
  const { version: _, ...decided } = settlement;
  try {
    await inbox.once(keyOf(machine, n), { id, ...decided, member: member.id }, (key) =>
      inbox.settle(id, decided, actor, key),
    );
    return receipt("received");
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    if (error.code === "already_settled") {
      const { outcome } = (await store.ask(id)) ?? {};
      const isEnded = outcome !== undefined && ENDED.has(outcome.type);
      return isEnded ? withdrawn("over", error.message) : receipt("overtaken", error.message);
    }
    if (error.code === "not_written" || error.code === "internal") throw error;
    return withdrawn(REASONS[error.code] ?? "refused", error.message);
  }
}
