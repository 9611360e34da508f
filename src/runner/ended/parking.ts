import { agentNamed } from "../../agents/agents.ts";
import type { Holds } from "../../delivery/holds.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { PARKED } from "../../core/ask/ask-state.ts";
import type { TaskSettings } from "../../core/config/config.ts";
import type { Task } from "../../core/task/task.ts";
import { hasProcess } from "../../core/task/task-state.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { Store } from "../../store/store.ts";
import { endRun } from "../run/end-run.ts";
import { folderOf, type Runs } from "../run/runs.ts";

type Deps = {
  store: Store;
  holds: Holds;
  runs: Runs;
  inbox: Pick<Inbox, "change">;
  home: string;
  now: () => number;
  settings(): Promise<TaskSettings>;
  log: (message: string, fields: Record<string, unknown>) => void;
};
/** Its hook may be on its way back, or the message with its call not yet printed. */
const AGAIN_MS = 500;
const AGAIN_AFTER_FAILURE_MS = 5000;

/** Lets the agent's process go when nobody has answered for a while. */
export function createParking(deps: Deps) {
  const { store, holds, runs, now } = deps;
  const timers = new Map<string, Timer>();
  let isStopped = false;

  async function later(task: string, ask: Ask, wait?: number): Promise<void> {
    const settings = await deps.settings();
    if (timers.has(ask.id)) return;
    const patience = ask.kind === "question" ? settings.park_after_seconds : settings.approval_wait_seconds;
    // Never longer than it is meant to be, also when the clock was set back.
    const left = Math.min(ask.createdAt + patience * 1000 - now(), patience * 1000);
    const due = wait ?? Math.max(0, left);
    timers.set(
      ask.id,
      setTimeout(() => {
        timers.delete(ask.id);
        park(task, ask.id).catch((error: unknown) => {
          deps.log("a task's process could not be let go; it is tried again", {
            task,
            ask: ask.id,
            error: String(error),
          });
          if (!isStopped) void later(task, ask, AGAIN_AFTER_FAILURE_MS);
        });
      }, due),
    );
  }

  async function park(id: string, askId: string): Promise<void> {
    const [task, ask] = [await store.task(id), await store.ask(askId)];
    if (!task || !hasProcess(task) || ask?.state !== "open") return;
    const isTalked = agentNamed(task.order.agent)?.headless?.talk !== undefined;
    // What waits on its agent's own connection is not put off: its process is kept.
    if (!isTalked && ask.deliveries.every(({ channel }) => channel === "remote")) return;
    const isParked = isTalked
      ? await letGo(task, ask)
      : ask.kind === "question"
        ? await putOff(task, ask)
        : await interrupt(task, ask);
    if (!isParked) await later(id, ask, AGAIN_MS);
  }

  /** Contract: only a call that is alone in its message is put off; with several the process is kept. */
  async function putOff(task: Task, ask: Ask): Promise<boolean> {
    const headless = agentNamed(ask.origin.agent)?.headless;
    const progress = runs.progressOf(task.id);
    const [hold, twin] = holds.of(ask.id);
    if (!headless || !hold || twin || !progress?.isAlone(hold.key)) return false;
    await release(ask, hold.call, hold.key);
    holds.remove(hold);
    if (headless.canDefer(progress.version())) hold.reply({ output: headless.defer, handed: [] });
    else await endRun(folderOf(deps.home, task));
    return true;
  }

  /**
   * One that is talked to keeps its call only while it runs: it is ended, and later told what was decided.
   * Contract: only where this is all that it does, so that nothing else of it is lost.
   */
  async function letGo(task: Task, ask: Ask): Promise<boolean> {
    const open = await store.list({ session: task.session ?? "", states: ["open", "settled"] });
    const [delivery, twin] = ask.deliveries.filter(({ state }) => state === "waiting");
    if (open.length !== 1 || !delivery || twin || !runs.progressOf(task.id)?.isWaitingFor(delivery.key)) return false;
    await release(ask, delivery.hold ?? "", delivery.key);
    await endRun(folderOf(deps.home, task));
    return true;
  }

  /** Everything the interrupted message still asks waits on without its process. */
  async function interrupt(task: Task, { id }: Ask): Promise<boolean> {
    const open = (await store.list({ session: task.session ?? "", states: ["open"] })).filter(isHeld);
    if (!open.some((ask) => ask.id === id)) return false;
    const waiting = open.flatMap((ask) => holds.of(ask.id).map((hold) => ({ ask, hold })));
    for (const { ask, hold } of waiting) await release(ask, hold.call, hold.key);
    for (const { ask, hold } of waiting.filter((each) => each.ask.kind !== "question")) {
      holds.remove(hold);
      hold.reply({ output: agentNamed(ask.origin.agent)?.headless?.interrupt, handed: [] });
    }
    return true;
  }

  const isHeld = (ask: Ask) => holds.of(ask.id).length > 0;
  const release = (ask: Ask, hold: string, key: string) =>
    deps.inbox.change(ask.id, () => [{ type: "ask.released", key, hold, reason: PARKED }]);

  return {
    later,
    stop(): void {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
