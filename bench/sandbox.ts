// What a sandbox costs a task: from its start to the end of an agent that only says one thing.
import { join } from "node:path";
import { createTaskStage, isDone, type TaskStage } from "../test/e2e/tasks-stage.ts";
import { median, ms, type Part, percentile } from "./row.ts";

const RUNS = 10;
const WARM_UP = 1;

export const sandbox: Part = {
  name: "sandbox",
  about: "a task in a sandbox beside one without",
  notes: [
    `Sandbox: a task in a worktree of a small repository, with an agent that says one sentence, from its start to its end, ${RUNS} times after ${WARM_UP}, each one after the other. In the sandbox its git folder is made, its network is named, and its commits are looked for.`,
  ],
  async run(say) {
    const problem = Bun.which("bwrap") ? undefined : "bubblewrap is not installed";
    if (problem !== undefined) return [{ what: "a task in a sandbox", measured: `not measured: ${problem}` }];
    const stage = await createTaskStage(`sandbox_read = ["${join(import.meta.dir, "..")}"]`);
    try {
      say("without");
      const bare = await times(stage, "--worktree");
      say("in a sandbox");
      const inside = await times(stage, "--sandbox");
      say("without a network");
      const alone = await times(stage, "--sandbox", "--network", "none");
      const shown = (taken: readonly number[]) => `${ms(median(taken))} / ${ms(percentile(taken, 0.95))}`;
      const beside = `without: ${shown(bare)}`;
      return [
        { what: "a task in a sandbox, start to end (p50 / p95)", measured: shown(inside), beside },
        { what: "the same, network none", measured: shown(alone), beside },
      ];
    } finally {
      await stage.dispose();
    }
  },
};

async function times(stage: TaskStage, ...args: string[]): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < RUNS + WARM_UP; n++) {
    const { id } = await stage.run([{ say: "Done." }], ...args);
    const { startedAt = 0, endedAt = 0 } = await stage.becomes(id, isDone);
    taken.push(endedAt - startedAt);
  }
  return taken.slice(WARM_UP);
}
