import { expect } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { signal } from "../../src/lab/process-tree.ts";
import { holds } from "../e2e/program.ts";
import { eachVersion, question } from "./stage.ts";
import { asks, openTaskStage, type TaskStage } from "./task-stage.ts";

const database = question("Which database?", ["SQLite", "Postgres"]);
const TURNS = 10;
const told = ({ model }: TaskStage) => JSON.stringify(model.requests.at(-1)?.messages);

/** SIGKILL to the agent, if it still runs, in the moment that it is visible that it was handed the answer. */
async function killWhenSent(stage: TaskStage, task: string, ask: string): Promise<void> {
  const over = new AbortController();
  for await (const event of stage.program.client().events(0, over.signal)) {
    if (event.type !== "ask.sent" || event.ask !== ask) continue;
    for (const { pid, command } of stage.running(task)) if (command.includes("--output-format")) signal(pid, "SIGKILL");
    return over.abort();
  }
}

eachVersion("what a killed agent has not heard", ({ version, it }) => {
  it("[RX20] own words are in the next run when theirs is killed early, and not told twice when it is killed late", async () => {
    await using stage = await openTaskStage({ version });
    const { id } = await stage.run([{ text: "Shall I take the first one?" }]);
    await stage.waits(id, "idle");
    await stage.parks(id);
    // An agent that hears nothing is killed before it has heard it, however late that is.
    renameSync(stage.claude, `${stage.claude}.real`);
    writeFileSync(stage.claude, "#!/bin/sh\ntail -f /dev/null\n", { mode: 0o755 });
    // It waits for its receipt, which the next run brings.
    const feedback = stage.parley("task", "feedback", id, "Take the second one.");
    process.kill(await stage.agent(id), "SIGKILL");
    const early = await stage.waits(id, "dead");
    renameSync(`${stage.claude}.real`, stage.claude);
    expect(await stage.record(id)).not.toContain("Take the second one.");
    stage.script["otherwise"] = [{ tool: "Bash", id: "toolu_stays", input: { command: "tail -f /dev/null" } }];
    await stage.parley("answer", early.id, "Resume");
    expect(await holds(async () => (await stage.record(id)).includes("Take the second one."))).toBe(true);
    process.kill(await stage.agent(id), "SIGKILL");
    const late = await stage.waits(id, "dead");
    stage.script["otherwise"] = [{ text: "Taken." }];
    await stage.parley("answer", late.id, "Resume");
    await stage.becomes(id, ({ state }) => state === "done");
    expect(told(stage).split("Take the second one.")).toHaveLength(2);
    expect((await feedback).code).toBe(0);
  });

  it("[RX21] an answer handed to an agent that is killed before it wrote it down reaches the model after all", async () => {
    await using stage = await openTaskStage({ version, parkAfter: 0 });
    for (let turn = 1; ; turn++) {
      const { id } = await stage.run([asks(`toolu_db${turn}`, database)]);
      const ask = await stage.waits(id, "question");
      await stage.parks(id);
      const struck = killWhenSent(stage, id, ask.id);
      const answer = stage.parley("answer", ask.id, "2");
      await struck;
      const { state } = await stage.becomes(id, (task) => task.state === "done" || task.waitingFor === "dead");
      // It was faster than whoever kills it: once more.
      if (state === "done" && turn < TURNS) continue;
      const dead = await stage.waits(id, "dead");
      await stage.parley("answer", dead.id, "Resume");
      await stage.becomes(id, (task) => task.state === "done");
      expect(told(stage)).toContain("Postgres");
      expect((await answer).out).toContain("Postgres");
      return;
    }
  });
});
