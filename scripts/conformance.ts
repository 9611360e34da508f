// Runs the live check on published versions of agents and keeps what was seen: `src/agents/*/lab/conformance.json` for
// `parley doctor`, and docs/conformance.md made from them for people. Versions that are not named keep their rows.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { join } from "node:path";
import type { Conformance } from "../src/agents/claude-code/lab/conformance.ts";
import type { AgentLab, LiveReport, Way } from "../src/agents/capability/lab.ts";
import { isSecond } from "../src/agents/opencode/version.ts";
import { missingForLab } from "../src/lab/requirements.ts";
import { selfCommand } from "../src/machine/self-command.ts";
import { GAPS } from "../test/agents/proof/gaps.ts";
import { proofTable } from "./proof.ts";

const root = join(import.meta.dir, "..");
const page = join(root, "docs/conformance.md");

type Tried = {
  title: string;
  results: string;
  ways: readonly Way[];
  lab(): Promise<AgentLab>;
  names: Names | ((version: string) => Names);
};
type Names = { package: string; program: string };
const AGENTS: Record<string, Tried> = {
  "claude-code": {
    title: "Claude Code",
    results: join(root, "src/agents/claude-code/lab/conformance.json"),
    ways: ["shell", "terminal", "resume", "hold"],
    lab: () => import("../src/agents/claude-code/lab/live.ts"),
    names: { package: "@anthropic-ai/claude-code", program: "node_modules/.bin/claude" },
  },
  opencode: {
    title: "opencode",
    results: join(root, "src/agents/opencode/lab/conformance.json"),
    ways: ["shell", "terminal"],
    lab: () => import("../src/agents/opencode/lab/live.ts"),
    // What `opencode-ai` picks for this machine; with that package all of them would come.
    names: (version) =>
      isSecond(version)
        ? {
            package: `@opencode-ai/cli-${platform()}-${arch()}-baseline`,
            program: `node_modules/@opencode-ai/cli-${platform()}-${arch()}-baseline/bin/opencode2`,
          }
        : {
            package: `opencode-${platform()}-${arch()}`,
            program: `node_modules/opencode-${platform()}-${arch()}/bin/opencode`,
          },
  },
  codex: {
    title: "codex",
    results: join(root, "src/agents/codex/lab/conformance.json"),
    ways: ["shell", "terminal"],
    lab: () => import("../src/agents/codex/lab/live.ts"),
    names: { package: "@openai/codex", program: "node_modules/.bin/codex" },
  },
  copilot: {
    title: "Copilot CLI",
    results: join(root, "src/agents/copilot/lab/conformance.json"),
    ways: ["shell", "terminal"],
    lab: () => import("../src/agents/copilot/lab/live.ts"),
    // What `@github/copilot` picks for this machine.
    names: {
      package: `@github/copilot-${platform()}-${arch()}`,
      program: `node_modules/@github/copilot-${platform()}-${arch()}/copilot`,
    },
  },
  gemini: {
    title: "Gemini CLI",
    results: join(root, "src/agents/gemini/lab/conformance.json"),
    ways: ["shell", "terminal"],
    lab: () => import("../src/agents/gemini/lab/live.ts"),
    names: { package: "@google/gemini-cli", program: "node_modules/.bin/gemini" },
  },
  qwen: {
    title: "Qwen Code",
    results: join(root, "src/agents/qwen/lab/conformance.json"),
    ways: ["shell", "terminal"],
    lab: () => import("../src/agents/qwen/lab/live.ts"),
    // With Node 22 on the PATH.
    names: { package: "@qwen-code/qwen-code", program: "node_modules/.bin/qwen" },
  },
  pi: {
    title: "pi",
    results: join(root, "src/agents/pi/lab/conformance.json"),
    ways: ["shell", "terminal"],
    lab: () => import("../src/agents/pi/lab/live.ts"),
    // Before 0.74 it was published by somebody else.
    names: (version) => ({
      package: `@${Bun.semver.order(version, "0.74.0") < 0 ? "mariozechner" : "earendil-works"}/pi-coding-agent`,
      program: "node_modules/.bin/pi",
    }),
  },
};

