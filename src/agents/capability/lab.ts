/** Runs the real agent in a terminal of its own with a scripted model: no account, no tokens, only loopback. */
export type AgentLab = { runLive(options: LiveOptions): Promise<LiveReport> };

/**
 * How a question is answered. shell: by a command while the dialog is open · terminal: there first · resume: told to the
 * session when it comes back · hold: without a dialog.
 */
export type Way = "shell" | "terminal" | "resume" | "hold";
/** What a check has seen with its own eyes so far. */
export type Mark = "asked" | "answered" | "received" | "verified" | "closed" | "kept";
export type Pass = (mark: Mark, words: string) => void;
/** Milliseconds between the events of an Ask, as Parley's own log has them. */
export type Times = { toHook?: number; toTranscript?: number };
export type Receipt = { ask: string; question: string; answer: string; received: string; times: Times };

export type LiveOptions = {
  /** The agent's program. */
  program: string;
  /** The command line that starts this Parley. */
  parley: readonly string[];
  ways: readonly Way[];
  signal: AbortSignal;
  keep?: boolean;
  /** Told of every step when it is done; `at` is in milliseconds since the start. */
  step(words: string, at: number): void;
};

export type WayResult = { marks: Mark[]; receipt?: Receipt; failure?: { reason: string; screen: string } };
export type LiveReport = {
  version?: string;
  ways: Partial<Record<Way, WayResult>>;
  /** What kept every way from being tried. */
  failure?: { reason: string; screen: string };
  /** The folder that was left behind on request. */
  kept?: string;
};
