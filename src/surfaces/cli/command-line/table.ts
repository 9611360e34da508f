import type { Entry } from "./define.ts";

export const GROUPS = [
  "Every day",
  "Questions",
  "Autopilot",
  "Agents and tasks",
  "Scripts",
  "Daemon",
  "Upkeep",
] as const;
type Row = Entry & { group: (typeof GROUPS)[number] };

const row =
  (group: Row["group"]) =>
  (name: string, summary: string, load: Entry["load"]): Row => ({ name, group, summary, load });
const everyDay = row("Every day");
const question = row("Questions");
const autopilot = row("Autopilot");
const agent = row("Agents and tasks");
const script = row("Scripts");
const daemon = row("Daemon");
const upkeep = row("Upkeep");

/** Every command, in the order of the overview. Contract: only the one that is called is loaded. */
export const COMMANDS: readonly Row[] = [
  everyDay("inbox", "the inbox, full screen; the same as parley alone", () => import("../../tui/inbox.ts")),
  everyDay("ls", "what waits for an answer", () => import("../commands/every-day/ls.ts")),
  everyDay("show", "one question, its options and its history", () => import("../commands/every-day/show.ts")),
  everyDay("answer", "answer a question", () => import("../commands/every-day/answer.ts")),
  everyDay("review", "go through everything that waits", () => import("../commands/every-day/review.ts")),
  everyDay("open", "the inbox in your browser", () => import("../commands/every-day/open.ts")),
  everyDay("phone", "the inbox on your phone, with notifications", () => import("../commands/every-day/phone.ts")),
  everyDay("snooze", "put a question aside for a while", () => import("../commands/every-day/snooze.ts")),
  everyDay(
    "status",
    "how many questions wait, and whether Parley runs",
    () => import("../commands/every-day/status.ts"),
  ),
  everyDay("run", "give an agent work to do unattended", () => import("../commands/task/run-task.ts")),
  {
    ...everyDay(
      "tasks",
      "the work agents do unattended; tasks show, answer, cancel … one",
      () => import("../commands/task/tasks.ts"),
    ),
    one: "task",
  },
  question("grants", "what agents may do for now without asking", () => import("../commands/question/grants.ts")),
  question("popup", "the question that waits longest, in a tmux popup", () => import("../commands/question/popup.ts")),
  question("jump", "go to the tmux pane of the agent that asked", () => import("../commands/question/jump.ts")),
  question("why", "how a question was settled, in five sentences", () => import("../commands/question/why.ts")),
  question(
    "log",
    "what happened, event by event; --daemon: the daemon's own",
    () => import("../commands/question/log.ts"),
  ),
  question("decisions", "what was decided, by whom and why", () => import("../commands/question/decisions.ts")),
  {
    ...question(
      "decision",
      "list, show and resolve: the same as ls, show and answer",
      () => import("../commands/question/decision.ts"),
    ),
    sameAs: "ls, show, answer",
  },
  autopilot(
    "autopilot",
    "what may be answered in your place: on, suggest, off, test, pause",
    () => import("../commands/autopilot/autopilot.ts"),
  ),
  autopilot("digest", "what was answered in your place, by project", () => import("../commands/autopilot/digest.ts")),
  autopilot("accept", "take what the autopilot proposes", () => import("../commands/autopilot/accept.ts")),
  autopilot("undo", "take back what the autopilot is about to answer", () => import("../commands/autopilot/undo.ts")),
  autopilot(
    "explain",
    "what the autopilot did with a question, step by step",
    () => import("../commands/autopilot/explain.ts"),
  ),
  agent("agents", "which agents are installed, set up and known to work", () => import("../commands/agent/agents.ts")),
  agent("setup", "make an agent ask through Parley", () => import("../commands/agent/setup.ts")),
  agent("mcp", "give an agent the tool ask_user_question over MCP", () => import("../commands/agent/mcp.ts")),
  agent("acp", "between an editor and its agent: what that asks is here too", () => import("../commands/agent/acp.ts")),
  agent("sessions", "agents that run, and those that wait for a prompt", () => import("../commands/agent/sessions.ts")),
  {
    ...agent("task", "show, answer, retry, cancel … one task", () => import("../commands/task/task.ts")),
    sameAs: "tasks",
  },
  agent(
    "watch",
    "bring an agent without hooks into the inbox: a tmux pane",
    () => import("../commands/agent/watch.ts"),
  ),
  agent("container", "let the agents in a container ask here", () => import("../commands/agent/container.ts")),
  script("ask", "ask a person something and wait for the answer", () => import("../commands/script/ask.ts")),
  script("confirm", "ask a person for yes or no", () => import("../commands/script/confirm.ts")),
  script("wait", "wait for the answer to a question", () => import("../commands/script/wait.ts")),
  script("keys", "read and answer a dialog in tmux once, by its keys", () => import("../commands/script/keys.ts")),
  script("count", "how many questions wait, as a number", () => import("../commands/script/count.ts")),
  script("scan", "which questions an agent's own record holds", () => import("../commands/script/scan.ts")),
  daemon("up", "start the daemon in the background", () => import("../commands/daemon/up.ts")),
  daemon("down", "stop the daemon", () => import("../commands/daemon/down.ts")),
  daemon("restart", "replace the daemon, after an update for example", () => import("../commands/daemon/restart.ts")),
  daemon("serve", "run the daemon in this terminal", () => import("../commands/daemon/serve.ts")),
  daemon(
    "service",
    "let the system keep it running: install, remove, status",
    () => import("../commands/daemon/service.ts"),
  ),
  { ...daemon("logs", "the daemon's own log", () => import("../commands/question/logs.ts")), sameAs: "log --daemon" },
  daemon(
    "hub",
    "one inbox for many machines and people: run it, code, token …",
    () => import("../commands/hub/hub.ts"),
  ),
  daemon("join", "share what is asked in a project with a hub", () => import("../commands/hub/join.ts")),
  daemon("leave", "share nothing with the hub any more", () => import("../commands/hub/leave.ts")),
  upkeep("doctor", "what is wrong with the set-up; --live proves that it works", () => import("../doctor/doctor.ts")),
  upkeep("config", "every setting and where it comes from; config set", () => import("../commands/upkeep/config.ts")),
  upkeep("notify", "send a test notification", () => import("../commands/upkeep/notify.ts")),
  upkeep("backup", "copy everything Parley keeps into one file", () => import("../commands/upkeep/backup.ts")),
  upkeep("restore", "put a backup back", () => import("../commands/upkeep/restore.ts")),
  upkeep("prune", "remove questions that were settled long ago", () => import("../commands/upkeep/prune.ts")),
  upkeep("upgrade", "the newest Parley, the way this one was installed", () => import("../commands/upkeep/upgrade.ts")),
  upkeep("uninstall", "take out all that Parley put on this machine", () => import("../commands/upkeep/uninstall.ts")),
  upkeep("bug-report", "a file about one question that you can send", () => import("../commands/upkeep/bug-report.ts")),
  upkeep("completion", "tab completion for your shell", () => import("../commands/upkeep/completion.ts")),
  {
    ...script("hook", "what an agent's hooks start; not for people", () => import("../commands/agent/hook.ts")),
    hidden: true,
  },
  {
    ...script("complete", "what a shell offers for a line", () => import("../commands/upkeep/complete.ts")),
    hidden: true,
  },
];
