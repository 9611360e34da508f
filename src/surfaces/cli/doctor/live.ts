import { basename, resolve } from "node:path";
import { ParleyError } from "../../../core/error.ts";
import { safeLine, safeText } from "../../../core/text/text.ts";
import type { Agent } from "../../../agents/agent.ts";
import { AGENTS, programOf } from "../../../agents/agents.ts";
import type { LiveReport } from "../../../agents/capability/lab.ts";
import { missingForLab } from "../../../lab/requirements.ts";
import { selfCommand } from "../../../machine/self-command.ts";
import { hang } from "../../terminal/columns.ts";
import { jsonLine } from "../json.ts";
import type { Context } from "../context.ts";
import type { Terminal } from "../../terminal/terminal.ts";

type Options = { agent?: string; keep?: boolean; json?: boolean };
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Asks real questions through the installed agent, and shows what came back. */
export async function live(
  { agent, keep = false, json = false }: Options,
  { terminal, version }: Context,
): Promise<number> {
  const { kind, program } = wanted(agent, terminal);
  const lab = await kind.lab?.();
  const missing =
    program === undefined
      ? `${kind.title} is not on your PATH; name it: parley doctor --live --agent PATH`
      : missingForLab(program);
  if (missing !== undefined || program === undefined || !lab) {
    if (json) terminal.out(jsonLine({ ok: false, reason: missing }));
    else terminal.err(`${terminal.errStyle.red("✗")} The live check cannot run: ${missing}\n`);
    return 1;
  }
  const say = (text: string) => (json ? undefined : terminal.out(text));
  say(`Live check of ${safeLine(program)} with a scripted model on loopback: no account, no tokens.\n\n`);
  const ending = new AbortController();
  let code = 0;
  for (const [name, exit] of Object.entries(SIGNALS))
    process.on(name, () => {
      if (code === 0) say("\nInterrupted; cleaning up …\n");
      code ||= exit;
      ending.abort(new Error("interrupted"));
    });
  try {
    const report = await lab.runLive({
      program,
      parley: selfCommand(),
      ways: ["shell", "terminal"],
      signal: ending.signal,
      keep,
      step: (words, at) => say(`${stepLines(words, at, terminal)}\n`),
    });
    // Interrupted so late that the check came to its end all the same.
    if (code !== 0) return interrupted();
    const failures = failuresIn(report);
    const result = { ok: failures.length === 0, agent: program, parley: version, ...report };
    if (json) terminal.out(jsonLine(result));
    else say(summary(kind.title, report, version, terminal));
    return failures.length === 0 ? 0 : 1;
  } catch (problem) {
    // Suppressed: the cleaning up itself went wrong.
    if (code === 0 || problem instanceof SuppressedError) throw problem;
    return interrupted();
  }

  function interrupted(): number {
    say(keep ? "Everything was stopped.\n" : "Everything was stopped and removed.\n");
    return code;
  }
}

/** By the agent's own name, or the path of its program; without any: the first one that is installed. */
function wanted(named: string | undefined, terminal: Terminal): { kind: Agent; program: string | undefined } {
  const testable = AGENTS.filter(({ lab }) => lab);
  const byName = testable.find(({ name }) => name === named);
  if (byName) return { kind: byName, program: programOf(byName, terminal.env["PATH"]) };
  const [first] = testable;
  if (!first) throw new ParleyError("internal", "no agent can be tried");
  if (named === undefined) {
    const kind = testable.find((agent) => programOf(agent, terminal.env["PATH"]) !== undefined) ?? first;
    return { kind, program: programOf(kind, terminal.env["PATH"]) };
  }
  const kind = testable.find(({ program }) => basename(named).startsWith(program)) ?? first;
  return { kind, program: agentAt(named, terminal) };
}

/** A path is meant from here, a bare name as the shell means it. */
function agentAt(agent: string, terminal: Terminal): string {
  return (agent.includes("/") ? undefined : onPath(agent, terminal)) ?? resolve(terminal.cwd, agent);
}

function onPath(name: string, { env }: Terminal): string | undefined {
  return Bun.which(name, { PATH: env["PATH"] ?? "" }) ?? undefined;
}

function stepLines(words: string, at: number, { style, width }: Terminal): string {
  const time = `${(at / 1000).toFixed(1)} s`.padStart(6);
  return hang(`${style.green("✓")} ${style.dim(time)}  `, safeLine(words, { max: 400 }), width).join("\n");
}

function failuresIn(report: LiveReport): NonNullable<LiveReport["failure"]>[] {
  return [report.failure, ...Object.values(report.ways).map(({ failure }) => failure)].flatMap(
    (failure) => failure ?? [],
  );
}

function summary(title: string, report: LiveReport, parley: string, terminal: Terminal): string {
  const { style, width } = terminal;
  const name = `${title} ${report.version ?? "(unknown version)"}`;
  const failures = failuresIn(report).flatMap(({ reason, screen }) => [
    ...hang(`${style.red("✗")}         `, safeLine(reason, { max: 600 }), width),
    ...(screen === "" ? [] : ["", "The terminal shows:", ...indented(screen, width)]),
  ]);
  const kept = report.kept === undefined ? [] : [`Kept: ${report.kept}`];
  const end =
    failures.length > 0
      ? [style.red(`${name} does not work properly with Parley ${parley}.`)]
      : [...receiptLines(report, terminal), "", style.green(`${name} works with Parley ${parley}.`)];
  return `${[...failures, "", ...end, ...kept].join("\n")}\n`;
}

/** What was sent, what came, and how long that took: as the model and the two records have it. */
function receiptLines({ ways }: LiveReport, { style, width }: Terminal): string[] {
  const { shell, terminal } = ways;
  if (!shell?.receipt || !terminal?.receipt) return [];
  const { question, answer, received, times } = shell.receipt;
  const ms = (time: number | undefined) => (time === undefined ? "?" : `${time} ms`);
  const row = (name: string, text: string) =>
    hang(`  ${style.dim(name.padEnd(16))}`, safeLine(text, { max: 400 }), width);
  return [
    style.bold("Receipt"),
    ...row("asked", question),
    ...row("sent", `"${answer}", with parley answer`),
    ...row("received", received),
    ...row(
      "verified",
      `in its own record ${ms(times.toTranscript)} after the answer; its side had it after ${ms(times.toHook)}`,
    ),
    ...row(
      "terminal first",
      `"${terminal.receipt.answer}" was picked there; Parley closed the question as answered elsewhere`,
    ),
  ];
}

function indented(screen: string, width: number): string[] {
  const lines = safeText(screen)
    .split("\n")
    .map((line) => line.trimEnd());
  return lines
    .filter((line) => line !== "")
    .slice(-25)
    .map((line) => `  | ${line}`.slice(0, width));
}
