// Runs the live check on published versions of Claude Code and keeps what was seen: `src/agents/claude-code/lab/conformance.json` for
// `parley doctor`, and docs/conformance.md made from it for people. Versions that are not named keep their rows.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { join } from "node:path";
import type { Conformance } from "../src/agents/claude-code/lab/conformance.ts";
import { runLive } from "../src/agents/claude-code/lab/live.ts";
import type { LiveReport } from "../src/agents/lab.ts";
import { missingForLab } from "../src/lab/requirements.ts";
import { selfCommand } from "../src/machine/launcher.ts";

const root = join(import.meta.dir, "..");
const results = join(root, "src/agents/claude-code/lab/conformance.json");
const page = join(root, "docs/conformance.md");
const WAYS = ["shell", "terminal", "resume", "hold"] as const;

const versions = process.argv.slice(2);
if (versions.length === 0 || versions.some((version) => !/^\d+\.\d+\.\d+$/.test(version))) {
  console.error("usage: npm run conformance -- 2.1.325 [version …]     npm view @anthropic-ai/claude-code versions");
  process.exit(2);
}
const ending = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => ending.abort(new Error("interrupted")));

for (const version of versions) {
  console.log(`Claude Code ${version}`);
  const seen = await check(version);
  const known = JSON.parse(readFileSync(results, "utf8")) as Conformance[];
  const all = [...known.filter((other) => other.version !== version), seen].toSorted((a, b) =>
    Bun.semver.order(b.version, a.version),
  );
  writeFileSync(results, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(page, pageOf(all));
}
console.log(`written: ${page}`);

async function check(version: string): Promise<Conformance> {
  const program = install(version);
  const missing = missingForLab(program);
  if (missing !== undefined) throw new Error(missing);
  const step = (words: string, at: number) => console.log(`  ${(at / 1000).toFixed(1)} s  ${words}`);
  const report = await runLive({ program, parley: selfCommand(), ways: WAYS, signal: ending.signal, step });
  if (report.version !== undefined && report.version !== version)
    throw new Error(`${program} is ${report.version}, not ${version}`);
  for (const [what, failure] of failuresOf(report)) console.log(`  ✗ ${what}: ${failure.reason}\n${failure.screen}`);
  return rowOf(version, report);
}

/** Each version in a folder of its own, kept for the next run. */
function install(version: string): string {
  const folder = join(tmpdir(), "parley-conformance", version);
  const program = join(folder, "node_modules/.bin/claude");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const name = "@anthropic-ai/claude-code";
  const manifest = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: folder, stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`npm install of ${name}@${version} failed: ${stderr.toString().trim()}`);
  return program;
}

function rowOf(version: string, report: LiveReport): Conformance {
  const reached = (way: (typeof WAYS)[number], mark: string) =>
    report.ways[way]?.marks.some((passed) => passed === mark) ?? false;
  const reasons = Map.groupBy(failuresOf(report), ([, { reason }]) => reason);
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

function pageOf(all: readonly Conformance[]): string {
  const mark = (worked: boolean) => (worked ? "yes" : "**no**");
  const rows = all.map(({ version, date, system, note = "", ...seen }) => {
    const marks = [seen.asked, seen.shell, seen.verified, seen.terminal, seen.resume, seen.hold].map(mark);
    return `| ${[version, ...marks, `${date}, ${system}`, note.replaceAll("|", "\\|")].join(" | ")} |`;
  });
  return `# Which versions of Claude Code work

Each row is one run of the live check (\`parley doctor --live\`, see [doctor.md](doctor.md)) on the published npm package, with a real
terminal and a scripted model. Made by \`npm run conformance -- <version> …\`; do not edit by hand.
A row stands for its last run; rows of one day may come from earlier revisions of the check, and a row may have failed before
the check or its driver was mended.

| version | asked | answered from a shell | verified | terminal first | resume | hold mode | seen | notes |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}

- **asked**: the dialog is open and the question is in \`parley ls\`, with a hook waiting for it.
- **answered from a shell**: \`parley answer\` was accepted while the dialog was open.
- **verified**: the dialog closed, the model received exactly that answer, and Claude Code's transcript says the same.
- **terminal first**: a question answered in the terminal closes as answered elsewhere, with what was picked.
- **resume**: an answer given while the session could not take it was told to it when it was resumed.
- **hold mode**: \`setup --project --hold\`: no dialog opens, and the answer is delivered and verified.

A version between two that work has not been tried itself. \`parley doctor\` says which case yours is.
`;
}
