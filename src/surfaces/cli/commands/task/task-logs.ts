import { shortId } from "../../../../core/id.ts";
import { countIn } from "../../../terminal/counting.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { createLogPrinter } from "../../../terminal/task-log-lines.ts";
import { isOver } from "../../../../core/task/task-state.ts";
import { stateWords } from "../../../../core/words/task-words.ts";

const EVERY_MS = 250;
const PAGE = 500;

export const command = defineCommand({
  about:
    "What its agent said and did, over all runs, oldest first. The output as it came is kept too, one file for each run: <home>/tasks/<id>/<run>/stream.ndjson",
  options: {
    follow: { short: "f", description: "follow all runs until the task ends; stop with Ctrl-C" },
    number: { short: "n", value: "N", description: "only the newest N entries" },
    full: { description: "with the full input and output of every call" },
    json: { description: "one JSON object a line" },
  },
  positionals: { id: { of: "task" } },
  needs: "Give one id: parley task logs <id>; see: parley tasks",
  async run({ id: typed, follow, number, full, json }, context) {
    const { client } = context;
    const { id } = await client.call("getTask", { id: typed });
    const last = number === undefined ? undefined : countIn("-n", number, [1, 1000]);
    const style = { json, full };
    if (follow) return followTask(id, context, { ...style, ...(last !== undefined && { last }) });
    const print = printerFor(context, style);
    if (last !== undefined) {
      (await client.call("taskLog", { id, query: { tail: "true", limit: last } })).entries.forEach(print);
      return 0;
    }
    await printAfter(id, 0, context, print);
    return 0;
  },
});

type Print = ReturnType<typeof printerFor>;
type Follow = { json: boolean; full: boolean; last?: number };

/** Prints what a task's agent does until the task is over; answers how it ended: 0 done, 1 not, 130 nobody waited. */
export async function followTask(id: string, context: Context, { last, ...how }: Follow): Promise<number> {
  const { client, terminal } = context;
  const print = printerFor(context, how);
  let left = false;
  process.on("SIGINT", () => (left = true));
  let after = 0;
  if (last !== undefined) {
    const { entries, next } = await client.call("taskLog", { id, query: { tail: "true", limit: last } });
    entries.forEach(print);
    after = next;
  }
  for (let told = ""; ;) {
    // The state first: what was printed before the end is there when the end is.
    const task = await client.call("getTask", { id });
    after = await printAfter(id, after, context, print);
    const state = stateWords(task);
    if (!how.json && state !== told && (task.state === "waiting" || isOver(task))) terminal.out(turned(task, terminal));
    told = state;
    if (isOver(task)) return task.state === "done" ? 0 : 1;
    for (let waited = 0; waited < EVERY_MS && !left; waited += 25) await Bun.sleep(25);
    if (left) break;
  }
  if (!how.json) terminal.err(`It continues without you. Follow it again: parley task logs -f ${shortId(id)}\n`);
  return 130;
}

async function printAfter(id: string, from: number, { client }: Context, print: Print): Promise<number> {
  for (let after = from; ;) {
    const { entries, next, more } = await client.call("taskLog", { id, query: { after, limit: PAGE } });
    entries.forEach(print);
    if (!more) return next;
    after = next;
  }
}

function printerFor({ terminal }: Context, { json, full }: { json: boolean; full: boolean }) {
  const inWords = createLogPrinter(terminal, full);
  return (entry: Parameters<typeof inWords>[0]) =>
    terminal.out(json ? jsonLine(entry) : `${inWords(entry).join("\n")}\n`);
}

function turned(
  task: Parameters<typeof stateWords>[0] & { id: string; reason?: string | undefined },
  { style }: Context["terminal"],
): string {
  const id = shortId(task.id);
  if (task.state !== "waiting") return `${style.bold(stateWords(task))}${task.reason ? `: ${task.reason}` : ""}\n`;
  return `${style.yellow(stateWords(task))}  ${style.dim(`parley task show ${id} · parley task answer ${id} …`)}\n`;
}
