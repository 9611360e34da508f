import { existsSync } from "node:fs";
import { AGENTS } from "../../../agents/agents.ts";
import { ParleyError } from "../../../core/error.ts";
import { problemLine } from "../../../core/words/problem-line.ts";
import { safeLine } from "../../../core/text/text.ts";
import { hang } from "../../terminal/columns.ts";
import { configProblems } from "../config-problems.ts";
import { counted } from "../../../core/words/number.ts";
import { jsonLine } from "../json.ts";
import { defineCommand } from "../command-line/define.ts";
import type { Context } from "../context.ts";
import { noticeOf } from "../commands/every-day/status.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { checkAsks } from "./asks.ts";
import { checkDaemon } from "./daemon.ts";
import { type Finding, note, ok, problem } from "../../../core/finding.ts";
import { checkHome } from "./home.ts";
import { checkLauncher } from "./launcher.ts";
import { checkMessengers } from "./messengers.ts";
import { checkPhones } from "./phones.ts";
import { storeFindings } from "./store.ts";

const WIDEST_CHECK = 11;

export const command = defineCommand({
  usage: ["[options]", "--live [--agent NAME|PATH] [--keep] [options]"],
  about:
    "Looks at everything a question needs on its way to you and back: the daemon, its home and store, your agents, their hooks or plugins and what may shadow them. Changes nothing.",
  options: {
    live: {
      description:
        "prove it: the installed agent asks real questions in a private tmux, against a scripted model on loopback, and they are answered with `parley answer` and in the terminal. No account, no tokens; everything is temporary and removed afterwards",
    },
    agent: {
      value: "NAME|PATH",
      of: "file",
      description:
        "with --live: another agent (opencode, codex, copilot, gemini, qwen, pi), or this program of one instead of that on your PATH",
    },
    keep: { description: "with --live: keep the temporary folder to look at" },
    json: { description: "the findings, or the result of the live check, as JSON" },
  },
  notes: "Exit codes: 0 no problem · 1 a problem",
  async run(values, context) {
    const { terminal } = context;
    if (!values.live && (values.agent !== undefined || values.keep))
      throw new ParleyError("usage", "--agent and --keep belong to --live: parley doctor --live");
    if (values.live) return (await import("./live.ts")).live(values, context);
    const findings = await examine(context);
    const problems = findings.filter(({ level }) => level === "problem").length;
    if (values.json) terminal.out(jsonLine({ ok: problems === 0, findings }));
    else terminal.out(report(findings, terminal));
    return problems === 0 ? 0 : 1;
  },
});

/** From the inside out: Parley itself, what it keeps, then the agent and what leads from it to Parley. */
async function examine(context: Context): Promise<Finding[]> {
  const { terminal, client, paths, version, backups } = context;
  const { env, cwd } = terminal;
  const now = Date.now();
  const daemon = await checkDaemon(paths, client, version);
  const mustAsk = await mustAskIn(context);
  const [asks, messengers, notice, agents] = await Promise.all([
    daemon.status ? checkAsks(client, now) : [],
    daemon.status ? checkMessengers(client) : [],
    daemon.status ? noticeOf(client, cwd) : undefined,
    Promise.all(
      AGENTS.map(async (agent) => (await agent.doctor?.())?.({ env, cwd, program: paths.program, mustAsk }) ?? []),
    ),
  ]);
  const found = agents.flat();
  const isSetUp = existsSync(paths.program) || found.some((agent) => agent.isSetUp);
  return [
    ...daemon.findings,
    ...(await checkConfig(context)),
    ...checkHome(paths),
    ...storeFindings(paths, await (await backups()).checkStore(paths), now),
    ...asks,
    ...messengers,
    ...(daemon.status ? await checkPhones(client) : []),
    ...(notice === undefined ? [] : [note("autopilot", notice)]),
    ...found.flatMap(({ findings }) => findings),
    ...(isSetUp ? [await checkLauncher(paths.program, version)] : []),
    ...found.flatMap(({ settings }) => settings),
    checkTmux(env),
  ];
}

/** The person's own patterns, and those of the project here. */
async function mustAskIn({ terminal: { env, cwd } }: Context): Promise<string[]> {
  const { createConfigFiles } = await import("../../../machine/settings/config-file.ts");
  const { values, apart } = await createConfigFiles({ env, cwd }).current(cwd);
  const theirs = apart.get("approvals.must_ask");
  return [...values.approvals.must_ask, ...(Array.isArray(theirs) ? theirs.map(String) : [])];
}

/** Says nothing of settings that are well: most people have none. */
async function checkConfig(context: Context): Promise<Finding[]> {
  const problems = await configProblems(context);
  return problems.map((each) => problem("config", problemLine(each), "parley config shows what counts instead"));
}

function checkTmux(env: Record<string, string | undefined>): Finding {
  const path = Bun.which("tmux", { PATH: env["PATH"] ?? "" });
  if (path === null) return note("tmux", "tmux is not installed: only parley doctor --live needs it");
  return ok("tmux", `${path} is there, for parley doctor --live`);
}

function report(findings: readonly Finding[], terminal: Terminal): string {
  const { style, width } = terminal;
  const marks = { ok: style.green("✓"), note: style.yellow("!"), problem: style.red("✗") };
  const lines = findings.flatMap(({ check, level, message, fix }) => {
    const lead = `${marks[level]} ${style.bold(check.padEnd(WIDEST_CHECK))}  `;
    return hang(lead, safeLine(`${message}${fix === undefined ? "" : ` → ${fix}`}`, { max: 600 }), width);
  });
  const count = (level: Finding["level"]) => findings.filter((finding) => finding.level === level).length;
  const [problems, notes] = [count("problem"), count("note")];
  const counts = [
    ...(problems > 0 ? [counted(problems, "problem")] : []),
    ...(notes > 0 ? [counted(notes, "note")] : []),
  ];
  const end = counts.length === 0 ? "Everything is fine." : `${counts.join(", ")}.`;
  return `${[...lines, "", end].join("\n")}\n`;
}
