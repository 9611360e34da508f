/** One line of the table. `beside` is a peer measured in the same run; `met` is only there with an aim. */
export type Row = { what: string; measured: string; beside?: string; aim?: string; met?: boolean };

/** One measurement. It cleans up its own processes and files; `say` tells how far it is. */
export type Part = {
  name: string;
  about: string;
  /** What a reader must know to judge the rows. */
  notes?: readonly string[];
  run(say: (progress: string) => void): Promise<Row[]>;
};

/** `limit` is in the unit of `value`; the aim is met at or below it. */
export function atMost(value: number, limit: number): Pick<Row, "met"> {
  return { met: value <= limit };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
export const p50p99 = (values: readonly number[]): string =>
  `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.99))}`;
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString("en")}/s`;
