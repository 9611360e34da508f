import { existsSync, writeFileSync } from "node:fs";
import type { Ask } from "../../core/ask/ask.ts";
import type { AskEvent } from "../../core/ask/event.ts";
import type { Task } from "../../core/task/task.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import { ACTIVE, type Store } from "../../store/store.ts";
import { checkFolderOf } from "./checks.ts";
import { isAlive } from "../../machine/process/process.ts";
import { revokeRun, supervisorOf } from "../run/claim.ts";
import { endRun } from "../run/end-run.ts";
import { type RunFolder, writeWhole } from "../run/run-folder.ts";
import { folderOf } from "../run/runs.ts";

/** A supervisor writes down how its agent ended. */
const LAST_WORDS_MS = 5000;
const EVERY_MS = 50;

type Deps = {
  store: Store;
  inbox: Pick<Inbox, "change">;
  now: () => number;
  home: string;
};

export type Over = ReturnType<typeof createOver>;

/** Nothing of a task that is over goes on: its processes end, and what it still asked is withdrawn. */
export function createOver({ store, inbox, now, home }: Deps) {
  async function end(task: Task): Promise<void> {
    if (task.run > 0) await Promise.all([folderOf(home, task), checkFolderOf(home, task)].map(stopRun));
    for (const session of [task.session, task.leftSession])
      if (session !== undefined) await withdraw(await store.list({ session, states: ACTIVE }));
  }

  async function withdraw(asks: readonly Ask[]): Promise<void> {
    for (const { id } of asks) await inbox.change(id, withdrawn);
  }

  /** Its answer, where somebody gave one, stays what was decided; only its agent's record says whether that arrived. */
  function withdrawn({ state, outcome }: Ask): AskEvent[] {
    const isOver = state === "open" || state === "settled" || (state === "delivered" && outcome?.type === "cancelled");
    if (!isOver) return [];
    const actor = { type: "system", surface: "task" } as const;
    return [{ type: "ask.closed", outcome: { type: "withdrawn", actor, at: now(), reason: "session-ended" } }];
  }

  /** A daemon was killed between its end and the end of its processes. */
  const isLeft = (task: Task): boolean =>
    task.run > 0 && [folderOf(home, task), checkFolderOf(home, task)].some(mayRun);

  return { end, isLeft };
}

/** Contract: when it resolves nothing of this run lives, and nothing of it will ever start. */
async function stopRun(folder: RunFolder): Promise<void> {
  if (!mayRun(folder)) return;
  // First: a supervisor that has not started it yet finds this, or cannot claim it any more.
  if (!existsSync(folder.stop)) writeFileSync(folder.stop, "", { mode: 0o600 });
  if (!revokeRun(folder)) await endSupervised(folder);
  if (mayRun(folder)) writeWhole(folder.exit, { code: null, signal: "SIGTERM" });
}

async function endSupervised(folder: RunFolder): Promise<void> {
  await endRun(folder);
  const supervisor = supervisorOf(folder);
  const isThere = () => supervisor !== undefined && isAlive(supervisor);
  for (let waited = 0; waited < LAST_WORDS_MS && isThere() && mayRun(folder); waited += EVERY_MS)
    await Bun.sleep(EVERY_MS);
  if (!supervisor || !isThere() || !mayRun(folder)) return;
  // One that was stopped would start the agent when it is let go on.
  process.kill(supervisor.pid, "SIGKILL");
  // On a busy machine it is there for a moment more.
  for (let waited = 0; waited < LAST_WORDS_MS && isThere(); waited += EVERY_MS) await Bun.sleep(EVERY_MS);
  await endRun(folder);
}

const mayRun = (folder: RunFolder): boolean => existsSync(folder.plan) && !existsSync(folder.exit);
