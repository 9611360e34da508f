import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inTurns } from "./commands.ts";
import { median, ms, type Part, percentile, type Row } from "./row.ts";
import { BUN, openStage, ROOT, SOURCE, type Stage } from "./stage.ts";

/** Each agent's hook before a question, with what it was recorded to send. */
const HOOKS: Record<string, { recorded: string; event: string }> = {
  "claude-code": { recorded: "claude-code/fixtures/2.1.325/single-select/hooks.jsonl", event: "PreToolUse" },
  copilot: { recorded: "copilot/fixtures/1.0.102/hooks.jsonl", event: "preToolUse" },
  gemini: { recorded: "gemini/fixtures/0.61.0/hooks.jsonl", event: "BeforeTool" },
  qwen: { recorded: "qwen/fixtures/0.24.4/hooks.jsonl", event: "PermissionRequest" },
};
const CALLS = 2000;
const LINES = 500;

/** What Parley costs each agent on its way to a question, beside what it would cost without. */
export const hooks: Part = {
  name: "hooks",
  about: "what each agent's hook, extension or connection costs it",
  notes: [
    "Hooks: the hook before a question as that agent calls it, with its recorded payload, wall time of the process, in turns with an empty Bun. opencode and pi run Parley's end in their own process: the time until their own code goes on. ACP: a line to the agent and back through `parley acp -- cat`, beside `cat` alone. codex runs nothing of Parley's: Parley is one more client of its daemon.",
  ],
  async run(say) {
    const stage = await openStage();
    try {
      await stage.start();
      return [...processes(stage, say), await opencode(stage), await pi(stage), await acp(stage)];
    } finally {
      await stage.dispose();
    }
  },
};

const pair = (times: readonly number[], shown = ms): string =>
  `${shown(median(times))} / ${shown(percentile(times, 0.95))}`;
const us = (value: number): string => `${(value * 1000).toFixed(1)} µs`;

function processes(stage: Stage, say: (progress: string) => void): Row[] {
  const payloads = new Map(Object.entries(HOOKS).map(([name, hook]) => [name, payloadOf(hook)]));
  const empty = join(stage.root, "empty.ts");
  writeFileSync(empty, "");
  const commands = new Map([["empty Bun", [...BUN, empty]]]);
  for (const [name, { event }] of Object.entries(HOOKS)) commands.set(name, [...SOURCE, "hook", name, event]);
  const times = inTurns(commands, stage, say, (name) => payloads.get(name) ?? "");
  return Object.entries(HOOKS).map(([name, { event }]) => ({
    what: `${name}: its ${event} hook (p50 / p95)`,
    measured: pair(times.get(name) ?? []),
    beside: `an empty Bun: ${pair(times.get("empty Bun") ?? [])}`,
  }));
}

function payloadOf({ recorded, event }: { recorded: string; event: string }): string {
  const lines = readFileSync(join(ROOT, "src/agents", recorded), "utf8")
    .split("\n")
    .filter(Boolean);
  const payloads = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const found = payloads.find(
    (each) => each["hook_event_name"] === event || String(each["configured"]).endsWith(`-${event}`),
  );
  if (!found) throw new Error(`${recorded} has no ${event}`);
  return JSON.stringify(found["payload"] ?? found);
}

/** The file as set-up writes it, with this daemon's address in it. */
async function extension(stage: Stage, file: string): Promise<Record<string, unknown>> {
  const text = readFileSync(join(ROOT, "src/agents", file), "utf8");
  const copy = join(stage.root, file.replaceAll("/", "-"));
  writeFileSync(
    copy,
    text.replace('"PARLEY_ADDRESS_FILE"', () => JSON.stringify(stage.paths.registration)),
  );
  return (await import(copy)) as Record<string, unknown>;
}

async function opencode(stage: Stage): Promise<Row> {
  type Plugin = (given: object) => Promise<{ event(given: object): Promise<void> }>;
  const { Parley } = (await extension(stage, "opencode/plugin.js")) as { Parley: Plugin };
  const reply = async () => ({ response: { status: 200 }, data: { version: "1.18.33" } });
  const { event } = await Parley({ client: { _client: { get: reply, post: reply } }, directory: stage.root });
  const times: number[] = [];
  for (let i = 0; i < CALLS; i++) {
    const since = performance.now();
    await event({ event: { type: "question.asked", properties: { id: `q${i}`, sessionID: "bench", questions: [] } } });
    times.push(performance.now() - since);
  }
  await event({ event: { type: "server.instance.disposed", properties: {} } });
  return {
    what: "opencode: its plugin, per event (p50 / p95)",
    measured: pair(times, us),
    beside: "nothing is awaited",
  };
}

async function pi(stage: Stage): Promise<Row> {
  const { default: parley } = (await extension(stage, "pi/extension.js")) as { default(pi: object): void };
  const handlers = new Map<string, (event: object, ctx: object) => void>();
  parley({ on: (name: string, handler: never) => handlers.set(name, handler), appendEntry: () => undefined });
  const [times, bare]: [number[], number[]] = [[], []];
  let since = 0;
  const native = async () => (times.push(performance.now() - since), "one");
  const ui = { select: native, confirm: native, input: native };
  const ctx = { hasUI: true, ui, cwd: stage.root, sessionManager: { getSessionId: () => "bench" } };
  handlers.get("session_start")?.({ reason: "startup" }, ctx);
  for (let i = 0; i < CALLS; i++) {
    since = performance.now();
    await (ui.select as (title: string, options: string[]) => Promise<string>)("Which?", ["one", "two"]);
    since = performance.now();
    await native();
    bare.push(times.pop() ?? 0);
  }
  handlers.get("session_shutdown")?.({ reason: "quit" }, ctx);
  const beside = `without it: ${pair(bare, us)}`;
  return { what: "pi: until a dialog opens (p50 / p95)", measured: pair(times, us), beside };
}

async function acp(stage: Stage): Promise<Row> {
  const through = await echoed([...SOURCE, "acp", "--", "cat"], stage.env);
  const beside = `cat alone: ${pair(await echoed(["cat"], stage.env))}`;
  return { what: "ACP: a line there and back (p50 / p95)", measured: pair(through), beside };
}

async function echoed(command: string[], env: Record<string, string>): Promise<number[]> {
  const child = Bun.spawn(command, { env, stdio: ["pipe", "pipe", "ignore"] });
  const reader = child.stdout.getReader();
  const times: number[] = [];
  const line = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "bench", update: "x".repeat(500) } };
  for (let i = 0; i < LINES; i++) {
    const since = performance.now();
    void child.stdin.write(`${JSON.stringify({ ...line, i })}\n`);
    void child.stdin.flush();
    for (let text = ""; !text.includes("\n");) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`${command[0]} ended`);
      text += new TextDecoder().decode(value);
    }
    if (i >= LINES / 10) times.push(performance.now() - since);
  }
  void child.stdin.end();
  await child.exited;
  return times;
}
