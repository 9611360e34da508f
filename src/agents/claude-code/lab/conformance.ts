import results from "./conformance.json" with { type: "json" };

/** What one run of the live check saw with one version; written by scripts/conformance.ts. */
export type Conformance = {
  version: string;
  /** The day of the run. */
  date: string;
  system: string;
  asked: boolean;
  shell: boolean;
  verified: boolean;
  terminal: boolean;
  resume: boolean;
  hold: boolean;
  note?: string;
};

/** Newest version first. */
export const CONFORMANCE: readonly Conformance[] = results;
