import { expect } from "bun:test";
import { waitForDialog } from "../../src/agents/claude-code/lab/dialog.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { holds } from "../e2e/program.ts";
import { openPilotStage, type PilotStage } from "./autopilot-stage.ts";
import { eachVersion, question } from "./stage.ts";

const CONFIG = `[autopilot]
mode = "on"
undo_seconds = 0
[[autopilot.rules]]
name = "mine"
match = { header = "Layout" }
choose = { label = "Grid" }
`;
const layout = (name: string) => question(`Which layout for the ${name}?`, ["Grid", "List"], { header: "Layout" });
const questions = {
  first: layout("list"),
  second: layout("title"),
  third: layout("notes"),
  open: question("Which colour?", ["Blue", "Green"], { header: "Colour" }),
};
const isVerified = ({ state }: AskView) => state === "verified";

eachVersion("corrections", ({ version, it }) => {
  it("[CO4] a correction reaches a real session once: with its next prompt, with an answer, or at the end of its turn", async () => {
    await using stage = await openPilotStage({
      version,
      config: CONFIG,
      questions,
      tools: { made: { tool: "Bash", input: { command: "touch made.txt", description: "make a file" } } },
    });
    // It waits for a prompt: told with the next one.
    const first = await answered(stage, "first");
    await stage.claude.tmux.waitFor((screen) => screen.includes("DONE.") && !screen.includes("esc to interrupt"));
    await correct(stage, first);
    expect(heard(stage, "list")).toBe(0);
    const second = await answered(stage, "second");
    expect(heard(stage, "list")).toBe(1);

    // It waits for an answer: told with that.
    const open = await stage.tell("open");
    await waitForDialog(stage.claude.tmux, questions.open.question);
    await correct(stage, second);
    await stage.answer(open.id, "2");
    expect(await holds(() => heard(stage, "title") > 0)).toBe(true);

    // It works and asks nothing more: told when its turn would end, and it goes on with that.
    const third = await answered(stage, "third");
    const approval = await stage.tell("made");
    await correct(stage, third);
    await stage.answer(approval.id, "Approve");
    expect(await holds(() => heard(stage, "notes") > 0)).toBe(true);

    await stage.claude.prompt("SCENARIO:none");
    expect(await holds(() => stage.model.requests.some((each) => JSON.stringify(each).includes("SCENARIO:none")))).toBe(
      true,
    );
    // What stops it at the end of a turn it hands on in two messages of its own.
    expect(["list", "title"].map((name) => heard(stage, name))).toEqual([1, 1]);
    for (const [id, when] of [
      [first, /with its next prompt|at the end of its turn/],
      [second, /with an answer/],
      [third, /at the end of its turn/],
    ] as const) {
      const { out } = await stage.program.parley(["log", id]);
      const told = out.split("\n").filter((line) => line.includes("its agent is told of the correction"));
      expect(told).toEqual([expect.stringMatching(when)]);
    }
  });
});

async function answered(stage: PilotStage, name: keyof typeof questions): Promise<string> {
  const { id } = await stage.tell(name);
  await stage.becomes(id, isVerified);
  return id;
}

async function correct({ program }: PilotStage, id: string): Promise<void> {
  const { out } = await program.parley(["digest", "correct", id, "2"]);
  expect(out).toContain("its agent is told with its next answer");
}

/** How often the model was told the correction about this, in the longest of its conversations; it repeats it itself. */
function heard({ model }: PilotStage, name: string): number {
  const [longest = []] = model.requests.map(({ messages }) => messages).toSorted((a, b) => b.length - a.length);
  const told = JSON.stringify(longest.filter(({ role }) => role !== "assistant"));
  return told.split(new RegExp(`A correction by your person: \\\\+"Which layout for the ${name}`)).length - 1;
}
