import { askTitle } from "../../../../core/ask/title.ts";
import { isSnoozed } from "../../../../core/ask/ask-state.ts";
import { idleWords, titleIn } from "../../../../core/words/session-words.ts";
import { isUp } from "../../../../client/wire.ts";
import { shortId } from "../../../../core/id.ts";
import { NOTHING_WAITS, waitingWords } from "../../../../core/words/ask-words.ts";
import { ageOf, duration } from "../../../../core/words/time.ts";
import { problemLine } from "../../../../core/words/problem-line.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { type Paths, readRegistration } from "../../../../machine/home.ts";
import { isAlive } from "../../../../machine/process/process.ts";
import { stoppedAt } from "../../../../machine/program/stopped.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { configProblems } from "../../config-problems.ts";
import { counted } from "../../../../core/words/number.ts";
import { jsonLine } from "../../json.ts";
import { fit } from "../../../terminal/columns.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import type { Terminal } from "../../../terminal/terminal.ts";

type NotRunning = { reason: string; words: string; code: number };

export const command = defineCommand({
  about: "How many questions wait, each with its kind, project and age, and whether the daemon runs. Starts nothing.",
  options: { watch: { short: "w", description: "updates live; stop with Ctrl-C" } },
  notes: "Exit codes: 0 running · 3 not running · 69 running, but not responding",
  async run({ watch: isWatching, json }, context) {
    const { terminal, paths } = context;
    if (!(await isUp(paths))) {
      const { reason, words, code } = whyNot(paths);
      terminal.out(json ? jsonLine({ running: false, reason, home: paths.home }) : `${words}\n`);
      return code;
    }
    if (isWatching) return watch(context, json);
    if (json) return (terminal.out(jsonLine(await facts(context))), 0);
    terminal.out(await page(context));
    return 0;
  },
});

/** Clears the screen only where there is one; elsewhere each state is printed once more. */
async function watch(context: Context, json: boolean): Promise<number> {
  const { terminal, client } = context;
  const ending = new AbortController();
  process.on("SIGINT", () => ending.abort());
  const draw = async () => {
    if (json) return terminal.out(jsonLine(await facts(context)));
    if (terminal.isTty) terminal.clear();
    terminal.out(await page(context));
  };
  // Before the first look: what happens between the two is drawn again, not missed.
  const { events } = await client.call("readLog", { query: { tail: "true", limit: 1 } });
  await draw();
  for await (const _ of client.events(events.at(-1)?.seq ?? 0, ending.signal)) await draw();
  return 0;
}

const facts = async (context: Context) => ({
  running: true,
  ...(await context.client.call("status")),
  problems: await configProblems(context),
});

async function page(context: Context): Promise<string> {
  const { terminal, client, version } = context;
  const { bold, dim, red, yellow } = terminal.style;
  const notice = await noticeOf(client, terminal.cwd);
  const now = await client.call("status");
  const { asks } = await client.call("listAsks", { query: { limit: 50 } });
  const { open, snoozed = 0, undelivered } = now.asks;
  const [waiting, at, idle] = [open - snoozed, Date.now(), now.idle ?? 0];
  const problems = await configProblems(context);
  const daemon = [
    `Parley ${now.version}`,
    `pid ${now.pid}`,
    now.url,
    `up ${duration(Date.now() - now.startedAt)}`,
    counted(now.sessions, "live session"),
  ];
  const lines = [
    waiting > 0 ? yellow(bold(waitingWords(waiting))) : NOTHING_WAITS,
    ...asks.filter((ask) => !isSnoozed(ask, at)).map((ask) => row(ask, terminal)),
    ...(snoozed > 0 ? [dim(`${snoozed} snoozed: parley ls`)] : []),
    ...(idle > 0 ? [`${idleWords(idle)}: parley sessions`] : []),
    ...(undelivered > 0
      ? [`${counted(undelivered, "answer")} not yet picked up by the agent: parley ls --state settled`]
      : []),
    ...problems.map((problem) => `${red("✗")} ${safeLine(problemLine(problem), { max: 600 })}`),
    ...(notice === undefined ? [] : [yellow(safeLine(notice, { max: 600 }))]),
    dim(daemon.join(" · ")),
    dim(`Home: ${now.home}`),
    ...(now.version === version ? [] : [yellow(`This is Parley ${version}. Replace the daemon: parley restart`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** About the settings file of the project one is in; undefined: nothing, or there is no project. */
export async function noticeOf(client: Context["client"], folder: string): Promise<string | undefined> {
  return client.call("getTrust", { query: { folder } }).then(
    ({ notice }) => notice,
    () => undefined,
  );
}

/** `[question] shop · 12 s · Which database? · Fix the login` */
function row(ask: AskView, { style, width }: Terminal): string {
  const { id, kind, origin, agentTitle, createdAt } = ask;
  const project = safeLine(origin.project ?? agentTitle, { max: 40 });
  const parts = [project, ageOf(createdAt, Date.now()), askTitle(ask), ...titleIn(origin.sessionTitle)];
  return fit(`  ${shortId(id)}  [${kind}] ${parts.join(" · ")}`, width).replace(shortId(id), style.bold(shortId(id)));
}

/** A registration left by a killed daemon names a dead process, or a pid that is somebody else's by now. */
function whyNot(paths: Paths): NotRunning {
  const known = readRegistration(paths);
  const runs = known?.state === "running";
  if (runs && isAlive(known.process)) {
    const words = `Parley is not responding (pid ${known.process.pid}). Stop it: parley down --force`;
    return { reason: "not responding", words, code: 69 };
  }
  const reason = stoppedAt(paths) !== undefined ? "stopped on purpose" : runs ? "it was killed" : "not started";
  return { reason, words: `Parley is not running (${reason}). Start it: parley up`, code: 3 };
}
