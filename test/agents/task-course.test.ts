import { expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "../e2e/program.ts";
import { eachVersion, question } from "./stage.ts";
import { asks, openTaskStage, type TaskStage } from "./task-stage.ts";
import { eventually } from "../patience.ts";

const database = question("Which database?", ["SQLite", "Postgres"]);
/** What the model was asked, without what an agent asks on the side, such as a title. */
const turns = ({ model }: TaskStage) => model.requests.filter(({ tools }) => tools.length > 0);

eachVersion("the course of a task", ({ version, it, main, once, rest }) => {
  main(
    "[TX30] a check that fails is told with its output; sent to the agent, it repairs and the check is run again",
    async () => {
      await using stage = await openTaskStage({ version });
      const gate = "test -e repaired || { echo it is broken >&2; exit 3; }";
      const { id } = await stage.run([{ text: "All is done." }], "--gate", gate);
      const ask = await stage.waits(id, "gate");
      expect(ask).toMatchObject({ kind: "gate", questions: [{ body: "it is broken" }] });
      expect(await stage.task(id)).toMatchObject({ parked: true, checked: { ok: false, code: 3 } });
      stage.script["otherwise"] = [{ text: "Now it is repaired." }];
      writeFileSync(join(stage.project, "repaired"), "");
      await stage.parley("answer", ask.id, "1");
      expect(await stage.becomes(id, ({ state }) => state === "done")).toMatchObject({ run: 2, checked: { ok: true } });
      expect(JSON.stringify(turns(stage))).toContain("it is broken");
    },
  );

  rest("[TX31] spent money and finished work wait for a person where the order says so", async () => {
    await using stage = await openTaskStage({ version });
    const dear = await stage.run([{ tool: "Bash", input: { command: "echo a" } }], "--budget", "0.0001");
    const checked = await stage.run([{ text: "All is done." }], "--review");
    const [money, review] = [await stage.waits(dear.id, "budget"), await stage.waits(checked.id, "review")];
    await stage.parley("answer", money.id, "Done");
    await stage.parley("answer", review.id, "Accept");
    for (const { id } of [dear, checked]) await stage.becomes(id, ({ state }) => state === "done");
  });

  once(
    "[TX36] a model that refuses for a while: the task says why, waits as long as it says, and goes on in the same session",
    async () => {
      const env = { CLAUDE_CODE_MAX_RETRIES: "0" };
      await using stage = await openTaskStage({ version, env, config: "retry_backoff_seconds = 2\n" });
      stage.model.refuse({ status: 429, type: "rate_limit_error", message: "This would exceed your rate limit" });
      const { id } = await stage.run([{ text: "Never said." }]);
      const ask = await stage.waits(id, "error");
      expect(ask).toMatchObject({
        kind: "error",
        questions: [{ body: expect.stringContaining("exceed your rate limit") }],
      });
      expect(ask.questions[0]?.text).toEndWith("failed (rate limit). What now?");
      const { session } = await stage.task(id);
      stage.model.refuse();
      await stage.parley("answer", ask.id, "Wait and resume");
      const done = await stage.becomes(id, ({ state }) => state === "done");
      expect(done).toMatchObject({ run: 2, attempt: 1, session: session ?? "" });
      const { events } = await stage.program.client().call("readLog", { query: { after: 0, limit: 1000 } });
      const settled = events.find(({ type }) => type === "task.delayed");
      expect(settled?.data).toMatchObject({ by: "resume" });
    },
  );

  it("[TX32] the daemon is killed while a question is held and while an agent works: both are found again, nothing is said twice", async () => {
    await using stage = await openTaskStage({ version });
    const asking = await stage.run([asks("toolu_db", database)]);
    const command = "touch began; until test -e go; do :; done; echo gone";
    const working = await stage.run(
      [{ tool: "Bash", id: "toolu_work", input: { command } }],
      "--permission-mode",
      "bypassPermissions",
    );
    const ask = await stage.waits(asking.id, "question");
    expect(await holds(() => existsSync(join(stage.project, "began")))).toBe(true);
    await stage.restart("SIGKILL");
    expect(await stage.task(asking.id)).toMatchObject({
      state: "waiting",
      parked: false,
      run: 1,
      pending_questions: [{ ask: ask.id, ...database }],
    });
    expect(await stage.task(working.id)).toMatchObject({ state: "in_progress", run: 1 });
    writeFileSync(join(stage.project, "go"), "");
    expect(await stage.becomes(working.id, ({ state }) => state === "done")).toMatchObject({ run: 1 });
    expect(await holds(async () => (await stage.ask(ask.id)).reachable)).toBe(true);
    await stage.parley("answer", ask.id, "2");
    expect(await stage.becomes(asking.id, ({ state }) => state === "done")).toMatchObject({ run: 1 });
    expect((await stage.model.waitForToolResult("toolu_work")).text).toContain("gone");
    expect((await stage.model.waitForToolResult("toolu_db")).text).toContain('="Postgres"');
    await eventually(async () => expect((await stage.ask(ask.id)).state).toBe("verified"));
    // Each was given its prompt once and heard of its call once.
    expect(turns(stage)).toHaveLength(4);
  });

  rest("[TX34] a question asked while Parley is stopped waits until it is started again", async () => {
    await using stage = await openTaskStage({ version });
    const { id } = await stage.run([asks("toolu_db", database)]);
    await stage.agent(id);
    await stage.parley("down");
    expect(
      await holds(() => stage.running(id).some(({ command }) => command.includes("hook claude-code PreToolUse"))),
    ).toBe(true);
    await stage.parley("up");
    const ask = await stage.waits(id, "question");
    await stage.parley("answer", ask.id, "2");
    expect(await stage.becomes(id, ({ state }) => state === "done")).toMatchObject({ run: 1 });
    expect((await stage.model.waitForToolResult("toolu_db")).text).toContain('="Postgres"');
  });

  once(
    "[TX33] a retry starts without the questions of before; the last option of a question ends the task",
    async () => {
      await using stage = await openTaskStage({ version, parkAfter: 0 });
      const { id } = await stage.run([asks("toolu_db", database)]);
      const before = await stage.waits(id, "question");
      const { session } = await stage.parks(id);
      const retried = await stage.parley("task", "retry", id, "--json");
      expect(JSON.parse(retried.out)).not.toHaveProperty("pending_questions");
      await eventually(async () => expect((await stage.ask(before.id)).outcome?.type).toBe("withdrawn"));
      const again = await stage.becomes(id, ({ pending_questions: open }) => open?.length === 1);
      expect(again).toMatchObject({ attempt: 2 });
      expect(again.session).not.toBe(session ?? "");
      const ask = await stage.ask(again.asks[0] ?? "");
      expect(ask.id).not.toBe(before.id);
      expect(ask.questions[0]?.options.at(-1)).toMatchObject({ label: "Cancel", description: "Cancel the task" });
      await stage.parley("answer", ask.id, "Cancel");
      await stage.becomes(id, ({ state }) => state === "cancelled");
      expect(await holds(() => stage.running(id).length === 0)).toBe(true);
      expect(stage.model.toolResults()).toEqual([]);
    },
  );
});
