import { expect } from "bun:test";
import { leaveTab, pickOption, submitReview, waitForDialog } from "../../src/agents/claude-code/lab/dialog.ts";
import { poll } from "../../src/lab/poll.ts";
import { ask as askHeld } from "../e2e/cli-asker.ts";
import { eachVersion, openStage, question, type Stage, VERSIONS } from "./stage.ts";

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
async function watch({ program, claude }: Stage): Promise<void> {
  // It may be the first command, which starts the daemon.
  await program.start();
  const { code, err } = await program.parley(["watch", PANE, "--server", claude.tmux.socket]);
  if (code !== 0) throw new Error(err);
}
const answer = ({ program, claude }: Stage, actions: object[], options = {}) =>
  program.parley(["keys", "answer", PANE, JSON.stringify(actions), "--server", claude.tmux.socket], options);
const typings = async ({ program }: Stage, ask: string) =>
  (await program.client().call("readLog", { query: { ask } })).events.filter(({ type }) => type === "ask.typing");

eachVersion("Agents without hooks", ({ version, it, once, rest }) => {
  it("[KW6] a dialog in a watched pane is an Ask with every question; its answer is typed and proved by the record", async () => {
    await using stage = await asking(version, [DATABASE, FEATURES]);
    await watch(stage);
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

  rest("[KW7] somebody who answers in the pane is seen in its record", async () => {
    await using stage = await asking(version);
    await watch(stage);
    const ask = await stage.ask("Which database?");
    await stage.claude.tmux.keys("Enter");
    const done = await stage.becomes(ask.id, ({ state }) => state === "closed");
    expect(done.outcome).toMatchObject({ type: "answered-elsewhere", answers: [{ picks: [0] }] });
  });

  rest(
    "[KW8] `parley keys answer` finds the dialog in a pane nobody watches, and types one action for each question",
    async () => {
      await using stage = await asking(version);
      const actions = JSON.stringify([{ action: "type", text: "DuckDB; it's embedded" }]);
      const { program, claude } = stage;
      const said = await program.parley(["keys", "answer", PANE, actions, "--server", claude.tmux.socket]);
      expect([said.code, said.err]).toEqual([0, ""]);
      expect(said.out).toContain("✓ Claude Code received");
      expect((await stage.received()).text).toContain('"Which database?"="DuckDB; it\'s embedded"');
    },
  );

  once(
    "[KW9] a daemon killed while it types does not type again: its Ask says so, or its record how it ended",
    async () => {
      await using stage = await asking(version, [DATABASE, FEATURES]);
      await watch(stage);
      const ask = await stage.ask("Which database?");
      const answering = stage.program.parley(["answer", ask.id, "2", "1,3"]);
      await poll(async () => ((await typings(stage, ask.id)).length > 0 ? true : undefined), {
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
    },
  );

  rest("[KW10] a pane that is gone withdraws its question and is watched no longer", async () => {
    await using stage = await asking(version);
    await watch(stage);
    const ask = await stage.ask("Which database?");
    await stage.claude.tmux.closeWindow();
    const done = await stage.becomes(ask.id, ({ state }) => state === "closed");
    expect(done.outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
    const panes = async () => (await stage.program.client().call("listPanes", {})).panes;
    await poll(async () => ((await panes()).length === 0 ? true : undefined), {
      failure: () => "still watched",
    });
  });

  // What follows is the daemon's doing, whatever the version draws.
  if (version !== VERSIONS[0]) return;

  once(
    "[KW11] `parley keys answer` from inside an agent's session is an agent's: its own question it does not answer",
    async () => {
      await using stage = await asking(version);
      await watch(stage);
      const { id, origin } = await stage.ask("Which database?");
      const inside = (session = "") => ({ env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session } });
      const own = await answer(stage, [{ action: "select", optionIndex: 1 }], inside(origin.session));
      expect([own.code, own.err]).toEqual([77, expect.stringContaining("may not answer its own question")]);
      expect((await stage.ask("Which database?")).state).toBe("open");
      expect((await answer(stage, [{ action: "select", optionIndex: 1 }], inside("another"))).code).toBe(0);
      const { outcome } = await stage.becomes(id, ({ state }) => state === "verified");
      expect(outcome?.actor).toEqual({ type: "agent", surface: "keys", session: "another" });
    },
  );

  rest("[KW12] it answers the question on the screen, never another open one of that pane", async () => {
    await using stage = await asking(version);
    const { server, id, pid } = stage.claude.tmux.address();
    const env = { TMUX: `${server},${pid},0`, TMUX_PANE: id };
    const held = await askHeld(stage.program, undefined, { env });
    const twins = [
      await askHeld(stage.program, [DATABASE], { env }),
      await askHeld(stage.program, [DATABASE], { env }),
    ];
    const unclear = await answer(stage, [{ action: "select", optionIndex: 1 }]);
    expect([unclear.code, unclear.err]).toEqual([3, expect.stringContaining("Several open questions")]);
    for (const twin of twins) await twin.picksInTerminal("SQLite");
    const said = await answer(stage, [{ action: "select", optionIndex: 1 }]);
    expect([said.code, said.err]).toEqual([0, ""]);
    expect((await stage.received()).text).toContain('"Which database?"="PostgreSQL"');
    // Its dialog is closed: the one that is still open does not stand there.
    const again = await answer(stage, [{ action: "select", optionIndex: 1 }]);
    expect([again.code, again.err]).toEqual([3, expect.stringContaining("There is no question to answer")]);
    expect((await stage.find((ask) => ask.id === held.id)).state).toBe("open");
    await held.hangsUp();
  });

  once(
    "[KW13] what cannot be typed, or not now, is refused while the question stays open for another answer",
    async () => {
      await using stage = await asking(version);
      await watch(stage);
      const { id } = await stage.ask("Which database?");
      const refused = await answer(stage, [{ action: "type", text: "two\nlines" }]);
      expect([refused.code, refused.err]).toEqual([4, expect.stringContaining("line breaks")]);
      const tmux = (...args: string[]) => Bun.spawn(["tmux", "-S", stage.claude.tmux.socket, ...args]).exited;
      await tmux("copy-mode", "-t", PANE);
      const scrolled = await answer(stage, [{ action: "select", optionIndex: 1 }]);
      expect([scrolled.code, scrolled.err]).toEqual([4, expect.stringContaining("copy mode")]);
      await tmux("send-keys", "-t", PANE, "-X", "cancel");
      expect((await stage.find((ask) => ask.id === id)).state).toBe("open");
      expect((await answer(stage, [{ action: "select", optionIndex: 1 }])).code).toBe(0);
      expect((await stage.received()).text).toContain('"Which database?"="PostgreSQL"');
    },
  );

  once(
    "[KW14] a person who answers otherwise after the first key is a mismatch that names both, never verified",
    async () => {
      await using stage = await asking(version, [DATABASE, FEATURES]);
      const { tmux } = stage.claude;
      await watch(stage);
      const { id } = await stage.ask("Which database?");
      // A person scrolls: that stops the driver wherever it is, and no key of theirs meets one of ours.
      const scroll = (...args: string[]) => Bun.spawn(["tmux", "-S", tmux.socket, ...args]).exited;
      const answering = stage.program.parley(["answer", id, "2", "1,3"]);
      await poll(async () => ((await typings(stage, id)).length > 0 ? true : undefined), {
        everyMs: 5,
        failure: () => "no key was pressed",
      });
      const stopped = await poll(
        async () => {
          const ask = await stage.find((each) => each.id === id);
          if (ask.deliveries[0]?.released !== undefined) return ask;
          await scroll("copy-mode", "-t", PANE);
          return undefined;
        },
        { everyMs: 20, failure: () => "the driver did not stop" },
      );
      expect([stopped.state, stopped.sentence]).toEqual([
        "settled",
        expect.stringContaining("has not picked it up yet"),
      ]);
      await answering;
      expect(stage.model.toolResults()).toEqual([]);
      await scroll("send-keys", "-t", PANE, "-X", "cancel");

      await poll(
        async () => {
          if (/^❯ 1\./m.test((await tmux.screen()).split("Let me ask.").at(-1) ?? "")) return true;
          await tmux.keys("Up");
          return undefined;
        },
        { everyMs: 300, failure: () => "the cursor is not on the first row" },
      );
      if (!(await tmux.screen()).includes("1. SQLite")) await tmux.keys("Left");
      await waitForDialog(tmux, "Which database?");
      await pickOption(tmux, 1);
      await waitForDialog(tmux, "Which features?");
      await leaveTab(tmux);
      await submitReview(tmux);
      const { text } = await stage.received();
      expect(text).toContain('"Which database?"="SQLite"');
      const done = await stage.becomes(id, ({ state }) => state !== "settled");
      expect(done.state).toBe("mismatched");
      expect(done.sentence).toContain("PostgreSQL");
      expect(done.sentence).toContain("SQLite");
    },
  );
});
