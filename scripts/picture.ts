// Draws docs/picture.svg from a real run: Claude Code asks in its terminal, a shell answers, and both go on.
import { join } from "node:path";
import { waitForDialog } from "../src/agents/claude-code/lab/dialog.ts";
import { openStage } from "../test/agents/stage.ts";
import { animationOf, typedAt } from "./animate-svg.ts";

const question = {
  question: "Which database should the sessions live in?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite (Recommended)", description: "One file, no server; enough for one machine" },
    { label: "Postgres", description: "A server; several machines can share it" },
    { label: "Redis", description: "Fast, but a restart may lose sessions" },
  ],
};
const [width, rows] = [78, 24];
const SECONDS = 14;
const ECHO = "DONE. I got";
const stage = await openStage({
  version: "2.1.325",
  script: {
    start: [
      { text: "The session store is the last open point before I write the code." },
      { tool: "AskUserQuestion", id: "toolu_start", input: { questions: [question] } },
    ],
  },
});
try {
  const { claude, program } = stage;
  tmux("resize-window", "-x", String(width), "-y", String(rows));
  await claude.prompt("Move the sessions out of memory. SCENARIO:start");
  await waitForDialog(claude.tmux, question.question);
  const asking = fromPrompt(capture());
  const { id } = await stage.ask(question.question, (ask) => ask.reachable);
  const short = id.slice(0, 6);
  const listed = await run("parley ls", ["ls"]);
  const answered = await run(`parley answer ${short} 1`, ["answer", short, "1"]);
  await claude.tmux.waitFor((screen) => screen.includes(ECHO));
  const after = withoutEcho(fromPrompt(capture()));

  const prompt = asking.slice(0, 1);
  const ask = typedAt(0, prompt[0] ?? "") + 0.5;
  const [ls, answer] = [ask + 2, ask + 5];
  const [shown, received] = [typedAt(ls, listed[0] ?? "") + 0.3, typedAt(answer, answered[0] ?? "") + 0.3];
  const svg = animationOf(
    [
      {
        title: "Claude Code, in any terminal",
        columns: width,
        rows: Math.max(asking.length, after.length),
        scenes: [
          { at: 0, until: ask, lines: prompt, typed: true },
          { at: ask, until: received, lines: asking },
          { at: received, lines: after },
        ],
      },
      {
        title: "you, anywhere else",
        columns: width,
        rows: listed.length + answered.length - 1,
        scenes: [
          { at: ls, lines: listed.slice(0, 1), typed: true },
          { at: shown, lines: listed.slice(1), row: 1 },
          { at: answer, lines: answered.slice(0, 1), row: listed.length, typed: true },
          { at: received, lines: answered.slice(1), row: listed.length + 1 },
        ],
      },
    ],
    SECONDS,
    "Claude Code asks in its terminal, parley answer in another one answers, and the receipt appears",
  );
  await Bun.write(join(import.meta.dir, "../docs/picture.svg"), svg);

  function capture(): string[] {
    return tmux("capture-pane", "-e", "-p").split("\n");
  }
  async function run(typed: string, args: string[]): Promise<string[]> {
    const text = await onTerminal(program.home, args);
    return [`\u001b[32m$\u001b[0m ${typed}`, ...text.replaceAll("\r", "").trimEnd().split("\n"), ""];
  }
} finally {
  await stage[Symbol.asyncDispose]();
}

function tmux(...args: string[]): string {
  return Bun.spawnSync(["tmux", "-S", stage.claude.tmux.socket, ...args]).stdout.toString();
}

/** What a command prints on a terminal, colours and all. */
async function onTerminal(home: string, args: string[]): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([join(import.meta.dir, "../bin/parley"), ...args], {
    env: { ...process.env, PARLEY_HOME: home, PARLEY_PORT: "0", TERM: "xterm-256color" },
    terminal: { cols: width, rows: 40, data: (_, chunk) => (text += decoder.decode(chunk, { stream: true })) },
  });
  await child.exited;
  await Bun.sleep(100);
  return text
    .replaceAll(/\/tmp\/parley-claude-\w+\/project/g, "~/shop")
    .replaceAll("project", "shop")
    .replaceAll(/\s*SCENARIO:start/g, "");
}

/** What stands above it is a greeting. Two signs of its screen are in few fonts. */
function fromPrompt(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.includes("SCENARIO:start"));
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines
    .slice(first, last + 1)
    .map((line) => line.replaceAll(" SCENARIO:start", "").replaceAll("⎿", "└").replaceAll("⏸", "‖"));
}

/** The scripted model repeats what it was given, which no model would: what is behind it goes too. */
function withoutEcho(lines: string[]): string[] {
  const before = lines.slice(
    0,
    lines.findIndex((line) => line.includes(ECHO)),
  );
  return before.slice(0, before.findLastIndex((line) => line.trim() !== "") + 1);
}
