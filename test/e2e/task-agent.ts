// A headless agent as `claude` is one: its prompt is the list of what it does, as JSON. It keeps a record as Claude Code
// does, asks through the hooks of its settings, and can be resumed in another process.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type AskedQuestion = {
  question: string;
  header: string;
  multiSelect: boolean;
  options: { label: string; description: string }[];
};
export type Step =
  | { say: string }
  /** Says so, and ends its turn with it. */
  | { stop: string }
  | { ask: AskedQuestion[] }
  /** A call that needs a permission; `subagent`: inside of one with this name. */
  | { call: string; input: Record<string, unknown>; subagent?: string }
  | { notify: string }
  /** Goes on when the file is there. `deaf`: no signal but SIGKILL ends it or what it started. */
  | { until: string; deaf?: boolean }
  /** Dies without a word; `unrecorded`: before it has written anything down. */
  | { exit: number; unrecorded?: boolean }
  | { fail: string }
  | { spend: number };
/** One line of the journal that the test reads. */
export type Entry = {
  task: string;
  session: string;
  event: "prompt" | "told" | "answer" | "ran" | "refused";
  text: string;
};
/** Where a test can make it stay: resumed, with its message read, written down; with an answer or a permission in its hands. */
export type Place = "begun" | "read" | "recorded" | "answered" | "allowed";
type State = { steps: Step[]; next: number; isPutOff: boolean };
type Output = {
  permissionDecision?: string;
  updatedInput?: { answers: Record<string, string> };
  decision?: { behavior: string; message?: string; interrupt?: boolean };
};

const VERSION = process.env["CLAUDE_FAKE_VERSION"] ?? "2.1.325";
const option = (name: string) => process.argv[process.argv.indexOf(name) + 1] ?? "";
const isResumed = process.argv.includes("--resume");
const session = option(isResumed ? "--resume" : "--session-id");
const home = process.env["HOME"] ?? "";
const record = join(home, "records", `${session}.jsonl`);
const kept = join(home, "records", `${session}.state`);
const settings = JSON.parse(readFileSync(option("--settings"), "utf8")) as {
  hooks: Record<string, { hooks: { command: string }[] }[]>;
};

async function run(): Promise<void> {
  mkdirSync(dirname(record), { recursive: true });
  if (isResumed && !existsSync(record)) {
    process.stderr.write(`No conversation found with session ID: ${session}\n`);
    process.exit(1);
  }
  print({ type: "system", subtype: "init", claude_code_version: VERSION });
  await hook("SessionStart", { source: isResumed ? "resume" : "startup" });
  const state = await begin();
  let said = "";
  for (; state.next < state.steps.length; state.next++) {
    keep(state);
    const step = state.steps[state.next];
    if (!step) break;
    if ("say" in step) assistant({ type: "text", text: (said = step.say) });
    if ("stop" in step) return ended({ result: step.stop }, state);
    if ("notify" in step) await hook("Notification", { message: "Look here", notification_type: step.notify });
    if ("until" in step) await wait(step.until, step.deaf ?? false);
    if ("exit" in step) process.exit(step.exit);
    if ("fail" in step) return ended({ is_error: true, result: step.fail }, state, 1);
    if ("spend" in step)
      return ended({ is_error: true, subtype: "error_max_budget_usd", total_cost_usd: step.spend }, state, 1);
    if ("ask" in step && !(await asked(step.ask, state))) return;
    if ("call" in step && !(await called(step, state))) return;
  }
  await ended({ result: said }, state);
}

async function begin(): Promise<State> {
  if (!isResumed) {
    const prompt = await told();
    const [script = "", ...words] = prompt.split("\n\n");
    note("prompt", words.join("\n\n"));
    const steps = JSON.parse(script) as Step[];
    const isRecorded = !steps.some((step) => "exit" in step && step.unrecorded);
    if (isRecorded) write({ type: "user", version: VERSION, message: { content: prompt } });
    return { steps, next: 0, isPutOff: false };
  }
  const state = JSON.parse(readFileSync(kept, "utf8")) as State;
  await pauseAt("begun");
  if (state.isPutOff) return state;
  const message = await told();
  await pauseAt("read");
  write({ type: "user", version: VERSION, message: { content: message } });
  await pauseAt("recorded");
  note("told", message);
  // Stopped at a call: it is made again when it is allowed now.
  const goesThrough = message.includes("this once it goes through");
  const step = state.steps[state.next];
  return { ...state, next: step && "call" in step && goesThrough ? state.next : state.next + 1 };
}

