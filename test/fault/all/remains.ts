import type { Ask } from "../../../src/core/ask/ask.ts";
import type { LogEvent } from "../../../src/core/ask/event.ts";
import { openSqlite } from "../../../src/store/sqlite/open.ts";
import type { Program } from "../../e2e/program.ts";
import { labelOf, notReplayed } from "../truth.ts";
import type { Round } from "./area.ts";

/** An answer that somebody was told is taken. */
export type Said = { id: string; label: string };
export type Remains = { asks: readonly Ask[]; events: readonly LogEvent[] };

/** The daemon is killed for the last time: what was said is there and counts once, the store is whole, its log gives its state. */
export async function remainsOf(program: Program, said: readonly Said[], round: Round): Promise<Remains> {
  await program.kill9();
  const store = openSqlite(program.paths.database);
  try {
    const [asks, events] = await Promise.all([store.list({ limit: 10_000 }), store.events({ limit: 1_000_000 })]);
    for (const { id, label } of said) {
      const ask = asks.find((each) => each.id === id);
      if (!ask?.outcome || labelOf(ask, ask.outcome) !== label)
        round.lost.push(`${id}: ${label} was acknowledged, and it is ${JSON.stringify(ask?.outcome)}`);
    }
    for (const { id } of asks) {
      const settled = events.filter((event) => event.ask === id && event.type === "ask.settled").length;
      if (settled > 1) round.doubled.push(`${id}: settled ${settled} times`);
    }
    round.untrue.push(...(await store.problems()), ...notReplayed(asks, events));
    return { asks, events };
  } finally {
    await store.close();
  }
}
