import { parseArgs } from "node:util";
import { ParleyError } from "../../core/error.ts";
import { safeText } from "../../core/text.ts";
import type { TaskView } from "../../protocol/task.ts";
import { jsonLine } from "./json.ts";
import type { Command } from "./run.ts";
import { line } from "./tasks.ts";

const HELP = `Usage: parley task show|feedback|retry|cancel|done <id> [--json]

  show <id>              what it does, what it waits for, what it said
  feedback <id> TEXT     free text for a task that waits
  retry · cancel · done  start it again; stop it; call it done
`;
const CALLS = { show: "getTask", retry: "taskRetry", cancel: "taskCancel", done: "taskDone" } as const;

export const task: Command = async (args, { terminal, client }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const [action = "", id, ...words] = positionals;
  if (id === undefined) throw new ParleyError("usage", "An action and an id are needed. See: parley task --help");
  const found = await act();
  terminal.out(values.json ? jsonLine(found) : inWords(found));
  return 0;

  async function act(): Promise<TaskView> {
    if (action === "feedback") return client.call("taskFeedback", { id: id ?? "", body: { message: words.join(" ") } });
    if (!Object.hasOwn(CALLS, action))
      throw new ParleyError("usage", `There is no "task ${action}". See: parley task --help`);
    return client.call(CALLS[action as keyof typeof CALLS], { id: id ?? "" });
  }
};

function inWords(found: TaskView): string {
  const said = found.said === undefined ? [] : ["", safeText(found.said, { max: 4000 })];
  return `${[line(found), `  in ${safeText(found.order.cwd)}`, ...said].join("\n")}\n`;
}
