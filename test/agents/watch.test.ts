import { expect } from "bun:test";
import { waitForDialog } from "../../src/lab/claude-dialog.ts";
import { poll } from "../../src/lab/poll.ts";
import { eachVersion, openStage, question, type Stage } from "./stage.ts";

const DATABASE = question("Which database?", ["SQLite", "PostgreSQL"]);
const FEATURES = question("Which features?", ["Search", "Export", "Sync"], { header: "Features", multiSelect: true });
const PANE = "%0";

/** An agent in tmux that knows nothing of Parley, with its dialog open. */
async function asking(version: string, questions = [DATABASE]): Promise<Stage> {
  const input = { questions };
  const script = { ask: [{ text: "Let me ask." }, { tool: "AskUserQuestion", id: "toolu_ask", input }] };
  const stage = await openStage({ version, setup: false, script });
  await stage.claude.prompt("SCENARIO:ask");
  await waitForDialog(stage.claude.tmux, questions[0]?.question ?? "");
  return stage;
}
const watch = ({ program, claude }: Stage) => program.parley(["watch", PANE, "--server", claude.tmux.socket]);
const typings = async ({ program }: Stage, ask: string) =>
  (await program.client().call("readLog", { query: { ask } })).events.filter(({ type }) => type === "ask.typing");

eachVersion("Agents without hooks", (version, it) => {
  it("[KW6] a dialog in a watched pane is an Ask with every question; its answer is typed and proved by the record", async () => {
    await using stage = await asking(version, [DATABASE, FEATURES]);
    expect((await watch(stage)).code).toBe(0);
    const ask = await stage.ask("Which database?");
    expect(ask.questions.map(({ text }) => text)).toEqual(["Which database?", "Which features?"]);
    await stage.answer(ask.id, "2", "1,3");
    const done = await stage.becomes(ask.id, ({ state }) => state === "verified");
    expect(done.deliveries).toMatchObject([{ key: "toolu_ask", channel: "keys" }]);
    const { text } = await stage.received();
    expect(text).toContain('"Which database?"="PostgreSQL"');
    expect(text).toContain('"Which features?"="Search, Sync"');
    expect(await typings(stage, ask.id)).toHaveLength(1);
  });

  it("[KW7] somebody who answers in the pane is seen in its record", async () => {
    await using stage = await asking(version);
    await watch(stage);
    const ask = await stage.ask("Which database?");
    await stage.claude.tmux.keys("Enter");
    const done = await stage.becomes(ask.id, ({ state }) => state === "closed");
    expect(done.outcome).toMatchObject({ type: "answered-elsewhere", answers: [{ picks: [0] }] });
  });

  it("[KW8] `parley keys answer` finds the dialog in a pane nobody watches, and types one action for each question", async () => {
    await using stage = await asking(version);
    const actions = JSON.stringify([{ action: "type", text: "DuckDB; it's embedded" }]);
    const { program, claude } = stage;
    const said = await program.parley(["keys", "answer", PANE, actions, "--server", claude.tmux.socket]);
    expect([said.code, said.err]).toEqual([0, ""]);
    expect(said.out).toContain("✓ Claude Code received");
    expect((await stage.received()).text).toContain('"Which database?"="DuckDB; it\'s embedded"');
  });

  it("[KW9] a daemon killed while it types does not type again: its Ask says so, or its record how it ended", async () => {
    await using stage = await asking(version, [DATABASE, FEATURES]);
    await watch(stage);
    const ask = await stage.ask("Which database?");
    const answering = stage.answer(ask.id, "2", "1,3");
    await poll(async () => ((await typings(stage, ask.id)).length > 0 ? true : undefined), {
      timeoutMs: 20_000,
      everyMs: 5,
      failure: () => "no key was pressed",
    });
    await stage.program.kill9();
    await answering;
    const after = await stage.becomes(
      ask.id,
      ({ state, deliveries }) => state === "verified" || deliveries[0]?.released !== undefined,
    );
    if (after.state !== "verified") expect(after.sentence).toContain("Parley was ended while it typed");
    expect(await typings(stage, ask.id)).toHaveLength(1);
  });

  it("[KW10] a pane that is gone withdraws its question and is watched no longer", async () => {
    await using stage = await asking(version);
    await watch(stage);
    const ask = await stage.ask("Which database?");
    await stage.claude.tmux.closeWindow();
    const done = await stage.becomes(ask.id, ({ state }) => state === "closed");
    expect(done.outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
    const panes = async () => (await stage.program.client().call("listPanes", {})).panes;
    await poll(async () => ((await panes()).length === 0 ? true : undefined), {
      timeoutMs: 20_000,
      failure: () => "still watched",
    });
  });
});
