import { expect, test } from "bun:test";
import { join } from "node:path";
import { events, isIn, isWaiting, openTaskScene, type TaskScene } from "./task-scene.ts";
import { eventually } from "../patience.ts";

/** What Claude Code's installed hooks tell of a session in a person's terminal. */
async function inTerminal(scene: TaskScene, session: string, event: string): Promise<void> {
  const record = join(scene.user, "records", `${session}.jsonl`);
  const payload = { session_id: session, transcript_path: record, cwd: scene.project, hook_event_name: event };
  const { code, out } = await scene.parley(["hook", event], {
    stdin: JSON.stringify({ ...payload, source: "resume", reason: "other" }),
    env: { PARLEY_PARENT: String(process.pid) },
  });
  expect([code, out]).toEqual([0, ""]);
}

test("[TK46] what was asked about a stopped task is withdrawn when its session goes on in a terminal, and asked again after it", async () => {
  await using scene = await openTaskScene("limit = 2");
  const id = await scene.give([{ say: "What now?" }]);
  const { session = "" } = await scene.becomes(id, isWaiting("idle"));
  const ask = await scene.asked(id);
  await inTerminal(scene, session, "SessionStart");
  const taken = await scene.becomes(id, isIn("in_progress"));
  expect([taken.elsewhere, taken.run, taken.asks]).toEqual([true, 1, []]);
  await eventually(async () =>
    expect((await scene.ask(ask.id)).outcome).toMatchObject({
      type: "withdrawn",
      reason: "moved-on",
      message: "its session continues in a terminal",
    }),
  );

  await inTerminal(scene, session, "SessionEnd");
  await scene.becomes(id, isWaiting("idle"));
  const again = await scene.asked(id);
  expect(again.questions[0]?.text).toBe("it continued in a terminal that has ended. What now?");
  await scene.pick(again.id, "Go on");
  await scene.becomes(id, ({ run }) => run === 2);
  await scene.becomes(id, isIn("done"));
  expect(events(scene.journal())).toEqual(["prompt", "told"]);
  await eventually(async () => expect((await scene.ask(again.id)).state).toBe("verified"));
});
