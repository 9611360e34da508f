// A headless agent as `claude` is one, for tests of the board: its prompt is the list of what it does, as JSON, or names one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeWhole } from "../whole-file.ts";
import type { AskedQuestion } from "./browser.ts";

export type Step =
  | { say: string }
  | { call: string; input: Record<string, unknown>; result: string; isError?: boolean; until?: string }
  | { ask: AskedQuestion[] }
  | { write: string; text: string }
  | { exit: number };
/** `next` counts the steps that are done; `asking`: with the next one put off. */
type State = { steps: Step[]; next: number; asking: boolean };
type Hook = { matcher?: string; hooks: { command: string }[] };

async function run(): Promise<void> {
  const option = (name: string) => process.argv[process.argv.indexOf(name) + 1] ?? "";
  const isResumed = process.argv.includes("--resume");
  const session = option(isResumed ? "--resume" : "--session-id");
  const settings = JSON.parse(readFileSync(option("--settings"), "utf8")) as { hooks: Record<string, Hook[]> };
  const kept = join(dirname(dirname(option("--settings"))), `${session}.json`);
  const [prompt = "", ...words] = isResumed ? [] : (await told()).split("\n\n");
  const state: State = isResumed
    ? (JSON.parse(readFileSync(kept, "utf8")) as State)
    : { steps: stepsOf(prompt), next: 0, asking: false };
  if (isResumed && !state.asking) say(`I was told: ${await told()}`);
  if (words.length > 0) say(`I was told: ${words.join(" ")}`);
  let last = "";
  for (; state.next < state.steps.length; state.next++) {
    const step = state.steps[state.next];
    if (!step) break;
    const key = `toolu_${session.slice(0, 8)}_${state.next}`;
    if ("say" in step) say((last = step.say));
    if ("write" in step) writeFileSync(step.write, step.text);
    // Whoever says more than the prompt helps it over this.
    if ("exit" in step && words.length === 0) process.exit(step.exit);
    if ("call" in step) {
      called(key, step.call, step.input);
      while (step.until !== undefined && !existsSync(step.until)) await Bun.sleep(50);
      returned(key, step.result, step.isError ?? false);
    }
    if ("ask" in step && !(await asked(key, step.ask))) return;
  }
  keep(false);
  ended({ result: last, stop_reason: "end_turn" });

  /** False: put off, to be asked again when somebody resumes it. */
  async function asked(key: string, questions: AskedQuestion[]): Promise<boolean> {
    if (!state.asking) called(key, "AskUserQuestion", { questions });
    keep(true);
    const [hook] = settings.hooks["PreToolUse"] ?? [];
    const child = Bun.spawn(["/bin/sh", "-c", hook?.hooks[0]?.command ?? "true"], { stdin: "pipe", stdout: "pipe" });
    const call = { tool_name: "AskUserQuestion", tool_use_id: key, tool_input: { questions } };
    void child.stdin.write(JSON.stringify({ session_id: session, hook_event_name: "PreToolUse", ...call }));
    void child.stdin.end();
    const decision = await child.stdout.text();
    if (decision.includes('"defer"')) {
      ended({ result: "", stop_reason: "tool_deferred", deferred_tool_use: { id: key } });
      return false;
    }
    state.asking = false;
    returned(key, decision, false);
    return true;
  }

  function keep(asking: boolean): void {
    state.asking = asking;
    writeWhole(kept, JSON.stringify(state));
  }
}

/** A prompt for people is looked up in the file that SCRIPT names. */
function stepsOf(prompt: string): Step[] {
  if (prompt.startsWith("[")) return JSON.parse(prompt) as Step[];
  const script = JSON.parse(readFileSync(process.env["SCRIPT"] ?? "", "utf8")) as Record<string, Step[]>;
  return script[prompt] ?? [];
}

/** What its person says, one line of the stream. */
async function told(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return (JSON.parse(text) as { message: { content: string } }).message.content;
}

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const assistant = (block: object) =>
  print({ type: "assistant", message: { id: crypto.randomUUID(), role: "assistant", content: [block] } });
const say = (text: string) => assistant({ type: "text", text });
const called = (id: string, name: string, input: object) => assistant({ type: "tool_use", id, name, input });
const returned = (id: string, content: string, isError: boolean) =>
  print({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] } });
const ended = (more: object) =>
  print({
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 3,
    total_cost_usd: 0.42,
    usage: { input_tokens: 12_300, output_tokens: 840 },
    ...more,
  });

if (import.meta.main) await run();
