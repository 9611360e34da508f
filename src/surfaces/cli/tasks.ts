import { parseArgs } from "node:util";
import { shortId } from "../../core/id.ts";
import { duration } from "../../core/sentence.ts";
import { safeLine } from "../../core/text.ts";
import type { TaskView } from "../../protocol/task.ts";
import { fit } from "./columns.ts";
import { jsonLine } from "./json.ts";
import type { Command } from "./run.ts";

const HELP = `Usage: parley tasks [--active] [--json]

The work that agents do unattended, and what each task waits for.
`;

export const tasks: Command = async (args, { terminal, client }) => {
  const { values } = parseArgs({
    args,
    options: { active: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const found = await client.call("listTasks", { query: { state: values.active ? "active" : "all" } });
  if (values.json) return (terminal.out(jsonLine(found)), 0);
  if (found.tasks.length === 0) terminal.out('No tasks. Start one: parley run "prompt"\n');
  for (const task of found.tasks) terminal.out(`${fit(line(task), terminal.width)}\n`);
  return 0;
};

export function line(task: TaskView): string {
  const { id, state, waitingFor, order, usage, createdAt, updatedAt } = task;
  const what = waitingFor === undefined ? state : `${state}: ${waitingFor}`;
  const [question] = task.pending_questions ?? [];
  const about = question?.question ?? (task.tool ? `${task.tool.name} ${task.tool.summary}` : (task.reason ?? ""));
  const cost = usage.costUsd > 0 ? `$${usage.costUsd.toFixed(2)}` : "";
  const parts = [
    shortId(id),
    what.padEnd(20),
    duration(updatedAt - createdAt).padStart(6),
    cost.padStart(6),
    safeLine(order.name, { max: 30 }).padEnd(30),
    safeLine(about, { max: 120 }),
  ];
  return parts.join("  ").trimEnd();
}
