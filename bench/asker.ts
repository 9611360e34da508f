// One session of an agent, seen from its hooks: what they send is what a real Claude Code sent, with names of its own.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { payloadsOf, recording } from "../test/recorded.ts";

const RUN = recording("2.1.325", "answered-by-hook");
const RECORDED_KEY = "toolu_ask";
const RESULT = RUN.lines.findIndex((line) => line.includes("tool_result"));
const RESULT_LINE = RUN.lines[RESULT] ?? "";
/** What the agent said last, and its call. */
const CALL_LINES = [RUN.lines.find((line) => line.includes('"text":"DONE')) ?? "", RUN.lines[0] ?? ""];

export type Asker = ReturnType<typeof createAsker>;

export function createAsker(folder: string, name: string) {
  const id = `${name}-${crypto.randomUUID()}`;
  const transcript = join(folder, `${id}.jsonl`);
  writeFileSync(transcript, "");
  let key = "";
  let turn = "";

  function call(event: "PreToolUse" | "PermissionRequest" | "SessionEnd", waits: boolean): string {
    const [recorded] = payloadsOf(RUN, event);
    const here = { session_id: id, transcript_path: transcript, cwd: folder, prompt_id: turn };
    const payload = { ...recorded, ...here, ...(event === "PreToolUse" && { tool_use_id: key }) };
    const facts = { pid: process.pid };
    return JSON.stringify({
      agent: "claude-code",
      call: crypto.randomUUID(),
      calledAt: Date.now(),
      waits,
      payload,
      facts,
    });
  }

  const write = (lines: readonly string[]) =>
    appendFileSync(transcript, lines.map((line) => `${line.replaceAll(RECORDED_KEY, key)}\n`).join(""));

  return {
    id,
    /** A new question: what the agent writes down, and the hook before its dialog. */
    ask(): string {
      [key, turn] = [`toolu_${crypto.randomUUID()}`, crypto.randomUUID()];
      write(CALL_LINES);
      return call("PreToolUse", false);
    },
    /** The hook at its dialog, which waits. */
    hold: () => call("PermissionRequest", true),
    /** The agent acted on the answer and wrote that down. */
    receive: () => write([RESULT_LINE]),
    /** The hook at the end of its session. */
    leave: () => call("SessionEnd", false),
  };
}

/** The option that the recorded result tells of. */
export const ANSWER = JSON.stringify({ action: "answer", answers: [{ picks: [1] }], surface: "api" });
