import type { Agent } from "../agents/agent.ts";
import type { RemoteRequest } from "../agents/capability/remote.ts";
import type { ProcessName } from "../machine/process/process.ts";
import type { Store } from "../store/store.ts";
import type { Holds } from "../delivery/holds.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { Phases } from "../core/autopilot/rule/phase.ts";
import type { Task } from "../core/task/task.ts";
import type { TaskSettings } from "../core/config/config.ts";

/** The socket that a task in a sandbox sees of the daemon; as often as it is opened it is closed. */
export type Inside = { open(task: Task): void; close(task: Task): void };
/** What an agent that is talked to asks is taken from its run's stream, and answered by what is said to it. */
export type RunTalk = { heard(event: unknown): void; caughtUp(): void; close(): Promise<void> };
export type OpenTalk = (run: {
  agent: Agent;
  task: string;
  /** Resolves when the task is known to have the session that its events name. */
  ready(): Promise<void>;
  process(): ProcessName | undefined;
  say(request: RemoteRequest): void;
}) => RunTalk;
export type RunnerDeps = {
  openTalk?: OpenTalk;
  inside?: Inside;
  store: Store;
  holds: Holds;
  inbox: Inbox;
  /** The Ask as its agent's record says it is. */
  reconcile(ask: string): Promise<Ask | undefined>;
  now: () => number;
  home: string;
  /** What the agent's hooks call. */
  program: string;
  /** The person's own settings; with a folder also its project's. */
  settings(folder?: string): Promise<TaskSettings>;
  /** The commands of workflows, where a rule says what to do when an agent names its next step. */
  workflows?(folder: string): Promise<Phases | undefined>;
  /** The person wants to be asked about some calls in every mode. */
  mustAsk?: () => boolean;
  limit: () => number;
  log: (message: string, fields: Record<string, unknown>) => void;
};
