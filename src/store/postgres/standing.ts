import type { Agreement } from "../../core/ask/answer/agreement.ts";
import type { Session } from "../../core/ask/session.ts";
import type { Grant } from "../../core/grant/grant.ts";
import { isCapture, type Standing } from "../fold.ts";
import type { TallyRow } from "../projections.ts";
import type { Change } from "../store.ts";
import { readAsk, readTask } from "../stored.ts";
import type { Run } from "./line.ts";

export type Row = { data: string };
type Piloted = { ask: string; at: number; session: string | null; decider: string; result: Agreement; spent: number };

/**
 * All that these changes name, read in one go. To be called inside the transaction: the first thing it does is to take the
 * counter, which nobody else has until the commit; what is read after it is what stands. `trusting`: an id that is said to be
 * new is not looked for, and the server refuses the row of one that is taken.
 */
export async function readStanding(run: Run, changes: readonly Change[], writer: string, trusting: boolean) {
  const ids = namedIn(changes, trusting);
  const some = <T extends object>(names: readonly string[], text: string): Promise<T[]> =>
    names.length === 0 ? Promise.resolve([]) : run<T>(text, [names]);
  const [counter, written, asks, usedAsks, sessions, tasks, grants, tallies, uses] = await Promise.all([
    run<{ seq: number }>("SELECT seq FROM counter WHERE one FOR UPDATE"),
    run<{ batch: number }>("SELECT batch FROM writers WHERE id = $1", [writer]),
    some<Row>(ids.asks, "SELECT data FROM asks WHERE id = ANY($1::text[])"),
    some<Row>(ids.keys, "SELECT a.data FROM once o JOIN asks a ON a.id = o.ask WHERE o.key = ANY($1::text[])"),
    some<Row>(ids.sessions, "SELECT data FROM sessions WHERE id = ANY($1::text[])"),
    some<Row>(ids.tasks, "SELECT data FROM tasks WHERE id = ANY($1::text[])"),
    some<Row>(ids.grants, "SELECT data FROM grants WHERE id = ANY($1::text[])"),
    some<Piloted>(ids.olderAsks, "SELECT * FROM piloted WHERE ask = ANY($1::text[])"),
    some<{ key: string; digest: string; ask: string }>(
      ids.keys,
      "SELECT key, digest, ask FROM once WHERE key = ANY($1::text[])",
    ),
  ]);
  const last = counter[0]?.seq;
  if (last === undefined) throw new Error("the counter of the log is missing");
  const askText = byId([...asks, ...usedAsks]);
  const sessionText = byId(sessions);
  const taskText = byId(tasks);
  const grantText = byId(grants);
  const tallyOf = new Map(tallies.map((row) => [row.ask, row]));
  const useOf = new Map(uses.map(({ key, ...use }) => [key, use]));
  const standing: Standing = {
    lastSeq: () => last,
    refusesTakenIds: trusting,
    ask: (id) => read(askText.get(id), readAsk),
    session: (id) => read(sessionText.get(id), ({ data }) => JSON.parse(data) as Session),
    task: (id) => read(taskText.get(id), readTask),
    grant: (id) => read(grantText.get(id), ({ data }) => JSON.parse(data) as Grant),
    tally: (id) => read(tallyOf.get(id), tallyRow),
    used: (key) => useOf.get(key),
  };
  return { standing, batch: written[0]?.batch };
}

function namedIn(changes: readonly Change[], trusting: boolean) {
  const each = (name: (change: Change) => string | undefined) => [
    ...new Set(changes.flatMap((change) => name(change) ?? [])),
  ];
  return {
    asks: each(({ ask }) => (trusting && ask && isCapture(ask) ? undefined : ask?.id)),
    /** What is new has nothing beside it yet. */
    olderAsks: each(({ ask }) => (ask && ask.expected > 0 ? ask.id : undefined)),
    sessions: each(({ session }) => session?.id),
    tasks: each(({ task }) => task?.id),
    grants: each(({ grant }) => grant?.id),
    keys: each(({ once }) => once?.key),
  };
}

function tallyRow({ at, session, decider, result, spent }: Piloted): TallyRow {
  return { at, decider, result, spent: spent === 1, ...(session !== null && { session }) };
}

const byId = (rows: readonly Row[]) => new Map(rows.map((row) => [(JSON.parse(row.data) as { id: string }).id, row]));
const read = <R, T>(row: R | undefined, readRow: (row: R) => T): T | undefined => row && readRow(row);
