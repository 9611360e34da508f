import { createClient, type Client } from "../../client/client.ts";
import { ERRORS, ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import { homeDir, type Paths, pathsIn } from "../../machine/home.ts";
import type { Backups } from "./commands/backup.ts";
import { hang } from "../terminal/columns.ts";
import { sayConfigProblems } from "./config-problems.ts";
import { counted } from "../../core/words/number.ts";
import { failureCode } from "./exit-code.ts";
import { errorLine, jsonLine } from "./json.ts";
import { tellMismatches } from "./tell-mismatches.ts";
import { type Terminal, thisTerminal } from "../terminal/terminal.ts";

/** Runs the daemon in this process until it ends; `up` is called once it answers. Undefined: another one runs already. */
export type Serve = (options: {
  detached: boolean;
  byHand: boolean;
  up: (url: string) => void;
}) => Promise<number | undefined>;
/** What `main.ts` lends: surfaces themselves know neither daemon nor database. */
export type Lent = { serve: Serve; backups: () => Promise<Backups> };
/** What every command gets. `client` starts the daemon when it is first used. */
export type Context = Lent & {
  terminal: Terminal;
  client: Client;
  paths: Paths;
  version: string;
  commands: readonly string[];
};
export type Command = (args: string[], context: Context) => Promise<number>;

const COMMANDS: Record<string, () => Promise<Command>> = {
  inbox: async () => (await import("../tui/inbox.ts")).inbox,
  popup: async () => (await import("./commands/popup.ts")).popup,
  ls: async () => (await import("./commands/ls.ts")).ls,
  status: async () => (await import("./commands/status.ts")).status,
  count: async () => (await import("./commands/count.ts")).count,
  show: async () => (await import("./commands/show.ts")).show,
  why: async () => (await import("./commands/why.ts")).why,
  answer: async () => (await import("./commands/answer.ts")).answer,
  review: async () => (await import("./commands/review.ts")).review,
  open: async () => (await import("./commands/open.ts")).open,
  snooze: async () => (await import("./commands/snooze.ts")).snooze,
  jump: async () => (await import("./commands/jump.ts")).jump,
  ask: async () => (await import("./commands/ask.ts")).ask,
  confirm: async () => (await import("./commands/confirm.ts")).confirm,
  wait: async () => (await import("./commands/wait.ts")).wait,
  run: async () => (await import("./commands/run-task.ts")).runTask,
  tasks: async () => (await import("./commands/tasks.ts")).tasks,
  task: async () => (await import("./commands/task.ts")).task,
  keys: async () => (await import("./commands/keys.ts")).keys,
  autopilot: async () => (await import("./commands/autopilot.ts")).autopilot,
  explain: async () => (await import("./commands/explain.ts")).explain,
  accept: async () => (await import("./commands/accept.ts")).accept,
  undo: async () => (await import("./commands/accept.ts")).undo,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  log: async () => (await import("./commands/log.ts")).log,
  logs: async () => (await import("./commands/logs.ts")).logs,
  watch: async () => (await import("./commands/watch.ts")).watch,
  scan: async () => (await import("./commands/scan.ts")).scan,
  decisions: async () => (await import("./commands/decisions.ts")).decisions,
  setup: async () => (await import("./commands/setup.ts")).setupCommand,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  config: async () => (await import("./commands/config.ts")).config,
  notify: async () => (await import("./commands/notify.ts")).notify,
  up: async () => (await import("./commands/up.ts")).up,
  down: async () => (await import("./commands/down.ts")).down,
  restart: async () => (await import("./commands/restart.ts")).restart,
  serve: async () => (await import("./commands/serve.ts")).serve,
  backup: async () => (await import("./commands/backup.ts")).backup,
  restore: async () => (await import("./commands/restore.ts")).restore,
  prune: async () => (await import("./commands/prune.ts")).prune,
  "bug-report": async () => (await import("./commands/bug-report.ts")).bugReport,
  completion: async () => (await import("./commands/completion.ts")).completion,
  decision: async () => (await import("./commands/decision.ts")).decision,
};

const HELP = `Parley: one inbox for every question that coding agents ask.

Usage: parley <command> [options]        parley <command> --help

  (nothing) · popup      the inbox on the whole terminal; its oldest question
  ls · status · count    what waits for an answer; is Parley running
  show · why <id>        one question and its history; how it came to its end
  answer <id> 2          answer it; 1,3 for several options; -m for own words
  review · open          go through everything that waits; in your browser
  snooze <id> 30m        put it aside; jump <id>: the tmux pane of its agent
  confirm "Deploy?"      yes or no for a script; ask -o … for more; wait <id>
  autopilot              answers in your place; accept, undo, explain <id>
  run "prompt" · tasks   work for an agent, unattended; task show|logs|… <id>
  watch %3 · keys        an agent in tmux without hooks
  log [id] · decisions   what happened; what was decided (--md for a file)
  setup [agent] · mcp    make an agent ask through Parley; a tool over MCP
  doctor · config        what is wrong; settings; notify test: a notification
  up · down · restart    the daemon; serve: in the foreground; logs: its own log
  scan FILE · backup · restore FILE · prune · bug-report · completion · decision
An id may be shortened as long as it is unique. --json works everywhere.
Exit codes: 0 done · 1 failed · 2 wrong usage or answer · 3 not found, not
running · 4 somebody was first · 5 the agent received something else · 69 the
daemon does not answer · 74 the disk cannot be written · 77 not allowed
`;

/** Contract: the one place of the command line where errors are caught; answers the exit code. */
export async function run(name: string, args: string[], version: string, lent: Lent): Promise<number> {
  const terminal = thisTerminal(process.env, process.cwd(), failureCode(name, 0));
  const paths = pathsIn(homeDir(process.env));
  const json = args.includes("--json");
  const [subject] = args;
  if (name === "help" && subject !== undefined) return run(subject, ["--help"], version, lent);
  if (name === "" && terminal.isTty && terminal.ask) return run("inbox", args, version, lent);
  if (["", "help", "--help", "-h"].includes(name)) return (terminal.out(HELP), 0);
  if (["version", "--version", "-v"].includes(name))
    return (terminal.out(json ? jsonLine({ version }) : `parley ${version}\n`), 0);
  try {
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!load)
      throw new ParleyError("usage", `There is no command "${safeLine(name, { max: 40 })}". See: parley --help`);
    const command = await load();
    const context = {
      terminal,
      client: createClient(paths, { version, inside: async () => (await import("./guard.ts")).sessionHere() }),
      paths,
    };
    if (!json && !args.includes("--help") && !args.includes("-h")) await sayConfigProblems(name, context);
    const code = await command(args, {
      ...context,
      version,
      ...lent,
      commands: Object.keys(COMMANDS),
    });
    if (!json) await tellMismatches(name, context);
    return code;
  } catch (error) {
    const known = asParleyError(error, name);
    terminal.err(json ? errorLine(known) : inWords(known, terminal));
    return failureCode(name, ERRORS[known.code].exit);
  }
}

function asParleyError(error: unknown, command: string): ParleyError {
  if (error instanceof ParleyError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isUsage = typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
  if (!isUsage) return new ParleyError("internal", message, { cause: error });
  // Behind the first sentence stands how to pass a value that looks like an option: of use only where one was meant.
  const [what = ""] = message.split(/\.\s/);
  const dashed = /use '(--\w+=-)XYZ'/.exec(message)?.[1];
  const todo = dashed === undefined ? "" : `; a value that begins with a dash: ${dashed}…`;
  return new ParleyError("usage", `${what}${todo}. See: parley ${command} --help`, { cause: error });
}

/** Several problems are listed one a line; a single one is the message itself. */
function inWords({ message, problems }: ParleyError, { errStyle, width }: Terminal): string {
  const mark = `${errStyle.red("✗")} `;
  if (problems.length < 2) return `${hang(mark, safeLine(message, { max: 600 }), width).join("\n")}\n`;
  const lines = problems.flatMap(({ field, message: what }) =>
    hang(`  ${safeLine(field, { max: 60 })}: `, safeLine(what, { max: 400 }), width),
  );
  return `${[`${mark}${counted(problems.length, "problem")}`, ...lines].join("\n")}\n`;
}
