import * as fc from "fast-check";
import { LABELS } from "./fake-record.ts";
import { DECLINED } from "./truth.ts";

/** What a person, an agent or fate does next. Plain data, so that a failing one can be shrunk, printed and played again. */
export type Step =
  | { do: "ask"; agent: number; questions: number; recordMs: number }
  | { do: "request"; through: "api" | "cli" }
  | { do: "answer"; which: number; label: string; through: "api" | "cli" }
  | { do: "terminal"; which: number; escape: boolean }
  | { do: "reconnect"; which: number }
  | { do: "strike"; target: Target; signal: Signal; which: number; forMs: number }
  | { do: "strike-at"; event: string; target: Exclude<Target, "asker">; signal: Signal; forMs: number }
  | { do: "wait"; ms: number };
export type Target = "daemon" | "hook" | "agent" | "asker";
export type Signal = "SIGKILL" | "SIGTERM" | "SIGSTOP";

const EVENTS = ["captured", "held", "released", "context", "settled", "sent", "verified", "ended", "closed"];
const agent = fc.nat(2);
const which = fc.nat(1000);
const through = weighted<"api" | "cli">([10, "api"], [1, "cli"]);
const signal = weighted<Signal>([7, "SIGKILL"], [2, "SIGTERM"], [1, "SIGSTOP"]);
const forMs = fc.nat(300);
const blow = { signal, forMs };
/** Never what the terminal picks: who was first could not be told. */
const label = fc.constantFrom(LABELS[0], LABELS[1], DECLINED);

const Step: fc.Arbitrary<Step> = fc.oneof(
  step(6, { do: fc.constant("ask"), agent, questions: fc.integer({ min: 1, max: 3 }), recordMs: fc.nat(200) }),
  step(2, { do: fc.constant("request"), through }),
  step(9, { do: fc.constant("answer"), which, label, through }),
  step(2, { do: fc.constant("terminal"), which, escape: fc.boolean() }),
  step(1, { do: fc.constant("reconnect"), which }),
  step(12, {
    do: fc.constant("strike"),
    target: weighted<Target>([6, "daemon"], [3, "hook"], [1, "agent"], [1, "asker"]),
    which,
    ...blow,
  }),
  step(5, {
    do: fc.constant("strike-at"),
    event: fc.constantFrom(...EVENTS.map((name) => `ask.${name}`)),
    target: weighted<"daemon" | "hook" | "agent">([6, "daemon"], [3, "hook"], [1, "agent"]),
    ...blow,
  }),
  step(10, { do: fc.constant("wait"), ms: fc.nat(300) }),
);

export const Schedule = fc.array(Step, { minLength: 150, maxLength: 250, size: "max" });

function step<T extends Step>(weight: number, parts: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return { weight, arbitrary: fc.record(parts, { noNullPrototype: true }) as unknown as fc.Arbitrary<Step> };
}

function weighted<T>(...choices: [number, T][]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}
