import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AskView } from "../../src/protocol/view.ts";
import type { TaskView } from "../../src/protocol/task.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { linesOf } from "./cli-words.ts";
import { typing } from "./comfort-terminal.ts";
import { createTaskStage, DATABASE, isWaiting, type TaskStage } from "./tasks-stage.ts";

let stage: TaskStage;
beforeAll(async () => {
  stage = await createTaskStage();
});
afterAll(() => stage.dispose());

const CHECKS = { ...DATABASE, question: "Which checks should run?", header: "Checks", multiSelect: true };
const WORDS =
  "✗ Option 4 cancels the task, and your words would be lost. To send them, leave out the 4; to cancel, leave out the words\n";
type Asking = { task: TaskView; ask: AskView };

/** A task that waits for this, or, without questions, because its agent stopped. */
async function waiting(...questions: object[]): Promise<Asking> {
  const steps = questions.length === 0 ? [{ say: "What now?" }] : [{ ask: questions as never }];
  const { id } = await stage.run(steps, "--name", "db");
  const task = await stage.becomes(id, isWaiting);
  return { task, ask: await get(task.asks[0] ?? "") };
}
const get = (id: string) => stage.client().call("getAsk", { id });
const settle = (id: string, body: object) => stage.client().call("settleAsk", { id, body: body as never });
const isOver = ({ state }: TaskView) => state === "cancelled";

describe("numbers", () => {
  test("[SF20] Cancel is the last number, after Other, in show and in task show", async () => {
    const { task, ask } = await waiting(DATABASE);
    const rows = [
      "  1. SQLite - one file",
      "  2. Postgres - a server",
      "  3. Other - Your own words",
      "  4. Cancel - Cancel the task",
    ].join("\n");
    for (const args of [
      ["show", ask.id],
      ["decision", "show", ask.id],
      ["task", "show", task.id],
    ])
      expect((await stage.type(args)).out).toContain(rows);
  });

  test("[SF20] of a task whose agent stopped as well", async () => {
    const { ask } = await waiting();
    expect((await stage.type(["show", ask.id])).out).toContain(
      "  1. Go on - Tell it to continue\n  2. Done - The work is finished\n  3. Other - Your own words\n  4. Cancel - Cancel the task\n",
    );
  });

  test.each([
    ["answer", ["answer"]],
    ["task answer", ["task", "answer"]],
    ["decision resolve", ["decision", "resolve"]],
  ])("[SF21] parley %s: the number after the options, with words, sends the words", async (_, command) => {
    const { task, ask } = await waiting(DATABASE);
    const id = command[0] === "task" ? task.id : ask.id;
    const { code } = await stage.type([...command, id, "3", "-m", "use DuckDB instead"]);
    expect(code).toBe(0);
    const { outcome } = await get(ask.id);
    expect(outcome).toMatchObject({ type: "answered", answers: [{ picks: [], text: "use DuckDB instead" }] });
    expect((await stage.task(task.id)).state).not.toBe("cancelled");
    expect((await stage.type(["show", ask.id])).out).toContain(
      "  2. Postgres - a server\n✓ Other: use DuckDB instead\n  4. Cancel - Cancel the task\n",
    );
  });
});

