type Payload = Record<string, unknown>;

/** What the process that an agent's hook runs knows of that agent. */
export type HookSide = {
  /** Events at which the agent's dialog stands open and an answer may come from outside. */
  heldEvents: readonly string[];
  /**
   * Its own agent sent this. Another one that runs the same hooks may wait for them before its dialog opens, and its session
   * is none of this agent's: such a hook ends at once.
   */
  isOwn(payload: Payload, env: Record<string, string | undefined>): boolean;
  /** What the daemon needs and the agent does not send: it cannot see the environment that the agent has. */
  completed?(payload: Payload, env: Record<string, string | undefined>): Payload;
  /** The last look before it prints. `changed`: what a person made of the call. Contract: never throws. */
  isSafeOutput(payload: unknown, output: unknown, changed?: string): boolean | Promise<boolean>;
  /** Loads what that look needs. A hook that will wait calls it first: an update may take the files away meanwhile. */
  prepare?(): Promise<unknown>;
  /** A hook that a person starts by hand makes no agent of their shell. */
  isCalledBy(env: Record<string, string | undefined>, payload: Payload): boolean;
  /** Does the agent show a dialog of its own while this hook waits? */
  hasDialog(payload: Payload): boolean;
};
