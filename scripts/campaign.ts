/** Something that is done very often while everything around it breaks, and counted. */
export type Campaign = {
  title: string;
  /** What it counts; also the name of the option that says how many. */ counts: string;
  usual: number;
  /** It counts hours, and ends when they are over; `--minutes` says the same in minutes. */
  isSpan?: boolean;
  /** Options of its own, each a number, with what holds where none is said. */
  sizes?: Record<string, number>;
  /** Where `--write` puts its table. */
  page: string;
  /** Its rounds are kept as lines by `--to FILE`, and several runs on one commit make one table. */
  addUp?(lines: readonly object[], commit: string): Report;
  /** Contract: stops after `amount` or at `until` (of `performance.now()`), whichever comes first. */
  run(plan: Plan): Promise<Report>;
};
export type Plan = {
  amount: number;
  seed: number;
  until: number;
  jobs: number;
  progress: (line: string) => void;
  sizes?: Record<string, number>;
  /** What of it is played; nothing: all. */
  only?: readonly string[];
  /** Of a campaign that is added up: lines of earlier runs, and where each new one goes at once. */
  earlier?: readonly object[];
  note?: (line: object) => void;
  commit?: string;
};
/** `failures`: each says what is wrong and how to see it again; empty when all is well. */
export type Report = { rows: [name: string, value: string | number][]; failures: string[]; counted: number };