describe("its number alone", () => {
  test.each([
    ["4", [DATABASE]],
    ["Cancel", [DATABASE]],
    ["cancel", [DATABASE]],
    ["--cancel", [DATABASE]],
    ["4", [DATABASE, CHECKS]],
    ["q2=4", [DATABASE, CHECKS]],
    ["4", []],
  ])("[SF22] %s cancels the task, says so and ends with 0", async (word, questions) => {
    const { task, ask } = await waiting(...questions);
    expect(await stage.type(["task", "answer", task.id, word], { env: UNTIL_RECEIVED })).toEqual({
      code: 0,
      out: "✓ task cancelled by cli\n",
      err: "",
    });
    await stage.becomes(task.id, isOver);
    expect(linesOf((await stage.type(["show", ask.id])).out)[0]).toMatch(/✓ task cancelled by cli$/);
    expect((await stage.type(["ls", "--done"])).out).toContain("✓ task cancelled by cli");
  });

  test("[SF22] --json has the same sentence; whoever comes later is told", async () => {
    const { task, ask } = await waiting(DATABASE);
    const { code, out } = await stage.type(["answer", ask.id, "4", "--json"], { env: UNTIL_RECEIVED });
    expect([code, JSON.parse(out).result, JSON.parse(out).outcome.type]).toEqual([
      0,
      "✓ task cancelled by cli",
      "cancelled",
    ]);
    await stage.becomes(task.id, isOver);
    const late = await stage.type(["answer", ask.id, "1"]);
    expect([late.code, late.out]).toEqual([4, expect.stringMatching(/^✗ too late: cancelled by cli /)]);
  });
});

describe("nothing is dropped", () => {
  test.each([
    [["4", "-m", "use DuckDB instead"], WORDS],
    [["Cancel", "-m", "use DuckDB instead"], WORDS],
    [["4", "--text", "use DuckDB instead"], WORDS],
    [["1,4"], "✗ Option 4 cancels the task: give it alone\n"],
    [["5"], "✗ There is no option 5 (1-4)\n"],
    [["3"], "✗ Other selected but no text entered\n"],
  ])("[SF23] %j is refused, and the task waits on", async (words, err) => {
    const { task, ask } = await waiting(DATABASE);
    expect(await stage.type(["answer", ask.id, ...words])).toEqual({ code: 2, out: "", err });
    expect([(await get(ask.id)).state, (await stage.task(task.id)).state]).toEqual(["open", "waiting"]);
  });

  test.each([[["1", "4"]], [["4", "q2=1"]], [["4", "-m", "q2=all of them"]]])(
    "[SF23] nor an answer to another question: %j",
    async (words) => {
      const { ask } = await waiting(DATABASE, CHECKS);
      const { code, err } = await stage.type(["answer", ask.id, ...words]);
      expect([code, err]).toEqual([2, expect.stringMatching(/^✗ Option 4 cancels the task/)]);
      expect((await get(ask.id)).state).toBe("open");
    },
  );

  test.each([{ note: "use DuckDB" }, { text: "use DuckDB" }])("[SF24] nor through the API: %j", async (words) => {
    const { ask } = await waiting(DATABASE);
    const answers = [{ picks: [2], ...words }];
    expect(settle(ask.id, { action: "answer", answers })).rejects.toMatchObject({
      code: "invalid",
      message: "Cancel ends the task, and words given with it would be lost: leave out one of the two",
    });
    expect((await get(ask.id)).state).toBe("open");
  });

  test("[SF26] parley review has the same numbers, and refuses the same", async () => {
    const own = await createTaskStage();
    try {
      const { id } = await own.run([{ ask: [DATABASE] }], "--name", "reviewed");
      await own.becomes(id, isWaiting);
      const screen = typing(own, ["review"]);
      const page = await screen.type("Answer (? for help):", "4 = use DuckDB instead\r");
      expect(page).toContain("  3. Other - Your own words\n  4. Cancel - Cancel the task\n");
      const refused = await screen.type("Answer (? for help):", "3 = use DuckDB instead\r");
      expect(refused).toContain("Option 4 cancels the task, and your words would be lost.");
      const { code, text } = await screen.ended();
      expect([code, text.includes("use DuckDB instead")]).toEqual([0, true]);
      expect((await own.task(id)).state).not.toBe("cancelled");
    } finally {
      await own.dispose();
    }
  });

  test("[SF25] a task whose agent stopped is not cancelled by declining what it asks", async () => {
    const { task, ask } = await waiting();
    const said = await stage.type(["answer", ask.id, "--decline", "-m", "not like this"]);
    expect(said).toEqual({
      code: 2,
      out: "",
      err: "✗ A task that waits for you cannot be declined: answer it, or cancel the task\n",
    });
    expect((await stage.task(task.id)).state).toBe("waiting");
  });
});
