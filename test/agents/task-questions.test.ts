import { expect } from "bun:test";
import { eachVersion, question } from "./stage.ts";
import { asks, openTaskStage } from "./task-stage.ts";
import { eventually } from "../patience.ts";

const database = question("Which database?", ["SQLite", "Postgres"]);
const TWO_DAYS = 48 * 3_600_000;

eachVersion("a task's question", ({ version, it, rest }) => {
  it("[TX1] a task runs to its end and says what its agent said, what it cost and nothing else", async () => {
    await using stage = await openTaskStage({ version });
    const { id } = await stage.run([{ text: "All is done." }], "--name", "plain");
    const done = await stage.becomes(id, ({ state }) => state === "done");
    expect(done).toMatchObject({ said: "All is done.", usage: { turns: 1 }, asks: [], run: 1 });
    expect(done.usage.inputTokens).toBeGreaterThan(0);
    expect(done.pending_questions).toBeUndefined();
    await eventually(() => expect(stage.running(id)).toEqual([]));
  });

  it("[TX2] a question answered at once reaches the agent in the process that asked", async () => {
    await using stage = await openTaskStage({ version });
    const { id } = await stage.run([{ text: "Let me ask." }, asks("toolu_db", database)]);
    const ask = await stage.waits(id, "question");
    expect((await stage.task(id)).pending_questions).toEqual([{ ask: ask.id, ...database }]);
    const told = await stage.parley("answer", ask.id, "2");
    expect(told.out + told.err).toStartWith('✓ Claude Code received "Postgres"');
    const done = await stage.becomes(id, ({ state }) => state === "done");
    expect(done).toMatchObject({ run: 1 });
    expect(done.pending_questions).toBeUndefined();
    await eventually(async () => expect((await stage.ask(ask.id)).state).toBe("verified"));
    expect((await stage.model.waitForToolResult("toolu_db")).text).toContain('"Which database?"="Postgres"');
  });

  it("[TX3] nobody answers: the task waits without a process, through kills of the daemon and two days; the same call gets the answer", async () => {
    await using stage = await openTaskStage({ version, parkAfter: 1 });
    const { id } = await stage.run([asks("toolu_db", database)]);
    const ask = await stage.waits(id, "question");
    const parked = await stage.parks(id);
    expect(parked.pending_questions).toEqual([{ ask: ask.id, ...database }]);
    await stage.restart("SIGKILL", TWO_DAYS);
    expect(await stage.task(id)).toMatchObject({ state: "waiting", waitingFor: "question", parked: true });
    expect((await stage.task(id)).pending_questions).toEqual(parked.pending_questions ?? []);
    expect(stage.running(id)).toEqual([]);
    const told = await stage.parley("answer", ask.id, "1");
    expect(told.out + told.err).toStartWith('✓ Claude Code received "SQLite"');
    const done = await stage.becomes(id, ({ state }) => state === "done");
    expect(done).toMatchObject({ run: 2, session: parked.session ?? "" });
    await eventually(async () => expect((await stage.ask(ask.id)).state).toBe("verified"));
    const results = stage.model.toolResults().filter(({ toolUseId }) => toolUseId === "toolu_db");
    expect(results).toMatchObject([{ isError: false }]);
    expect(results[0]?.text).toContain('"Which database?"="SQLite"');
  });

  rest(
    "[TX4] four questions with several picks, own words and a note arrive as they were answered, from a parked task too",
    async () => {
      await using stage = await openTaskStage({ version, parkAfter: 0 });
      const four = [
        database,
        question("Which features?", ["Auth", "Search", "Export"], { header: "Features", multiSelect: true }),
        question("Which cache?", ["None", "Redis"], { header: "Cache" }),
        question("Which name?", ["ünïcode ✓", "plain"], { header: "Name" }),
      ];
      const { id } = await stage.run([asks("toolu_four", ...four)]);
      const ask = await stage.waits(id, "question");
      expect((await stage.parks(id)).pending_questions).toEqual(four.map((each) => ({ ask: ask.id, ...each })));
      await stage.parley("answer", ask.id, "2", "1,3", "q4=1", "-m", "q3=memcached, perhaps");
      await stage.becomes(id, ({ state }) => state === "done");
      await eventually(async () => expect((await stage.ask(ask.id)).state).toBe("verified"));
      const { text } = await stage.model.waitForToolResult("toolu_four");
      expect(text).toContain('"Which database?"="Postgres"');
      expect(text).toContain('"Which features?"="Auth, Export"');
      expect(text).toContain('"Which cache?"="memcached, perhaps"');
      expect(text).toContain('"Which name?"="ünïcode ✓"');
    },
  );

  it("[TX5] two questions in one message keep the process; each answer clears only its own", async () => {
    await using stage = await openTaskStage({ version, parkAfter: 0 });
    const colour = question("Which colour?", ["Red", "Blue"]);
    const { id } = await stage.run([asks("toolu_db", database), asks("toolu_colour", colour)]);
    // Their hooks come in any order; the agent's own is known once its message was read.
    const inOrder = (open: { question: string }[] = []) => open.length === 2 && open[0]?.question === database.question;
    const both = await stage.becomes(id, ({ pending_questions: open }) => inOrder(open));
    const [first, second] = both.pending_questions ?? [];
    expect(both.pending_questions).toMatchObject([database, colour]);
    await stage.parley("answer", first?.ask ?? "", "2");
    const left = await stage.becomes(id, ({ pending_questions: open }) => open?.length === 1);
    expect(left).toMatchObject({ state: "waiting", parked: false, pending_questions: [second] });
    await stage.parley("answer", second?.ask ?? "", "1");
    expect(await stage.becomes(id, ({ state }) => state === "done")).toMatchObject({ run: 1 });
    expect((await stage.model.waitForToolResult("toolu_db")).text).toContain('="Postgres"');
    expect((await stage.model.waitForToolResult("toolu_colour")).text).toContain('="Red"');
    for (const ask of [first, second])
      await eventually(async () => expect((await stage.ask(ask?.ask ?? "")).state).toBe("verified"));
  });

  it("[TX8] a question is not put off while its message is still being written: the call after it would be lost", async () => {
    await using stage = await openTaskStage({ version, parkAfter: 0 });
    const colour = question("Which colour?", ["Red", "Blue"]);
    const { id } = await stage.run([asks("toolu_db", database), { ...asks("toolu_colour", colour), afterMs: 3000 }]);
    // Their hooks come in any order; the agent's own is known once its message was read.
    const inOrder = (open: { question: string }[] = []) => open.length === 2 && open[0]?.question === database.question;
    const both = await stage.becomes(id, ({ pending_questions: open }) => inOrder(open));
    expect(both.pending_questions).toMatchObject([database, colour]);
    for (const { ask } of both.pending_questions ?? []) await stage.parley("answer", ask, "2");
    expect(await stage.becomes(id, ({ state }) => state === "done")).toMatchObject({ run: 1 });
    expect((await stage.model.waitForToolResult("toolu_db")).text).toContain('="Postgres"');
    expect((await stage.model.waitForToolResult("toolu_colour")).text).toContain('="Blue"');
  });

  rest("[TX6] a question beside another call keeps the process; both are done", async () => {
    await using stage = await openTaskStage({ version, parkAfter: 0 });
    const bash = { tool: "Bash", id: "toolu_bash", input: { command: "echo beside", description: "Say it" } };
    const { id } = await stage.run([asks("toolu_db", database), bash]);
    const ask = await stage.waits(id, "question");
    await stage.parley("answer", ask.id, "2");
    expect(await stage.becomes(id, ({ state }) => state === "done")).toMatchObject({ run: 1 });
    expect((await stage.model.waitForToolResult("toolu_db")).text).toContain('="Postgres"');
    expect(await stage.model.waitForToolResult("toolu_bash")).toMatchObject({ isError: false, text: "beside" });
  });

  rest("[TX7] two tasks that ask the same at once each get their own answer", async () => {
    await using stage = await openTaskStage({ version, parkAfter: 0, config: "limit = 2\n" });
    const tasks = await Promise.all(["toolu_a", "toolu_b"].map((call) => stage.run([asks(call, database)])));
    const open = await Promise.all(tasks.map(({ id }) => stage.waits(id, "question")));
    expect(new Set(open.map(({ id }) => id)).size).toBe(2);
    await Promise.all(open.map(({ id }, at) => stage.parley("answer", id, String(at + 1), "--only")));
    for (const { id } of tasks) await stage.becomes(id, ({ state }) => state === "done");
    const got = (call: string) => stage.model.waitForToolResult(call);
    expect([(await got("toolu_a")).text, (await got("toolu_b")).text]).toEqual([
      expect.stringContaining('="SQLite"'),
      expect.stringContaining('="Postgres"'),
    ]);
  });
});
