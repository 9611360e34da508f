// Draws docs/picture.svg from a real run: Claude Code asks in its terminal, a shell answers.
import { join } from "node:path";
import { waitForDialog } from "../src/agents/claude-code/lab/dialog.ts";
import { openStage } from "../test/agents/stage.ts";
import { svgOf } from "./ansi-svg.ts";

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
const width = 78;
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
  tmux("resize-window", "-x", String(width), "-y", "24");
  await claude.prompt("Move the sessions out of memory. SCENARIO:start");
  await waitForDialog(claude.tmux, question.question);
  const asking = capture();
  const { id } = await stage.ask(question.question, (ask) => ask.reachable);
  const short = id.slice(0, 6);
  const shell = [
    ...(await run("parley ls", ["ls"])),
    ...(await run(`parley show ${short}`, ["show", short])),
    ...(await run(`parley answer ${short} 1`, ["answer", short, "1"])),
  ];
  const svg = svgOf([
    { title: "Claude Code", lines: trimmed(asking), columns: width },
    { title: "any other terminal", lines: shell, columns: width },
  ]);
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

function trimmed(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines
    .slice(0, last + 1)
    .map((line) => line.replaceAll(" SCENARIO:start", "").replaceAll("~/project", "~/shop"));
}
