import { claudeVersion } from "./version.ts";
import { type LiveStage, openLiveStage } from "./live-stage.ts";
import type { LiveOptions, LiveReport, WayResult } from "../../capability/lab.ts";
import { SCRIPT, WAYS } from "./live-ways.ts";

/**
 * Asks real questions through the installed agent, the real set-up and the real commands, against a scripted model.
 * Contract: uses no account, no tokens and only loopback; when the signal ends it, it rejects after it has cleaned up.
 */
export async function runLive({ program, parley, ways, signal, keep = false, step }: LiveOptions): Promise<LiveReport> {
  const started = performance.now();
  const tell = (words: string) => step(words, performance.now() - started);
  const report: LiveReport = { ways: {} };
  await using stage = await openLiveStage({ program, parley, script: SCRIPT, signal, keep });
  if (keep) report.kept = stage.root;
  try {
    tell("a Parley with a home and a daemon of its own runs");
    const env = { PATH: process.env["PATH"], HOME: stage.root };
    const version = await stage.within("it does not report its version", claudeVersion(program, env, signal));
    if (version !== undefined) report.version = version;
    await stage.mustRun("setup", "claude-code", "--yes");
    tell("parley setup claude-code has put the hooks into the agent's settings");
    await startAgent(stage, tell);
  } catch (problem) {
    signal.throwIfAborted();
    report.failure = await failureOf(problem, stage);
    return report;
  }
  let usable = true;
  for (const way of ways) {
    const result: WayResult = { marks: [] };
    report.ways[way] = result;
    try {
      // After a failure nobody knows what the terminal shows.
      if (!usable) await startAgent(stage, tell);
      usable = true;
      result.receipt = await WAYS[way](stage, (mark, words) => {
        result.marks.push(mark);
        tell(words);
      });
    } catch (problem) {
      signal.throwIfAborted();
      usable = false;
      result.failure = await failureOf(problem, stage);
    }
  }
  return report;
}

async function startAgent(stage: LiveStage, tell: (words: string) => void): Promise<void> {
  await stage.startAgent("--session-id", crypto.randomUUID());
  tell("Claude Code waits for a prompt in a terminal of its own");
}

async function failureOf(problem: unknown, stage: LiveStage): Promise<{ reason: string; screen: string }> {
  const reason = problem instanceof Error ? problem.message : String(problem);
  const screen = await stage.tmux.screen().catch(() => "");
  return { reason, screen: screen.trimEnd() };
}