/** False: put off, and ended with that. */
async function asked(questions: AskedQuestion[], state: State): Promise<boolean> {
  const key = `toolu_${session.slice(0, 8)}_${state.next}`;
  if (!state.isPutOff) use(key, "AskUserQuestion", { questions });
  const call = {
    tool_name: "AskUserQuestion",
    tool_use_id: key,
    tool_input: { questions },
    prompt_id: `p${state.next}`,
  };
  const { permissionDecision, updatedInput } = await hook("PreToolUse", call);
  if (permissionDecision === "defer") {
    // A version that does not know it waits for somebody in its terminal.
    if (VERSION.startsWith("2.0.")) await new Promise(() => setInterval(() => undefined, 1000));
    keep({ ...state, isPutOff: true });
    await ended({ result: "", stop_reason: "tool_deferred", deferred_tool_use: { id: key } }, state);
    return false;
  }
  await pauseAt("answered");
  state.isPutOff = false;
  const answers = updatedInput?.answers ?? {};
  const text = `Your questions have been answered: ${Object.entries(answers)
    .map(([question, answer]) => `"${question}"="${answer}"`)
    .join(", ")}`;
  result(key, text, permissionDecision !== "allow", { questions, answers, annotations: {} });
  note("answer", text);
  return true;
}

async function called(
  { call: tool, input, subagent }: Extract<Step, { call: string }>,
  state: State,
): Promise<boolean> {
  const key = `toolu_${session.slice(0, 8)}_${state.next}_${process.pid}`;
  const inside = subagent === undefined ? {} : { agent_id: subagent, agent_type: "general-purpose" };
  const call = { tool_name: tool, tool_input: input, prompt_id: `p${state.next}_${process.pid}`, ...inside };
  use(key, tool, input);
  if (tool === "ExitPlanMode") await hook("PreToolUse", { ...call, tool_use_id: key });
  const { decision } = await hook("PermissionRequest", call);
  if (decision?.behavior === "allow") {
    await pauseAt("allowed");
    result(key, "ok", false, {});
    note("ran", `${tool} ${JSON.stringify(input)}`);
    return true;
  }
  note("refused", decision?.message ?? "");
  if (!decision?.interrupt) {
    result(key, decision?.message ?? "", true, {});
    return true;
  }
  result(key, "The user doesn't want to proceed with this tool use.", true, {});
  await ended({ is_error: true, subtype: "error_during_execution" }, state, 1);
  return false;
}

async function wait(file: string, deaf: boolean): Promise<void> {
  if (deaf) for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => undefined);
  if (deaf)
    Bun.spawn(["/bin/sh", "-c", "trap '' TERM HUP INT; while :; do sleep 1; done"], {
      stdio: ["ignore", "ignore", "ignore"],
    });
  while (!existsSync(file)) await Bun.sleep(20);
}

/** While the test wants it to, it stays at this place and says so. */
async function pauseAt(place: Place): Promise<void> {
  const wanted = join(home, `stay-${place}`);
  if (!existsSync(wanted)) return;
  writeFileSync(join(home, `at-${place}`), String(process.pid));
  while (existsSync(wanted)) await Bun.sleep(20);
}

async function hook(event: string, more: object): Promise<Output> {
  const [found] = settings.hooks[event] ?? [];
  const command = found?.hooks[0]?.command;
  if (command === undefined) return {};
  const child = Bun.spawn(["/bin/sh", "-c", command], { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  const payload = { session_id: session, transcript_path: record, cwd: process.cwd(), hook_event_name: event, ...more };
  void child.stdin.write(JSON.stringify(payload));
  void child.stdin.end();
  const out = await child.stdout.text();
  return out === "" ? {} : (JSON.parse(out) as { hookSpecificOutput: Output }).hookSpecificOutput;
}

async function ended(more: object, state: State, code = 0): Promise<void> {
  if (!("deferred_tool_use" in more)) keep({ ...state, isPutOff: false });
  await hook("SessionEnd", { reason: "other" });
  const usage = { input_tokens: 10, output_tokens: 10 };
  print({ subtype: "success", is_error: false, num_turns: 1, total_cost_usd: 0.01, usage, ...more, type: "result" });
  process.exit(code);
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

/** Killed in it, it has what it kept before. It runs as a file alone, so that it has no helper for that. */
function keep(state: State): void {
  writeFileSync(`${kept}.new`, JSON.stringify(state));
  renameSync(`${kept}.new`, kept);
}
const task = process.env["PARLEY_TASK"] ?? "";
const note = (event: Entry["event"], text: string) =>
  appendFileSync(join(home, "journal.ndjson"), `${JSON.stringify({ task, session, event, text } satisfies Entry)}\n`);
const write = (line: object) => appendFileSync(record, `${JSON.stringify(line)}\n`);
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
function assistant(block: object): void {
  const line = {
    type: "assistant",
    timestamp: new Date().toISOString(),
    message: { id: crypto.randomUUID(), content: [block] },
  };
  print(line);
  if (existsSync(record)) write(line);
}
const use = (id: string, name: string, input: object) => assistant({ type: "tool_use", id, name, input });
function result(id: string, content: string, isError: boolean, toolUseResult: object): void {
  const line = {
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] },
  };
  print(line);
  write({ ...line, toolUseResult });
}

if (import.meta.main) await run();
