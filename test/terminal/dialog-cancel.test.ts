import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { offerCancel } from "../../src/core/task/task-cancel.ts";
import { Question } from "../../src/core/ask/question.ts";
import { createTaskStage, DATABASE, isWaiting, type TaskStage } from "../e2e/tasks-stage.ts";
import { FEATURES, KEY, mount, STORE } from "./dialog-headless.ts";
import { guardOver, onScreen } from "./inbox-stage.ts";

const [store, features] = offerCancel(Question.array().parse([STORE, FEATURES])) as [Question, Question];
const { down, enter, escape, space } = KEY;
const rowsIn = (screen: string) => screen.match(/\d\. [\w, ]+/g);

describe("one dialog", () => {
  test("[SF30] Cancel is the last row, after Other; its number goes to it, and Other's to Other", async () => {
    const dialog = mount([store]);
    expect(rowsIn(await dialog.screen())).toEqual([
      "1. SQLite",
      "2. Postgres",
      "3. Files, one each",
      "4. Other",
      "5. Cancel",
    ]);
    expect(await dialog.screen()).toContain("Esc: close");
    dialog.press(down, down, down, enter);
    expect(await dialog.screen()).toContain("Enter your answer:");
    dialog.press(escape, "5");
    expect(await dialog.screen()).toContain("❯ (•) 5. Cancel");
    dialog.press("G");
    expect(await dialog.screen()).toContain("❯ (•) 5. Cancel");
    dialog.press(down);
    expect(await dialog.screen()).toContain("❯ (•) 5. Cancel");
    dialog.press("k");
    expect(await dialog.screen()).toContain("❯ ( ) 4. Other");
  });

  test.each([
    [80, 24],
    [40, 12],
  ])("[SF31] Enter on it asks once more, at %d × %d", async (columns, rows) => {
    const dialog = mount([store], { columns, rows });
    dialog.press("5", enter);
    const screen = await dialog.screen();
    expect(screen).toContain("  Cancel the task?");
    expect(screen).toContain("  y: yes  any other key: no");
    expect(screen).toContain("❯ (•) 5. Cancel");
    expect(dialog.ends).toEqual([]);
    dialog.press("y");
    expect(dialog.ends).toEqual([{ type: "submitted", answers: [{ picks: [3] }] }]);
  });

  test.each([
    ["Enter", enter],
    ["Esc", escape],
    ["Space", space],
    ["n", "n"],
    ["an arrow", down],
  ])("[SF32] %s does not cancel: the form is as it was", async (_, key) => {
    const dialog = mount([store]);
    dialog.press("5", enter, key);
    const screen = await dialog.screen();
    expect(screen).not.toContain("Cancel the task?");
    expect(screen).toContain("❯ (•) 5. Cancel");
    dialog.press("1", enter);
    expect(dialog.ends).toEqual([{ type: "submitted", answers: [{ picks: [0] }] }]);
  });

  test("[SF33] what was typed beside it is not sent, and that is said first; it stays in the draft", async () => {
    const dialog = mount([store]);
    dialog.press("4");
    dialog.type("use DuckDB");
    dialog.press(escape, "5", enter);
    expect(await dialog.screen()).toMatch(/Cancel the task\?\n\s+What you typed is not sent\.\n/);
    dialog.press("y");
    expect(dialog.ends).toEqual([{ type: "submitted", answers: [{ picks: [3] }] }]);
    expect(dialog.dialog.draft().entries[0]?.text).toBe("use DuckDB");
  });

  test("[SF33] it takes no note", async () => {
    const dialog = mount([store]);
    dialog.press("5", "n");
    const screen = await dialog.screen();
    expect(screen).toContain("Cancel takes no note");
    expect(screen).not.toContain("Note for the agent:");
  });

  test("[WS1] where a note would be lost, that is said before it is typed", async () => {
    const allows = { label: "Approve", description: "", effect: "allow" as const };
    const options = [allows, { ...allows, label: "Accept", takesNote: true }, { ...allows, effect: "deny" as const }];
    const dialog = mount([{ ...store, options }]);
    dialog.press("1", "n");
    expect(await dialog.screen()).toContain('"Approve" takes no note: it would not reach the agent');
    dialog.press("2", "n");
    expect(await dialog.screen()).toContain("Note for the agent:");
  });

  test("[SF34] of several questions each way to the end asks once more", async () => {
    const first = mount([store, features]);
    first.press("5", enter);
    expect(await first.screen()).toContain("Cancel the task?");
    const ticked = mount([store, features]);
    ticked.press("1", enter, "5", enter);
    expect(await ticked.screen()).toContain("Cancel the task?");
    ticked.press(escape, KEY.right, enter);
    expect(await ticked.screen()).toContain("Cancel the task?");
    ticked.press("y");
    expect(ticked.ends).toEqual([{ type: "submitted", answers: [{ picks: [3] }, { picks: [] }] }]);
  });

  test("[SF34] where something is allowed or denied there is no Other, and Cancel is last too", async () => {
    const effects = ["allow", "deny", "cancel"] as const;
    const options = effects.map((effect) => ({ label: effect, description: "", effect }));
    const dialog = mount([{ text: "Allow it?", header: "Bash", options }]);
    expect(rowsIn(await dialog.screen())).toEqual(["1. allow", "2. deny", "3. cancel"]);
    dialog.press("4", enter);
    expect(dialog.ends).toEqual([{ type: "submitted", answers: [{ picks: [0] }] }]);
  });
});

describe("the real program", () => {
  let stage: TaskStage;
  beforeAll(async () => {
    stage = await createTaskStage();
  });
  afterAll(() => stage.dispose());

  test.each([
    [100, 30, []],
    [80, 24, []],
    [40, 12, []],
    [80, 24, ["popup"]],
  ])("[SF35] ↓ ↓ Enter ends no task, at %d × %d %j; Cancel does after a second step", async (columns, rows, args) => {
    const { id } = await stage.run([{ ask: [DATABASE] }], "--name", `at ${columns}`);
    const { asks } = await stage.becomes(id, isWaiting);
    await using inbox = onScreen(stage, { columns, rows, args });
    if (args.length === 0) {
      await inbox.shows("Which database should we");
      inbox.press(enter);
      if (columns === 40) {
        await inbox.shows("2. Postgres");
        inbox.press(enter);
      }
    }
    await inbox.shows("❯ ( ) 1. SQLite");
    await guardOver();
    inbox.press(`${down}${down}${enter}`);
    await inbox.shows("Enter your answer:");
    inbox.press(escape);
    await inbox.shows("Enter: select");
    inbox.press("4");
    await inbox.shows("❯ (•) 4. Cancel");
    inbox.press(enter);
    await inbox.shows("y: yes  any other key: no");
    expect((await stage.client().call("getAsk", { id: asks[0] ?? "" })).state).toBe("open");
    inbox.press("y");
    await stage.becomes(id, ({ state }) => state === "cancelled");
    await inbox.shows(args.length === 0 && columns > 40 ? "✓ task cancelled by inbox" : "✓ task cancelled by");
  });
});