if (process.argv[2] === "--table") writeTable();

/** `2.1.325` is Claude Code's, `opencode@1.18.33` opencode's, `codex@0.166.0` codex's, and so on. */
const wanted = process.argv.slice(2).map((word) => {
  const [name, version] = word.includes("@") ? word.split("@") : ["claude-code", word];
  const agent = AGENTS[name ?? ""];
  return agent && /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version ?? "") ? { agent, version: version ?? "" } : undefined;
});
if (wanted.length === 0 || wanted.includes(undefined)) {
  console.error(
    "usage: npm run conformance -- --table     or: npm run conformance -- 2.1.325 opencode@1.18.33 codex@0.166.0 copilot@1.0.102 gemini@0.61.0 qwen@0.24.4 pi@0.87.1 …     npm view @anthropic-ai/claude-code versions",
  );
  process.exit(2);
}
const ending = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => ending.abort(new Error("interrupted")));

for (const { agent, version } of wanted.filter((each) => each !== undefined)) {
  console.log(`${agent.title} ${version}`);
  const seen = await check(agent, version);
  const all = [...known(agent).filter((other) => other.version !== version), seen].toSorted((a, b) =>
    Bun.semver.order(b.version, a.version),
  );
  writeFileSync(agent.results, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(page, pageOf());
}
console.log(`written: ${page}`);

/** The page anew, from what is stored alone. */
function writeTable(): never {
  const { lacking } = proofTable(GAPS);
  writeFileSync(page, pageOf());
  console.log(`written: ${page}`);
  for (const cell of lacking) console.error(`neither a run nor a reason: ${cell}`);
  process.exit(lacking.length > 0 ? 1 : 0);
}

function known({ results }: Tried): Conformance[] {
  return existsSync(results) ? (JSON.parse(readFileSync(results, "utf8")) as Conformance[]) : [];
}

async function check(agent: Tried, version: string): Promise<Conformance> {
  const program = install(typeof agent.names === "function" ? agent.names(version) : agent.names, version);
  const missing = missingForLab(program);
  if (missing !== undefined) throw new Error(missing);
  const step = (words: string, at: number) => console.log(`  ${(at / 1000).toFixed(1)} s  ${words}`);
  const { runLive } = await agent.lab();
  const report = await runLive({ program, parley: selfCommand(), ways: agent.ways, signal: ending.signal, step });
  if (report.version !== undefined && report.version !== version)
    throw new Error(`${program} is ${report.version}, not ${version}`);
  for (const [what, failure] of failuresOf(report)) console.log(`  ✗ ${what}: ${failure.reason}\n${failure.screen}`);
  return rowOf(version, report);
}

/** Each version in a folder of its own, kept for the next run. */
function install({ package: name, program: path }: Names, version: string): string {
  const folder = join(tmpdir(), "parley-conformance", `${name.replace("/", "-")}-${version}`);
  const program = join(folder, path);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: folder, stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`npm install of ${name}@${version} failed: ${stderr.toString().trim()}`);
  return program;
}

function rowOf(version: string, report: LiveReport): Conformance {
  const reached = (way: Way, mark: string) => report.ways[way]?.marks.some((passed) => passed === mark) ?? false;
  // What the terminal showed stands below the first line.
  const reasons = Map.groupBy(failuresOf(report), ([, { reason }]) => reason.split("\n")[0] ?? "");
  const note = [...reasons].map(([reason, all]) => `${all.map(([what]) => what).join(", ")}: ${reason}`).join("; ");
  return {
    version,
    date: new Date().toISOString().slice(0, 10),
    system: `${platform()} ${arch()}`,
    asked: reached("shell", "asked"),
    shell: reached("shell", "answered"),
    verified: reached("shell", "verified"),
    terminal: reached("terminal", "closed"),
    resume: reached("resume", "verified"),
    hold: reached("hold", "verified"),
    ...(note !== "" && { note }),
  };
}

