import { expect, test } from "bun:test";
import { dialogIn, waitForDialog } from "../../src/agents/claude-code/lab/dialog.ts";
import { createProgram } from "../e2e/program.ts";
import { eachVersion, openStage, question } from "./stage.ts";

const database = question("Which database?", ["SQLite", "Postgres"], { header: "Database" });
const features = question("Which features?", ["Auth", "Search"], { header: "Features", multiSelect: true });

test("[KW17] --server beside the id of a session and --dry-run beside look are refused", async () => {
  const program = createProgram();
  const said = (...args: string[]) => program.parley(["keys", ...args]);
  for (const args of [["look"], ["answer", "[]"]]) {
    const [verb = "", ...actions] = args;
    const { code, err } = await said(verb, "8c1f", ...actions, "--server", "/tmp/socket");
    expect([code, err]).toEqual([2, expect.stringContaining("is not a pane such as %3, or a tmux session")]);
  }
  const { code, err } = await said("look", "%0", "--server", "/tmp/socket", "--dry-run");
  expect([code, err]).toEqual([2, expect.stringContaining("--dry-run belongs to")]);
  await program.dispose();
});

eachVersion("parley keys", ({ version, it, main }) => {
  it("[KY24] `parley keys look` prints what is recognised, presses nothing, and says why where it recognises nothing", async () => {
    await using stage = await dialog();
    const { address, keys } = stage;
    // It looks when the screen stands still: so does this.
    await keys("look", address.id);
    const before = dialogIn(await stage.claude.tmux.screen());
    const said = await keys("look", address.id);
    expect(said.out.split("\n")).toEqual([
      "question: Which database? (one option)",
      "tabs: ☐ Database  ☐ Features",
      "> 1. SQLite What SQLite means",
      "  2. Postgres What Postgres means",
      "  3. (own words)",
      "  4. (chat)",
      "",
    ]);
    const json = JSON.parse((await keys("look", address.id, "--json")).out) as Record<string, unknown>;
    expect(json).toMatchObject({ agent: "Claude Code", width: 120, screen: { type: "question", multiSelect: false } });
    expect(dialogIn(await stage.claude.tmux.screen())).toBe(before);
    expect(await keys("look", "%99")).toMatchObject({ code: 3, err: "✗ The tmux pane %99 is gone\n" });
    expect(await stage.program.parley(["keys", "look", "nobody"])).toMatchObject({
      code: 3,
      err: expect.stringContaining('No session "nobody"'),
    });
  });

  main(
    "[KY25] `parley keys answer` refuses wrong actions, says with --dry-run what it would press, and answers a form",
    async () => {
      await using stage = await dialog();
      const { address, keys } = stage;
      const actions = JSON.stringify([
        { action: "select", optionIndex: 1 },
        { action: "multi-select", selectedIndices: [0], text: "and mine" },
      ]);
      expect(await keys("answer", address.id, "select 1")).toMatchObject({
        code: 2,
        err: expect.stringContaining("a JSON list"),
      });
      const wrong = await keys("answer", address.id, '[{"action":"select","optionIndex":9}]');
      expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("one action for each question")]);
      const dry = await keys("answer", address.id, actions, "--dry-run");
      expect([dry.code, dry.out]).toEqual([
        0,
        expect.stringContaining("would: press Down first (Question 1 of 2 (Database))"),
      ]);
      expect(stage.model.toolResults()).toEqual([]);
      const done = await keys("answer", address.id, actions);
      expect([done.code, done.err]).toEqual([0, ""]);
      expect((await stage.received()).text).toContain(
        '"Which database?"="Postgres", "Which features?"="Auth, and mine"',
      );
    },
  );

  /** An agent without hooks, its dialog open. */
  async function dialog() {
    const ask = [{ tool: "AskUserQuestion", id: "toolu_ask", input: { questions: [database, features] } }];
    const stage = await openStage({ version, setup: false, script: { ask } });
    await stage.claude.prompt("SCENARIO:ask");
    await waitForDialog(stage.claude.tmux, database.question);
    const address = stage.claude.tmux.address();
    const keys = (...args: string[]) => stage.program.parley(["keys", ...args, "--server", address.server]);
    return Object.assign(stage, { address, keys });
  }
});
