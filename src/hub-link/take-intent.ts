import { ParleyError } from "../core/error.ts";
import { safeLine } from "../core/text/text.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { FromHub, FromMachine } from "../protocol/hub.ts";
import type { Store } from "../store/store.ts";
import { isShared } from "./is-shared.ts";

type Intent = Extract<FromHub, { type: "intent" }>;
type Receipt = Extract<FromMachine, { type: "receipt" }>;
type Deps = { store: Store; inbox: Inbox; machine: string; projects: readonly string[] };

const keyOf = (machine: string, n: number): string => `settle hub ${machine} ${n}`;

/** Whoever gave this answer wants it back. Contract: what was settled with it stays, and that is said. */
export async function giveBack(
  { n }: { n: number },
  { store, machine }: Pick<Deps, "store" | "machine">,
): Promise<Receipt> {
  if (await store.used(keyOf(machine, n))) return { type: "receipt", n, state: "received" };
  return { type: "receipt", n, state: "withdrawn", detail: "Taken back before its machine had it" };
}

/** Of what the agent took back, or what ended by itself, nobody was faster. */
const ENDED = new Set(["withdrawn", "expired"]);

/**
 * What somebody decided in the hub, by the way of every answer: this machine says what became of it. Contract: the same
 * intent twice is settled once and gets the same receipt; throws when it cannot be said yet.
 */
export async function takeIntent(
  { n, ask: id, member, others = [], settlement }: Intent,
  deps: Deps,
): Promise<Receipt> {
  const { store, inbox, machine, projects } = deps;
  const receipt = (state: Receipt["state"], detail?: string): Receipt => ({
    type: "receipt",
    n,
    state,
    ...(detail !== undefined && { detail: safeLine(detail, { max: 1000 }) }),
  });
  const ask = await store.ask(id);
  if (!ask || !(await isShared(ask, projects, store))) return receipt("withdrawn", "This machine does not share it");
  const members = [...others, member].map((each) => ({ id: each.id, name: each.name }));
  const actor = {
    type: "person" as const,
    surface: "hub",
    name: members.map(({ name }) => name).join(" and "),
    member: member.id,
    ...(members.length > 1 && { members }),
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
      return receipt(outcome && ENDED.has(outcome.type) ? "withdrawn" : "overtaken", error.message);
    }
    if (error.code === "not_written" || error.code === "internal") throw error;
    return receipt("withdrawn", error.message);
  }
}