function failuresOf(report: LiveReport): [string, NonNullable<LiveReport["failure"]>][] {
  const ofWays = Object.entries(report.ways).flatMap(([way, { failure }]) =>
    failure ? [[way, failure] as const] : [],
  );
  return [...(report.failure ? [["start", report.failure] as const] : []), ...ofWays].map(([what, why]) => [what, why]);
}

function pageOf(): string {
  return `# Which versions work

Each row is one run of the live check (\`parley doctor --live\`, see [doctor.md](doctor.md)) on the published npm package, with a real
terminal and a scripted model. Made by \`npm run conformance -- <version> opencode@<version> codex@<version> copilot@<version> gemini@<version> qwen@<version> pi@<version> …\`; do not edit by hand.
A row stands for its last run; rows of one day may come from earlier revisions of the check, and a row may have failed before
the check or its driver was mended.

${Object.values(AGENTS).map(tableOf).join("\n")}
- **asked**: the dialog is open and the question is in \`parley ls\`, with somebody waiting to hand its answer over.
- **answered from a shell**: \`parley answer\` was accepted while the dialog was open.
- **verified**: the dialog closed, the model received exactly that answer, and the agent's own record says the same.
- **terminal first**: a question answered in the terminal closes as answered elsewhere, with what was picked.
- **resume**: an answer given while the session could not take it was told to it when it was resumed.
- **hold mode**: \`setup --project --hold\`: no dialog opens, and the answer is delivered and verified.

A version between two that work has not been tried itself. \`parley doctor\` says which case yours is.

# What was tried with every agent

Each cell is one run with the real agent and a scripted model, stored with its version, seed, date, commit, what was asked and answered, the
bytes that the model received, and what Parley says of it: the number is the seed, the link goes to its line. \`npm run soak -- agents proof --write\`
makes the runs (the cases: \`test/agents/proof/cases.ts\`), \`npm run conformance -- --table\` makes the table of them, and fails on a cell that has
neither a run nor a reason. *Outside* is \`parley answer\` or the API; behind ACP the *terminal* is the editor, and *Esc* its cancel.

- **outside first**: the dialog closes, the model receives it once, who comes later is told. **terminal first**: Parley says what was picked.
- **same instant**: four rounds with both released within 60 ms; one wins, the model receives it once, and Parley says what it received.
- **hostile text**: ANSI and OSC sequences, bidi, zero width, emoji, \`</script>\`, quotes, line ends and ten kilobytes, in the question, its
  options and the own words: no command of Parley's prints what acts on a terminal, and the model receives the answer to the letter.
  Where an answer is typed, what cannot be typed is not, and it is said why.

${proofTable(GAPS).text}
`;
}

function tableOf(agent: Tried): string {
  const columns = ["asked", "shell", "verified", "terminal", "resume", "hold"] as const;
  const shown = columns.filter((name) => agent.ways.length > 2 || (name !== "resume" && name !== "hold"));
  const titles = { asked: "asked", shell: "answered from a shell", verified: "verified", terminal: "terminal first" };
  const heads = shown.map((name) => ({ ...titles, resume: "resume", hold: "hold mode" })[name]);
  const rows = known(agent).map(({ version, date, system, note = "", ...seen }) => {
    const marks = shown.map((name) => (seen[name] ? "yes" : "**no**"));
    return `| ${[version, ...marks, `${date}, ${system}`, note.replaceAll("|", "\\|")].join(" | ")} |`;
  });
  const line = `|${"---|".repeat(heads.length + 3)}`;
  return [`## ${agent.title}`, "", `| version | ${heads.join(" | ")} | seen | notes |`, line, ...rows, ""].join("\n");
}
