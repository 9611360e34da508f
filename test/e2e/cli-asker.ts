import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import { payloadsOf, recording } from "../recorded.ts";
import { holds, type Program } from "./program.ts";

export type ToolQuestion = { question: string; header?: string; multiSelect?: boolean; options?: ToolOption[] };
type ToolOption = { label: string; description?: string; preview?: string };
type Updated = { answers: Record<string, string>; annotations?: Record<string, { notes?: string }> };
type Output = {
  hookSpecificOutput: {
    decision: { behavior: string; message?: string; updatedInput?: Updated };
  };
};

/** A question of Claude Code on the line: its hook waits, its dialog is open. */
export type Asking = {
  id: string;
  session: string;
  /** What the hook prints in the end; empty when it was let go. */
  output: Promise<string>;
  /** Claude Code takes what the hook printed, and writes it down. */
  takes(): Promise<Output>;
  /** Somebody picks in the dialog; Claude Code says so to its hook, writes it down and lets the waiting one go. Null is Esc. */
  picksInTerminal(answer: string | null): Promise<void>;
  /** Claude Code writes another answer down than the one it took. */
  writes(answer: string, decidedBy: "hook" | "user_temporary"): void;
  /** The hook dies; nothing is written down. */
  hangsUp(): Promise<void>;
};

const real = recording("2.1.325", "single-select");
const [pre, dialog, post] = ["PreToolUse", "PermissionRequest", "PostToolUse"].map(
  (event) => payloadsOf(real, event)[0] ?? {},
);
let calls = 0;

export const APPROACH: ToolQuestion = {
  question: "Which approach should we use?",
  header: "Approach",
  options: ["Option A", "Option B", "Option C"].map((label, i) => ({ label, description: `What ${i + 1} means` })),
};

/** Asks as Claude Code does: both hooks with its recorded payloads, and a transcript of its own. */
export async function ask(
  program: Program,
  questions: unknown = [APPROACH],
  {
    session = crypto.randomUUID(),
    said = "",
    env = {},
  }: { session?: string; said?: string; env?: Record<string, string> } = {},
): Promise<Asking> {
  const transcript = join(program.user, ".claude/projects/project", `${session}.jsonl`);
  const key = `toolu_${++calls}`;
  const tool_input = { questions };
  const facts = { session_id: session, transcript_path: transcript, cwd: program.user, prompt_id: key, tool_input };
  const write = (type: "assistant" | "user", block: object, more: object = {}) => {
    mkdirSync(dirname(transcript), { recursive: true });
    const timestamp = new Date().toISOString();
    const line = { type, message: { content: [block] }, version: "2.1.325", timestamp, ...more };
    appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  };
  if (said !== "") write("assistant", { type: "text", text: said });
  write("assistant", { type: "tool_use", id: key, name: "AskUserQuestion", input: tool_input });
  await program.parley(["hook", "PreToolUse"], { env, stdin: JSON.stringify({ ...pre, ...facts, tool_use_id: key }) });
  const hook = program.spawn(["hook", "PermissionRequest"], { env, stdin: JSON.stringify({ ...dialog, ...facts }) });
  const output = hook.stdout.text();

  const human = program.client();
  let id = "";
  const isHeld = await holds(async () => {
    const { asks } = await human.call("listAsks", { query: { session, state: "open" } });
    const mine = asks.find(({ deliveries }) => deliveries.some((delivery) => delivery.key === key));
    id = mine?.id ?? "";
    return mine?.reachable ?? false;
  });
  if (!isHeld) throw new Error(`the question is not on the line: ${JSON.stringify(questions).slice(0, 200)}`);

  const result = (text: string, isError: boolean, more: object) =>
    write("user", { type: "tool_result", tool_use_id: key, content: text, is_error: isError }, more);
  const answered = ({ answers, annotations = {} }: Updated, source: string) => {
    const told = Object.entries(answers).map(([question, answer]) => {
      const { notes } = annotations[question] ?? {};
      return `"${question}"="${answer}"${notes === undefined ? "" : ` notes: ${notes}`}`;
    });
    const text = `Your questions have been answered: ${told.join(", ")}. You can now continue with these answers in mind.`;
    const permissionDecision = { decision: "accept", source };
    result(text, false, { toolUseResult: { questions, answers, annotations }, permissionDecision });
  };
  const first = (questions as ToolQuestion[])[0]?.question ?? "";
  return {
    id,
    session,
    output,
    async takes() {
      const taken = JSON.parse(await output) as Output;
      const { behavior, message = "", updatedInput } = taken.hookSpecificOutput.decision;
      if (behavior === "allow") answered(updatedInput ?? { answers: {} }, "hook");
      else result(message, true, {});
      return taken;
    },
    async picksInTerminal(answer) {
      if (answer === null) result(ESCAPED, true, { toolUseResult: "User rejected tool use" });
      else {
        const tool_response = { questions, answers: { [first]: answer }, annotations: {} };
        const stdin = JSON.stringify({ ...post, ...facts, tool_use_id: key, tool_response });
        await program.parley(["hook", "PostToolUse"], { env, stdin });
        answered({ answers: { [first]: answer } }, "user_temporary");
      }
      hook.kill("SIGTERM");
      await hook.exited;
      await holds(async () => (await human.call("getAsk", { id })).outcome !== undefined);
    },
    writes: (answer, decidedBy) => answered({ answers: { [first]: answer } }, decidedBy),
    async hangsUp() {
      hook.kill("SIGKILL");
      await hook.exited;
      const isGone = ({ deliveries }: AskView) => deliveries.every(({ released }) => released !== undefined);
      await holds(async () => isGone(await human.call("getAsk", { id })));
    },
  };
}

/** What an agent said before its question is read a moment after that has come. */
export async function contextRead(program: Program, { id }: Pick<Asking, "id">): Promise<void> {
  const isRead = async () => (await program.client().call("getAsk", { id })).origin.isContextRead === true;
  if (!(await holds(isRead))) throw new Error(`what was said before ${id} is not read`);
}

const ESCAPED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
