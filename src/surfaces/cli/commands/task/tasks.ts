import { ParleyError } from "../../../../core/error.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { counted } from "../../../../core/words/number.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { taskTable } from "../../../terminal/task-table.ts";
import { isOver } from "../../../../core/task/task-state.ts";

const DAY_MS = 86_400_000;
const MOST = 1000;
const EVERY_MS = 1000;

export const command = defineCommand({
  about:
    "The work that agents do unattended: those that wait for you first, then those that run and are queued, then what ended within a day.",
  options: {
    all: { short: "a", description: "also what ended earlier" },
    watch: { short: "w", description: "updates every second; stop with Ctrl-C" },
    hub: { description: "what was given through your hub, and where work can be given" },
    agree: { value: "ID", description: "with --hub: to what somebody gave, where two people are needed" },
    "take-back": { value: "ID", description: "with --hub: unless its machine has it" },
    json: { description: "the whole tasks" },
  },
  notes:
    'One of them: parley tasks show <id>, and so with logs, answer, feedback, retry, cancel, done, rm (parley task --help). A new one: parley run "prompt"',
  async run({ all, watch: isWatching, hub, agree, "take-back": back, json }, context) {
    const { terminal } = context;
    if (hub || (agree ?? back) !== undefined) {
      if (!hub || all || isWatching || (agree !== undefined && back !== undefined))
        throw new ParleyError("usage", "With --hub: --agree ID or --take-back ID, and --json");
      const { agreeToTask, listInHub, takeTaskBack } = await import("../hub/hub-task.ts");
      if (agree !== undefined) return agreeToTask(agree, json, context);
      return back === undefined ? listInHub(json, context) : takeTaskBack(back, json, context);
    }
    const look = () => lookAt(context, all);
    if (isWatching) return watch(look, context);
    const { shown, hidden } = await look();
    if (json) return (terminal.out(jsonLine({ tasks: shown })), 0);
    terminal.out(page(shown, hidden, context));
    return 0;
  },
});

type Look = { shown: TaskView[]; hidden: number };

async function lookAt({ client }: Context, all: boolean): Promise<Look> {
  // Apart: no number of ended ones hides one that waits. One that ends in between is in both.
  const active = await client.call("listTasks", { query: { state: "active", limit: MOST } });
  const over = await client.call("listTasks", { query: { state: "over", limit: MOST } });
  const found = [...new Map([...active.tasks, ...over.tasks].map((task) => [task.id, task])).values()];
  const since = Date.now() - DAY_MS;
  const shown = found.filter((task) => all || !isOver(task) || (task.endedAt ?? 0) > since);
  return { shown: shown.toReversed().toSorted((a, b) => orderOf(a) - orderOf(b)), hidden: found.length - shown.length };
}

function orderOf(task: TaskView): number {
  return isOver(task) ? 3 : ["waiting", "in_progress", "queued"].indexOf(task.state);
}

function page(
  shown: readonly TaskView[],
  hidden: number,
  { terminal }: Pick<Context, "terminal">,
  most = Infinity,
): string {
  const more = hidden > 0 ? terminal.style.dim(`${counted(hidden, "older one")}: parley tasks --all\n`) : "";
  if (shown.length === 0) return `No tasks. Start one: parley run "prompt"\n${more}`;
  const rows = taskTable(shown.slice(0, most), Date.now(), terminal);
  return `${rows.join("\n")}\n${shown.length > most ? terminal.style.dim(`${shown.length - most} more\n`) : more}`;
}

async function watch(look: () => Promise<Look>, context: Context): Promise<number> {
  const { terminal } = context;
  if (!terminal.isTty) throw new ParleyError("usage", "--watch needs a terminal; for programs: parley log -f --json");
  let ended = false;
  process.on("SIGINT", () => (ended = true));
  while (!ended) {
    const { shown, hidden } = await look();
    // Header, footer and the line of the cursor stay free.
    const most = Math.max(1, (process.stdout.rows || 24) - 3);
    const text = page(
      shown,
      hidden,
      { terminal: { ...terminal, width: process.stdout.columns || terminal.width } },
      most,
    );
    terminal.clear();
    terminal.out(text);
    for (let waited = 0; waited < EVERY_MS && !ended; waited += 50) await Bun.sleep(50);
  }
  return 0;
}
