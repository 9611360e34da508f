import { afterEach, expect, test } from "bun:test";
import { createPilot, isSettled, type Pilot } from "./autopilot-stage.ts";
import { createSession, ended, type Session, SILENT } from "./hook-stage.ts";

let pilot: Pilot;
afterEach(() => pilot.dispose());

const ON = `[autopilot]\nmode = "on"\nundo_seconds = 0\n`;

/** A question of Claude Code's that a rule has answered, and what its person says to that. */
async function answeredWrongly(): Promise<{ session: Session; id: string; correct(): Promise<string> }> {
  pilot = createPilot("");
  const session = createSession(pilot.program, "answered-by-hook");
  const [asked] = (session.payload("PreToolUse")["tool_input"] as { questions: Written[] }).questions;
  const { question = "", options = [] } = asked ?? {};
  const rule = `[[autopilot.rules]]\nname = "mine"\nmatch = { question = ${JSON.stringify(question)} }\n`;
  pilot.configure(`${ON}${rule}choose = { label = ${JSON.stringify(options[0]?.label)} }\n`);
  await pilot.program.start();
  const waiting = session.fire("PermissionRequest");
  const { id } = await session.ask(isSettled);
  await ended(waiting);
  return {
    session,
    id,
    correct: async () => (await pilot.program.parley(["digest", "correct", id, "2"])).out,
  };
}
type Written = { question: string; options: { label: string }[] };
const prompt = (session: Session) => {
  const { session_id, cwd, transcript_path } = session.payload("PreToolUse");
  return session.hook({
    session_id,
    cwd,
    transcript_path,
    hook_event_name: "UserPromptSubmit",
    prompt: "Go on",
  });
};

test("[CO2] what is corrected afterwards reaches the agent with its next prompt, once, through kills of the daemon, and the log says so", async () => {
  const { session, id, correct } = await answeredWrongly();
  expect(await prompt(session)).toEqual(SILENT);
  expect(await correct()).toBe(
    "✓ corrected: its agent is told with its next answer, at the end of its turn or with its next prompt\n",
  );
  await pilot.program.kill9();
  await pilot.program.start();
  const { out } = await prompt(session);
  const { hookSpecificOutput: told } = JSON.parse(out) as { hookSpecificOutput: Record<string, string> };
  expect(told).toEqual({
    hookEventName: "UserPromptSubmit",
    additionalContext: expect.stringContaining("A correction by your person"),
  });
  await pilot.program.kill9();
  await pilot.program.start();
  expect(await prompt(session)).toEqual(SILENT);
  expect((await pilot.program.parley(["log", id])).out).toContain(
    "its agent is told of the correction (with its next prompt)",
  );
});

test("[CO3] at the end of its turn the agent goes on with the correction; one that has ended hears it when it is resumed", async () => {
  const { session, correct } = await answeredWrongly();
  await correct();
  const stop = await session.tell("Stop");
  expect(JSON.parse(stop.out)).toEqual({
    decision: "block",
    reason: expect.stringContaining("A correction by your person"),
  });
  expect(await session.tell("Stop")).toEqual(SILENT);
  const { session_id, cwd, transcript_path } = session.payload("PreToolUse");
  const of = { session_id, cwd, transcript_path };
  await session.hook({ ...of, hook_event_name: "SessionEnd", reason: "other" });
  expect(await correct()).toBe("✓ corrected: its session has ended; its agent is told when it is resumed\n");
  const resumed = await session.hook({ ...of, hook_event_name: "SessionStart", source: "resume" });
  expect(resumed.out).toContain("A correction by your person");
  expect(await prompt(session)).toEqual(SILENT);
});
