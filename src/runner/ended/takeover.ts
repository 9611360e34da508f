import type { Ask } from "../../core/ask/ask.ts";
import type { AskEvent } from "../../core/ask/event.ts";
import type { Task } from "../../core/task/task.ts";
import { hasProcess, isOver } from "../../core/task/task-state.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import { isAlive } from "../../machine/process/process.ts";
import type { Store } from "../../store/store.ts";
import type { Tasks } from "../tasks.ts";

type Deps = {
  store: Store;
  inbox: Pick<Inbox, "change" | "changeWithTask">;
  tasks: Tasks;
  now: () => number;
  soonAt(id: string, at: number): void;
};
const LOOK_MS = 2000;
const NOTHING = { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** A person goes on with a task's session in a terminal of their own. */
export function createTakeover({ store, inbox, tasks, now, soonAt }: Deps) {
  async function takeOver(session: string): Promise<"done" | "conflict"> {
    const open = await store.list({ session, states: ["open"] });
    const id = open.find(({ origin }) => origin.task !== undefined)?.origin.task;
    const task = id === undefined ? undefined : await store.task(id);
    if (!task || isOver(task) || hasProcess(task) || task.elsewhere || task.session !== session) return "done";
    const events = [{ type: "task.taken" } as const];
    const [ask, ...others] = open.filter(({ deliveries }) => deliveries.every(({ channel }) => channel === "self"));
    const isWritten = ask
      ? await inbox.changeWithTask({ task, events }, { ask, events: goneOn(ask) })
      : await tasks.advance(task, events);
    if (!isWritten) return "conflict";
    for (const other of others) await inbox.change(other.id, goneOn);
    return "done";
  }

  const goneOn = ({ outcome }: Ask): AskEvent[] => {
    const actor = { type: "system", surface: "agent" } as const;
    const message = "its session continues in a terminal";
    if (outcome) return [];
    return [{ type: "ask.closed", outcome: { type: "withdrawn", actor, at: now(), reason: "moved-on", message } }];
  };

  return {
    /** A hook of this session came from no run of ours: what we asked about the stopped agent is answered by that. */
    async begin(session: string): Promise<void> {
      while ((await takeOver(session)) === "conflict");
    },
    async look(task: Task): Promise<void> {
      const session = await store.session(task.session ?? "");
      const hasEnded = !session || session.endedAt !== undefined || (session.process && !isAlive(session.process));
      if (!hasEnded) return soonAt(task.id, now() + LOOK_MS);
      const end = { ok: true, told: true, code: 0, elsewhere: true };
      await tasks.change(task.id, ({ elsewhere }) =>
        elsewhere ? [{ type: "task.stopped", usage: NOTHING, end }] : [],
      );
    },
  };
}
