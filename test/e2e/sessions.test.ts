import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { timeless } from "./cli-words.ts";
import { notice } from "./comfort-prompt.ts";
import { eventually } from "../patience.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
let transcript: string;
beforeEach(async () => {
  program = createProgram();
  transcript = join(program.user, "session.jsonl");
});
afterEach(() => program.dispose());

const SESSION = "0a1b2c3d-0000-4000-8000-000000000000";
const line = (type: string, content: unknown) => `${JSON.stringify({ type, message: { role: type, content } })}\n`;
const prompt = (text: string) => line("user", text);
const hook = (event: string, more: object = {}) =>
  program.parley(["hook", event], {
    stdin: JSON.stringify({
      session_id: SESSION,
      transcript_path: transcript,
      cwd: program.user,
      hook_event_name: event,
      ...more,
    }),
  });
const sessions = async () => (await program.client().call("listSessions", { query: { live: "true" } })).sessions;
const IDLE = { notification_type: "idle_prompt", message: "Claude is waiting for your input" };

test("[NM20] an agent that has finished stands under the sessions with its last words, and not in the inbox", async () => {
  await program.start();
  writeFileSync(transcript, prompt("Fix the \u001b[31mlogin of the shop\nand test it"));
  await hook("Stop", { last_assistant_message: "All tests pass.\u001b[2J" });
  await eventually(async () => expect((await sessions())[0]?.title).toBe("Fix the login of the shop and test it"));
  expect((await sessions())[0]).toMatchObject({ state: "finished", idle: { said: "All tests pass.\u001b[2J" } });
  await hook("Notification", IDLE);
  expect((await sessions())[0]?.state).toBe("waiting");
  const asks = (await program.client().call("listAsks", { query: { state: "all" } })).asks;
  expect(asks).toEqual([]);
  const { out } = await program.parley(["sessions"]);
  expect(timeless(out.replace("  now  ", "  TIME  "))).toBe(
    "0a1b2c3d  waiting for a prompt  TIME  user  Fix the login of the shop and test it\n          All tests pass.\n",
  );
  expect((await program.parley(["ls"])).out).toBe(
    "Nothing waits for you.\n1 session waits for a prompt: parley sessions\n",
  );
  expect((await program.parley(["count"])).out).toBe("0\n");
  expect((await program.parley(["status"])).out).toStartWith(
    "Nothing waits for you\n1 session waits for a prompt: parley sessions\n",
  );
  // Dismissed it is told nowhere; a new turn, and it is told again.
  expect((await program.parley(["sessions", "0a1b", "--dismiss"])).out).toBe("1 session dismissed.\n");
  expect((await program.parley(["ls"])).out).toBe("Nothing waits for you.\n");
  expect((await program.parley(["sessions", "--json"])).out).toContain('"state":"dismissed"');
  await program.kill9();
  await program.start();
  expect((await sessions())[0]?.state).toBe("dismissed");
  appendFileSync(transcript, prompt("Now the shop"));
  await eventually(async () => expect((await sessions())[0]?.state).toBe("running"));
  // The end of that turn is told anew, also where nobody saw it begin.
  for (const said of ["Once.", "Twice."]) {
    appendFileSync(transcript, prompt(said));
    await hook("Stop", { last_assistant_message: said });
    await eventually(async () => expect((await sessions())[0]).toMatchObject({ state: "finished", idle: { said } }));
  }
  await hook("SessionStart", { source: "resume" });
  const again = await program.parley(["sessions", "0a1b", "--dismiss"]);
  expect(again).toMatchObject({ code: 2, err: "✗ This session has not finished: there is nothing to dismiss\n" });
});

test("[NM21] with inbox.idle_sessions it is a question too, which can be dismissed; switched off, it goes under the sessions", async () => {
  const file = join(program.user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "[inbox]\nidle_sessions = true\n");
  await program.start();
  const row = await notice(program, "Claude is waiting for your input", "idle_prompt");
  expect((await program.parley(["count"])).out).toBe("1\n");
  expect(await program.parley(["answer", row.id, "--decline"])).toEqual({
    code: 0,
    out: "✓ dismissed by cli\n",
    err: "",
  });
  expect((await program.parley(["count"])).out).toBe("0\n");
  const second = await notice(program, "Claude is waiting for your input", "idle_prompt");
  await program.terminate();
  writeFileSync(file, "");
  await program.start();
  await eventually(async () => {
    const left = await program.client().call("getAsk", { id: second.id });
    expect([left.state, left.outcome?.reason]).toEqual(["closed", "under-sessions"]);
  });
  expect((await sessions()).find(({ id }) => id === second.origin.session)?.state).toBe("waiting");
});

test("[NM22] what is snoozed is not counted as waiting", async () => {
  await program.start();
  const { asks } = await program.client().call("listAsks");
  expect(asks).toEqual([]);
  await notice(program, "Choose a theme", "elicitation_dialog");
  const other = await notice(program, "Choose a colour", "elicitation_dialog");
  await program.client().call("snoozeAsk", { id: other.id, body: { minutes: 5 } });
  expect((await program.parley(["count"])).out).toBe("1\n");
  const { out } = await program.parley(["status"]);
  expect(out).toStartWith("1 question waits for you\n");
  expect(out).toContain("\n1 snoozed: parley ls\n");
  await program.kill9();
  await program.start();
  expect((await program.parley(["count"])).out).toBe("1\n");
});
