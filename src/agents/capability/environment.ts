/** The variables of an agent, as far as Parley has to know them. Data only: hooks load it. */
export type AgentEnvironment = {
  /** Say where its settings and records are. */
  places: readonly string[];
  /** Say that a process runs inside one of its sessions: never handed on. Whole names. */
  marks: readonly string[];
  /** Name its account, its model and how it behaves: a task's agent gets them from the person who gave the task. */
  account: readonly RegExp[];
};
