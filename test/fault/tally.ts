import type { Evidence } from "./truth.ts";

/** How often each signal hit each kind of process, as `SIGKILL daemon`. */
export type Strikes = Record<string, number>;
export type Counts = {
  strikes: Strikes;
  /** SIGKILL and SIGTERM; a stopped process goes on. */ kills: number;
  asks: number;
  /** Acknowledged by the daemon. */ answers: number;
  /** Answers that agents and scripts were handed, as the log says. */ delivered: number;
  /** Found in the agent's own record, or taken by the script that asked. */ verified: number;
};

export function countsOf(strikes: Strikes, { said, asks, events }: Evidence): Counts {
  const hits = Object.entries(strikes).filter(([name]) => !name.startsWith("SIGSTOP"));
  const happened = (type: string) => events.filter((event) => event.type === type).length;
  return {
    strikes,
    kills: hits.reduce((sum, [, n]) => sum + n, 0),
    asks: asks.length,
    answers: said.filter(({ acknowledged }) => acknowledged).length,
    delivered: happened("ask.sent"),
    verified: happened("ask.verified"),
  };
}

export const NOTHING: Counts = { strikes: {}, kills: 0, asks: 0, answers: 0, delivered: 0, verified: 0 };

export function add(one: Counts, other: Counts): Counts {
  const strikes = { ...one.strikes };
  for (const [name, n] of Object.entries(other.strikes)) strikes[name] = (strikes[name] ?? 0) + n;
  return {
    strikes,
    kills: one.kills + other.kills,
    asks: one.asks + other.asks,
    answers: one.answers + other.answers,
    delivered: one.delivered + other.delivered,
    verified: one.verified + other.verified,
  };
}
