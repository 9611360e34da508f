import { expect } from "bun:test";
import {
  chatAboutThis,
  leaveTab,
  pickOption,
  pointAt,
  pressEsc,
  submitReview,
  typeAnswer,
  waitForDialog,
} from "../../src/agents/claude-code/lab/dialog.ts";
import { eachVersion, openStage, question } from "./stage.ts";

const approach = question("Which approach should we use?", ["Option A", "Option B", "Option C"]);
const database = question("Which database?", ["SQLite", "Postgres"], { header: "Database" });
const features = question("Which features?", ["Auth", "Search, fuzzy", "Export"], {
  header: "Features",
  multiSelect: true,
});

const bothIn = (first = approach, second = database) => ({
  both: [
    { tool: "AskUserQuestion", id: "toolu_first", input: { questions: [first] } },
    { tool: "AskUserQuestion", id: "toolu_second", input: { questions: [second] } },
  ],
});

eachVersion("answered in the terminal", ({ version, it, rest }) => {
  it("[R6] the Ask closes with what was chosen there, and a later answer is told so", async () => {
    await using stage = await openStage({ version });
    const picked = await stage.asks([approach], "picked");
    await pickOption(stage.claude.tmux, 2);
    const closed = await stage.becomes(picked.id, (ask) => ask.state === "closed");
    expect(closed.outcome).toMatchObject({
      type: "answered-elsewhere",
      actor: { type: "person", surface: "terminal" },
      answers: [{ picks: [1] }],
    });
    const late = await stage.answer(picked.id, "1");
    expect(late).toMatchObject({ code: 4, out: "✗ the terminal was first: Option B\n" });

    const typed = await stage.asks([approach], "typed");
    await typeAnswer(stage.claude.tmux, "my own words");
    expect((await stage.becomes(typed.id, (ask) => ask.state === "closed")).outcome?.answers).toEqual([
      { picks: [], text: "my own words" },
    ]);

    const form = await stage.asks([features, database], "form");
    await pickOption(stage.claude.tmux, 2);
    await pickOption(stage.claude.tmux, 3);
    await leaveTab(stage.claude.tmux);
    await waitForDialog(stage.claude.tmux, database.question);
    await pickOption(stage.claude.tmux, 1);
    await submitReview(stage.claude.tmux);
    expect((await stage.becomes(form.id, (ask) => ask.state === "closed")).outcome?.answers).toEqual([
      { picks: [1, 2] },
      { picks: [0] },
    ]);
  });

  it("[R7] Esc declines, and “Chat about this” is chat", async () => {
    await using stage = await openStage({ version });
    const chat = await stage.asks([approach], "chat");
    await chatAboutThis(stage.claude.tmux);
    expect((await stage.becomes(chat.id, (ask) => ask.state === "closed")).outcome?.type).toBe("chat");
    const escaped = await stage.asks([approach], "escaped");
    await pressEsc(stage.claude.tmux);
    const closed = await stage.becomes(escaped.id, (ask) => ask.state === "closed");
    expect(closed.outcome).toMatchObject({ type: "declined", actor: { surface: "terminal" } });
  });

  it("[R8] two questions in one message are two Asks held at once; each gets its own answer", async () => {
    await using stage = await openStage({ version, script: bothIn() });
    await stage.claude.prompt("SCENARIO:both");
    const first = await stage.ask(approach.question, (ask) => ask.reachable);
    const second = await stage.ask(database.question, (ask) => ask.reachable);
    expect(first.id).not.toBe(second.id);
    expect((await stage.answer(second.id, "2")).out).toContain('"Postgres"');
    expect((await stage.answer(first.id, "1")).out).toStartWith('✓ Claude Code received "Option A"');
    expect((await stage.received("second")).text).toContain('="Postgres"');
    expect((await stage.becomes(second.id, (ask) => ask.state !== "delivered")).state).toBe("verified");
  });

  rest("[R9] Esc on one of two questions in one message declines both", async () => {
    await using stage = await openStage({ version, script: bothIn() });
    await stage.claude.prompt("SCENARIO:both");
    const first = await stage.ask(approach.question, (ask) => ask.reachable);
    const second = await stage.ask(database.question, (ask) => ask.reachable);
    // Which of them is shown first differs from run to run.
    await Promise.any([approach, database].map((shown) => waitForDialog(stage.claude.tmux, shown.question)));
    await pressEsc(stage.claude.tmux);
    for (const { id } of [first, second])
      expect((await stage.becomes(id, (ask) => ask.state === "closed")).outcome?.type).toBe("declined");
  });

  rest("[R10] equal twins are one Ask with two deliveries; one answer reaches both", async () => {
    await using stage = await openStage({ version, script: bothIn(approach, approach) });
    await stage.claude.prompt("SCENARIO:both");
    const twins = await stage.ask(
      approach.question,
      (ask) => ask.deliveries.length === 2 && ask.deliveries.every((d) => d.hold),
    );
    expect((await stage.answer(twins.id, "3")).out).toStartWith('✓ Claude Code received "Option C"');
    for (const name of ["first", "second"]) expect((await stage.received(name)).text).toContain('="Option C"');
    await stage.becomes(twins.id, ({ deliveries }) => deliveries.every(({ state }) => state === "verified"));
  });

  it("[R11] both at the same instant: the Ask ends as what the model really received", async () => {
    await using stage = await openStage({ version });
    // The command takes a moment to start: with no head start the terminal is first, with a long one the command is.
    for (const [round, headStartMs] of Object.entries({ one: 0, two: 80, three: 160 })) {
      const ask = await stage.asks([approach], round);
      await pointAt(stage.claude.tmux, 3);
      // One blind key: where the dialog is gone already, Enter in the empty prompt does nothing.
      const pressed = Bun.sleep(headStartMs).then(() => stage.claude.tmux.keys("Enter"));
      await Promise.all([stage.answer(ask.id, "1"), pressed]);
      const { text } = await stage.received(round);
      const ended = await stage.becomes(ask.id, (found) => found.state === "verified" || found.state === "closed");
      const ours = text.includes('="Option A"');
      expect([ended.state, ended.outcome?.answers?.[0]?.picks]).toEqual(ours ? ["verified", [0]] : ["closed", [2]]);
      if (!ours) expect(["overtaken", "answered-elsewhere"]).toContain(ended.outcome?.type ?? "");
    }
  });
});
