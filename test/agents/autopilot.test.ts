import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pickOption, waitForDialog } from "../../src/agents/claude-code/lab/dialog.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { openPilotStage, type PilotStage } from "./autopilot-stage.ts";
import { eachVersion, question, VERSIONS } from "./stage.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

const [NEWEST] = VERSIONS;
const on = (more = "undo_seconds = 1") => `[autopilot]\nmode = "on"\ntrust.per_rule = 0\n${more}\n`;
const CATEGORY = `[[autopilot.rules]]\nname = "by-category"\nchoose = "category"\n`;
const ASK = `[[autopilot.rules]]\nname = "ask"\nbrain = "b"\n`;
const proceed = question("Shall I proceed with the tests?", ["Yes", "No"], { header: "Proceed" });
const store = question("Which database should the project use?", ["SQLite", "Postgres"], { header: "Database" });
const isVerified = ({ state }: AskView) => state === "verified";
const stateIs =
  (state: string) =>
  ({ autopilot }: AskView): boolean =>
    autopilot?.state === state;

eachVersion("autopilot", ({ version, it, rest }) => {
  it("[AU40] a rule answers the real agent: it receives the answer with a note that no person gave it, and it is verified", async () => {
    await using stage = await openPilotStage({ version, config: on() + CATEGORY, questions: { proceed } });
    const { id } = await stage.tell("proceed");
    const { text, isError } = await stage.received("proceed");
    expect(isError).toBe(false);
    expect(text).toContain('"Shall I proceed with the tests?"="Yes"');
    expect(text).toContain("answered by a rule (by-category), not by a person");
    expect((await stage.becomes(id, isVerified)).outcome?.actor).toMatchObject({ type: "rule", name: "by-category" });
  });

  rest(
    "[AU41] the running command sets the phase: a design question while executing carries the warning that planning missed it",
    async () => {
      await using stage = await openPilotStage({
        version,
        config: on() + CATEGORY,
        questions: { store },
        files: { "ROADMAP.md": "# Roadmap\n\n- We use Postgres for everything.\n" },
        commands: { "execute-phase": "Execute phase $ARGUMENTS. SCENARIO:store" },
      });
      const { id } = await stage.tell("store", "/gsd:execute-phase 3");
      const { text } = await stage.received("store");
      expect(text).toContain('="Postgres"');
      expect(text).toContain("Planning missed this");
      expect((await stage.becomes(id, isVerified)).origin.command).toBe("/gsd:execute-phase 3");
    },
  );

  if (version !== NEWEST) return;

  rest(
    "[AU42] each category end to end: the rule answers what it can, a brain proposes words for the rest",
    async () => {
      const questions = {
        proceed,
        style: question("Which naming style do you prefer for files?", ["kebab-case", "snake_case", "You decide"], {
          header: "Naming",
        }),
        scope: question("Which areas do you want to discuss?", ["Layout", "Loading", "Errors"], {
          header: "Areas",
          multiSelect: true,
        }),
        store,
        floor: question("What else would you like to discuss?", ["Something else", "Nothing, go on"], {
          header: "Anything",
        }),
        choice: question("Who should choose the colours?", ["You decide", "I will pick"], { header: "Colours" }),
        odd: question("Blue seventeen?", ["Round", "Square"], { header: "Odd" }),
      };
      await using stage = await openPilotStage({
        version,
        config: on('undo_seconds = 1\nbrain = "b"') + CATEGORY,
        questions,
        files: { "ROADMAP.md": "# Roadmap\n\n- We use Postgres for everything.\n" },
      });
      stage.open();
      const told = async (name: keyof typeof questions, isAccepted = false) => {
        const { id } = await stage.tell(name);
        if (isAccepted) {
          await stage.becomes(id, stateIs("suggested"));
          await stage.program.parley(["accept", id], { env: UNTIL_RECEIVED });
        }
        const { text } = await stage.received(name);
        const { outcome } = await stage.becomes(id, isVerified);
        return { text, by: outcome?.actor.type };
      };
      expect(await told("proceed")).toMatchObject({ text: expect.stringContaining('="Yes"'), by: "rule" });
      expect(await told("scope")).toMatchObject({ text: expect.stringMatching(/Layout.*Loading.*Errors/), by: "rule" });
      expect(await told("store")).toMatchObject({ text: expect.stringContaining('="Postgres"'), by: "rule" });
      // Handing a choice back is nobody's default, and what a brain types only goes out when a person takes it.
      for (const name of ["style", "choice", "floor", "odd"] as const)
        expect(await told(name, true)).toMatchObject({
          text: expect.stringContaining("Neither: write it down first"),
          by: "person",
        });
    },
  );

  it("[AU43] suggested and accepted: the agent receives it as the person's own answer", async () => {
    await using stage = await openPilotStage({
      version,
      config: `[autopilot]\nmode = "suggest"\n${CATEGORY}`,
      questions: { proceed },
    });
    const { id } = await stage.tell("proceed");
    await stage.becomes(id, stateIs("suggested"));
    const { out } = await stage.program.parley(["accept", id], { env: UNTIL_RECEIVED });
    expect(out).toStartWith('✓ Claude Code received "Yes"');
    expect((await stage.received("proceed")).text).not.toContain("not by a person");
  });

  rest("[AU44] undone, and paused mid-question: the dialog stays, and the person answers in it", async () => {
    await using stage = await openPilotStage({
      version,
      config:
        on("undo_seconds = 600") +
        `[[autopilot.rules]]\nname = "ask"\nmatch = { header = "Database" }\nbrain = "b"\n${CATEGORY}`,
      questions: { proceed, store },
    });
    const held = await stage.tell("proceed");
    await stage.becomes(held.id, stateIs("held"));
    expect((await stage.program.parley(["undo", held.id])).code).toBe(0);
    await byHand(stage, proceed.question);
    expect((await stage.becomes(held.id, ({ outcome }) => outcome !== undefined)).outcome?.actor).toMatchObject({
      type: "person",
      surface: "terminal",
    });

    const asking = await stage.tell("store");
    await stage.becomes(asking.id, stateIs("asking"));
    await stage.program.parley(["autopilot", "pause"]);
    stage.open();
    expect((await stage.becomes(asking.id, stateIs("paused"))).outcome).toBeUndefined();
    await byHand(stage, store.question);
    const ended = await stage.becomes(asking.id, ({ outcome }) => outcome !== undefined);
    expect(ended.outcome).toMatchObject({ actor: { type: "person", surface: "terminal" }, answers: [{ picks: [0] }] });
  });

  rest(
    "[AU45] a person answers in the terminal while the brain thinks: they are first, and its late answer is kept",
    async () => {
      await using stage = await openPilotStage({ version, config: on() + ASK, questions: { store } });
      const { id } = await stage.tell("store");
      await stage.becomes(id, stateIs("asking"));
      await byHand(stage, store.question);
      await stage.becomes(id, ({ outcome }) => outcome !== undefined);
      stage.open();
      const { outcome, autopilot } = await stage.becomes(id, stateIs("late"));
      expect(outcome).toMatchObject({ actor: { type: "person", surface: "terminal" }, answers: [{ picks: [0] }] });
      expect(autopilot?.proposal).toMatchObject({
        by: { name: "b" },
        answers: [{ text: "Neither: write it down first" }],
      });
      expect((await stage.received("store")).text).toContain('="SQLite"');
    },
  );

  rest(
    "[AU46] never-auto and approvals are left to the person; a rule of theirs that names approvals may allow one",
    async () => {
      const never = `[[autopilot.rules]]\nname = "never"\nmatch = { header = "Proceed" }\nact = "never-auto"\n`;
      const touch = (name: string) => ({
        tool: "Bash",
        input: { command: `touch ${name}.txt`, description: "make a file" },
      });
      const allow = `[[autopilot.rules]]\nname = "touch"\nmatch = { kind = "approval", stakes = "permission" }\nchoose = { label = "Approve" }\n`;
      await using stage = await openPilotStage({
        version,
        config: on('undo_seconds = 1\nbrain = "b"') + never,
        questions: { proceed },
        tools: { left: touch("left") },
      });
      stage.open();
      const refused = await stage.tell("proceed");
      expect((await stage.becomes(refused.id, stateIs("human"))).autopilot?.why).toContain("never");
      expect((await stage.answer(refused.id, "2")).code).toBe(0);
      const approval = await stage.tell("left");
      expect((await stage.becomes(approval.id, stateIs("human"))).outcome).toBeUndefined();
      await stage.answer(approval.id, "Deny");

      await using allowing = await openPilotStage({
        version,
        config: on() + allow,
        questions: {},
        tools: { made: touch("made") },
      });
      const { id } = await allowing.tell("made");
      expect((await allowing.becomes(id, isVerified)).outcome?.actor).toMatchObject({
        type: "rule",
        name: "touch",
        kind: "approval",
      });
      expect(existsSync(join(allowing.claude.project, "made.txt"))).toBe(true);
    },
  );
});

/** The first option, in the agent's own dialog. */
async function byHand({ claude }: PilotStage, text: string): Promise<void> {
  await waitForDialog(claude.tmux, text);
  await pickOption(claude.tmux, 1);
}
