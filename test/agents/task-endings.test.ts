import { expect } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "../e2e/program.ts";
import { eachVersion, question } from "./stage.ts";
import { asks, openTaskStage } from "./task-stage.ts";

const database = question("Which database?", ["SQLite", "Postgres"]);
// Claude Code refuses to run `sleep`.
const command = "tail -f /dev/null & touch began; trap '' TERM HUP INT; tail -f /dev/null";
const stays = { tool: "Bash", id: "toolu_stays", input: { command } };

eachVersion("the end of a task", ({ version, it, rest }) => {
  it("[TX10] a question in prose at the end is not taken for done; own words go on in the same session", async () => {
    await using stage = await openTaskStage({ version });
    const { id } = await stage.run([{ text: "I have two ways.\n\nShall I take the first one?" }]);
    const ask = await stage.waits(id, "idle");
    expect(ask.questions[0]?.body).toContain("Shall I take the first one?");
    const waiting = await stage.parks(id);
    expect(waiting.pending_questions).toBeUndefined();
    expect((await stage.parley("task", "feedback", id, "Yes, take it.")).code).toBe(0);
    const done = await stage.becomes(id, ({ state }) => state === "done");
    expect(done).toMatchObject({ run: 2, session: waiting.session ?? "" });
    expect(JSON.stringify(stage.model.requests)).toContain("Yes, take it.");
  });

  it("[TX11] cancelled while it waits, with and without its process: nothing of it runs, its question is withdrawn", async () => {
    await using stage = await openTaskStage({ version, parkAfter: 0 });
    const { id: parked } = await stage.run([asks("toolu_parked", database)]);
    const { id: kept } = await stage.run([
      asks("toolu_one", database),
      asks("toolu_two", question("Why?", ["A", "B"])),
    ]);
    await stage.parks(parked);
    const { asks: open } = await stage.becomes(kept, (task) => task.asks.length === 2);
    for (const id of [parked, kept]) {
      expect((await stage.parley("task", "cancel", id)).code).toBe(0);
      expect(await stage.task(id)).toMatchObject({ state: "cancelled" });
      expect(await holds(() => stage.running(id).length === 0)).toBe(true);
      expect((await stage.task(id)).pending_questions).toBeUndefined();
    }
    for (const ask of open)
      expect(await holds(async () => (await stage.ask(ask)).outcome?.type === "withdrawn")).toBe(true);
  });

  rest("[TX12] cancelled while a command runs that does not listen: the whole group is ended", async () => {
    await using stage = await openTaskStage({ version });
    const { id } = await stage.run([stays], "--permission-mode", "bypassPermissions");
    expect(await holds(() => existsSync(join(stage.project, "began")))).toBe(true);
    expect(await holds(() => stage.running(id).some(({ command }) => command.startsWith("tail")))).toBe(true);
    expect(await holds(async () => (await stage.task(id)).tool?.name === "Bash")).toBe(true);
    await stage.parley("task", "cancel", id);
    expect(await holds(() => stage.running(id).length === 0)).toBe(true);
    expect(await stage.task(id)).toMatchObject({ state: "cancelled" });
  });

  it("[TX13] an agent killed late is told with its last words and goes on where it stopped", async () => {
    await using stage = await openTaskStage({ version });
    const { id } = await stage.run([{ text: "I start now." }, stays], "--permission-mode", "bypassPermissions");
    expect(await holds(() => existsSync(join(stage.project, "began")))).toBe(true);
    // It is written down some time after it began.
    expect(await holds(async () => (await stage.record(id)).includes("toolu_stays"))).toBe(true);
    process.kill(await stage.agent(id), "SIGKILL");
    const ask = await stage.waits(id, "dead");
    expect(ask).toMatchObject({ kind: "dead", questions: [{ body: expect.stringContaining("I start now.") }] });
    expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual(["Resume", "Retry", "Cancel"]);
    expect(await holds(() => stage.running(id).length === 0)).toBe(true);
    await stage.parley("answer", ask.id, "1");
    const done = await stage.becomes(id, ({ state }) => state === "done");
    expect(done).toMatchObject({ run: 2, attempt: 1 });
    expect(JSON.stringify(stage.model.requests)).toContain("I start now.");
  });

  rest(
    "[TX14] an agent killed before its record was written cannot be resumed: the task says so and offers a retry",
    async () => {
      await using stage = await openTaskStage({ version });
      // It is killed before it has begun, however late that is seen.
      rmSync(stage.claude);
      writeFileSync(stage.claude, "#!/bin/sh\ntail -f /dev/null\n", { mode: 0o755 });
      const { id } = await stage.run([stays], "--permission-mode", "bypassPermissions");
      process.kill(await stage.agent(id), "SIGKILL");
      const ask = await stage.waits(id, "dead");
      expect(ask.questions[0]?.text).toContain("it can only be retried");
      expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual(["Retry", "Cancel"]);
    },
  );
});
