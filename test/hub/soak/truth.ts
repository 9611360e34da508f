import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { HubDatabase } from "../../../src/store/hub/schema.ts";
import { openHubPostgres } from "../../../src/store/postgres/hub.ts";
import { openHubSqlite } from "../../../src/store/sqlite/hub.ts";
import { noteOf } from "./crowd.ts";
import type { Ledger } from "./ledger.ts";
import type { World } from "./world.ts";

export type Findings = { lost: string[]; doubled: string[]; untrue: string[]; unseen: Record<string, number> };
type Own = { version: number; state: string; outcome?: Outcome; settled: number; captured: number };
type Outcome = { type: string; answers?: { note?: string }[]; actor?: { surface?: string; member?: string } };
type Copy = { machine: string; id: string; version: number; state: string };
type Intent = {
  machine: string;
  n: number;
  key: string;
  ask: string;
  member: string;
  settlement: string;
  state: string;
};
export type Evidence = {
  ledger: Ledger;
  /** Of each machine's id, in order. */
  machines: readonly string[];
  own: readonly Map<string, Own>[];
  copies: readonly Copy[];
  intents: readonly Intent[];
  names: ReadonlyMap<string, string>;
  counters: readonly { id: string; intents: number }[];
};

/** What is left, in the machines and in the hubs' own database. */
export async function gather(world: World, ledger: Ledger): Promise<Evidence> {
  const place = world.place();
  const hub: HubDatabase =
    "data" in place ? openHubSqlite(join(place.data, "hub.db")) : await openHubPostgres({ url: place.database });
  try {
    const members = await hub.run<{ id: string; name: string }>("SELECT id, name FROM hub_members");
    return {
      ledger,
      machines: world.machines.map(({ id }) => id),
      own: world.machines.map(({ program }) => ownAsks(program.paths.database)),
      copies: await hub.run<Copy>("SELECT machine, id, version, state FROM hub_asks"),
      intents: await hub.run<Intent>(
        "SELECT machine, n, key, ask, member, settlement, state FROM hub_intents ORDER BY machine, n",
      ),
      names: new Map(members.map(({ id, name }) => [id, name])),
      counters: await hub.run<{ id: string; intents: number }>("SELECT id, intents FROM hub_machines"),
    };
  } finally {
    await hub.close();
  }
}

function ownAsks(file: string): Map<string, Own> {
  const db = new Database(file, { readonly: true });
  const counts = db
    .query<{ ask: string; settled: number; captured: number }, []>(
      `SELECT ask, sum(type = 'ask.settled') AS settled, sum(type = 'ask.captured') AS captured FROM events
       WHERE ask IS NOT NULL GROUP BY ask`,
    )
    .all();
  const of = new Map(counts.map(({ ask, ...each }) => [ask, each]));
  const rows = db.query<{ id: string; data: string }, []>("SELECT id, data FROM asks").all();
  db.close();
  return new Map(
    rows.map(({ id, data }) => {
      const { version, state, outcome } = JSON.parse(data) as Own;
      return [id, { version, state, ...(outcome && { outcome }), ...(of.get(id) ?? { settled: 0, captured: 0 }) }];
    }),
  );
}

/** What was promised, compared with what is left. Pure: the words are those of docs/reliability.md. */
export function examine({ ledger, machines, own, copies, intents, names, counters }: Evidence): Findings {
  const found: Findings = { lost: [], doubled: [], untrue: [], unseen: {} };
  const copyOf = new Map(copies.map((copy) => [`${copy.machine} ${copy.id}`, copy]));
  const byKey = new Map(intents.map((intent) => [intent.key, intent]));
  const machineOf = new Map(ledger.asked.map(({ id, machine }) => [id, machine]));
  const ownOf = (ask: string) => own[machineOf.get(ask) ?? -1]?.get(ask);

  for (const { id, machine, question, received, seen } of ledger.asked) {
    const [mine, copy] = [own[machine]?.get(id), copyOf.get(`${machines[machine]} ${id}`)];
    const about = `${question} (${id} of machine ${machine})`;
    if (!mine) found.lost.push(`${about}: acknowledged, and the machine does not have it`);
    if (!copy) found.lost.push(`${about}: acknowledged, and never told to the hub`);
    if (!mine || !copy) continue;
    if (mine.captured !== 1) found.doubled.push(`${about}: asked ${mine.captured} times`);
    if (mine.settled > 1) found.doubled.push(`${about}: settled ${mine.settled} times`);
    if (copy.version !== mine.version || copy.state !== mine.state)
      found.untrue.push(
        `${about}: ${mine.state} ${mine.version} on its machine, ${copy.state} ${copy.version} in the hub`,
      );
    const note = mine.outcome && noteOf(mine.outcome);
    if (received !== note) found.untrue.push(`${about}: its agent was told ${received}, the machine says ${note}`);
    if (!seen) found.unseen["settled-first"] = (found.unseen["settled-first"] ?? 0) + 1;
    if (mine.outcome?.actor?.surface !== "hub") continue;
    const theirs = intents.find((each) => each.ask === id && each.state === "received");
    if (!theirs || noteIn(theirs) !== note || theirs.member !== mine.outcome.actor.member)
      found.untrue.push(`${about}: settled from the hub with ${note}, and the hub has ${JSON.stringify(theirs)}`);
  }

  for (const { ask, member, key, note, reply, first } of ledger.said) {
    const mine = byKey.get(key);
    const about = `${note} of ${member} to ${ask}`;
    if (reply === "acknowledged" && !mine) found.lost.push(`${about}: acknowledged, and the hub does not have it`);
    if (mine && (noteIn(mine) !== note || names.get(mine.member) !== member))
      found.untrue.push(`${about}: kept as ${JSON.stringify(mine)}`);
    if (reply === "unknown") found.lost.push(`${about}: a hub showed the question, and does not know it any more`);
    if (reply === "second" && !intents.some((each) => each.ask === ask && names.get(each.member) === first))
      found.untrue.push(`${about}: told that ${first} was first, who has no answer there`);
    if (reply === "settled" && !ownOf(ask)?.outcome)
      found.untrue.push(`${about}: told that it is settled, and it is not`);
    // What was refused and stands nevertheless.
    if ((reply === "second" || reply === "settled") && mine && mine.state !== "withdrawn")
      found.untrue.push(`${about}: refused, and kept as ${mine.state}`);
  }

  const standing = new Map<string, number>();
  for (const intent of intents) {
    const { ask, state, n } = intent;
    const about = `intent ${n} for ${ask}`;
    const outcome = ownOf(ask)?.outcome;
    const isOurs = outcome !== undefined && noteOf(outcome) === noteIn(intent);
    if (state !== "withdrawn") standing.set(ask, (standing.get(ask) ?? 0) + 1);
    if (state === "sent") found.lost.push(`${about}: its machine never said what became of it`);
    if (state === "received" && !isOurs)
      found.untrue.push(`${about}: received, and its machine has ${JSON.stringify(outcome)}`);
    if ((state === "overtaken" || state === "withdrawn") && (isOurs || !outcome))
      found.untrue.push(`${about}: ${state}, and its machine has ${JSON.stringify(outcome)}`);
    if (state === "overtaken" && (outcome?.type === "withdrawn" || outcome?.type === "expired"))
      found.untrue.push(`${about}: overtaken, and nobody was faster: ${outcome.type}`);
  }
  for (const [ask, n] of standing) if (n > 1) found.doubled.push(`${ask}: ${n} answers count in the hub`);
  for (const { id, intents: last } of counters) {
    const numbers = intents.filter(({ machine }) => machine === id).map(({ n }) => n);
    if (numbers.length !== last || numbers.some((n, i) => n !== i + 1))
      found.untrue.push(`the intents of ${id} have the numbers ${numbers.join(" ")}, and the counter is ${last}`);
  }
  return found;
}

const noteIn = ({ settlement }: Intent): string | undefined =>
  (JSON.parse(settlement) as { answers?: { note?: string }[] }).answers?.[0]?.note;
