import { parseArgs } from "node:util";
import { sessionAround } from "../../../agents/agents.ts";
import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { TaskView } from "../../../protocol/task.ts";
import { jsonLine } from "../json.ts";
import type { Command, Context } from "../run.ts";
import { proven } from "../settle-ask.ts";
import { stateWords } from "../../../core/words/task-words.ts";
import { stateColour } from "../../terminal/state-colour.ts";
import { colourOf } from "../../terminal/terminal.ts";

const HELP = `Usage: parley task <action> <id> [options]

  show <id>              what it does, waits for, changed and said; its history
  logs <id> [-f]         what its agent said and did; -f until it is over
  answer <id> 2          answer what it asks, as with parley answer
  feedback <id> TEXT     own words for a task that waits; - reads standard input
  retry <id>             start it again from the beginning
  cancel <id>            stop it and everything it started
  done <id>              call it done
  rm <id>                forget it, when it is over: its logs, and its worktree
                         and branch where nothing would be lost

An id may be shortened as long as it is unique; a name does as well. retry,
cancel, done and rm take several. --json works everywhere.
`;
/** These have options and a help of their own. */
const OWN: Record<string, () => Promise<Command>> = {
  show: async () => (await import("./task-show.ts")).taskShow,
  logs: async () => (await import("./task-logs.ts")).taskLogs,
  answer: async () => (await import("./task-answer.ts")).taskAnswer,
};
const CALLS = { retry: "taskRetry", cancel: "taskCancel", done: "taskDone" } as const;

export const task: Command = async (args, context) => {
  const [action = "", ...rest] = args;
  const own = Object.hasOwn(OWN, action) ? OWN[action] : undefined;
  if (own) return (await own())(rest, context);
  const { terminal } = context;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help || action === "help") return (terminal.out(HELP), 0);
  const [, ...ids] = positionals;
  const act = actionNamed(action, context, values.json ?? false);
  if (ids.length === 0) throw new ParleyError("usage", `Which one? parley task ${action} <id>; see: parley tasks`);
  return act(ids);
};

function actionNamed(action: string, context: Context, json: boolean): (ids: string[]) => Promise<number> {
  const { client } = context;
  const body = { surface: "cli" };
  if (action === "feedback") return ([id = "", ...words]) => feedback(id, words, context, json);
  if (action === "rm") return each((id) => remove(id, context, json));
  if (Object.hasOwn(CALLS, action))
    return each(async (id) =>
      tell(await client.call(CALLS[action as keyof typeof CALLS], { id, body }), context, json),
    );
  if (action === "") throw new ParleyError("usage", "What shall happen, to which task? See: parley task --help");
  throw new ParleyError("usage", `There is no "task ${safeLine(action, { max: 40 })}". See: parley task --help`);
}

const each = (act: (id: string) => Promise<void>) => async (ids: string[]) => {
  for (const id of ids) await act(id);
  return 0;
};

async function feedback(id: string, words: string[], context: Context, json: boolean): Promise<number> {
  const { client, terminal } = context;
  const fromInput = words[0] === "-" || (words.length === 0 && !terminal.ask);
  const message = (fromInput ? await Bun.stdin.text() : words.join(" ")).trim();
  if (message === "") throw new ParleyError("usage", `What shall it be told? parley task feedback ${id} "…"`);
  const session = sessionAround(terminal.env);
  const body = { message, surface: "cli", ...(session !== undefined && { session }) };
  const { id: task, asks } = await client.call("getTask", { id });
  const send = () => client.call("taskFeedback", { id: task, body });
  if (asks[0] === undefined) return (tell(await send(), context, json), 0);
  const ask = await client.call("getAsk", { id: asks[0] });
  const settled = await proven(ask, client, async () => (await send(), client.call("getAsk", { id: ask.id })));
  const result = safeLine(settled.sentence, { max: 500 });
  if (json) terminal.out(jsonLine({ ...(await client.call("getTask", { id: task })), result }));
  else terminal.out(`${colourOf(result, terminal.style)(result)}\n`);
  return settled.code;
}

async function remove(id: string, { client, terminal }: Context, json: boolean): Promise<void> {
  const removed = await client.call("taskRemove", { id });
  if (json) return terminal.out(jsonLine(removed));
  terminal.out(`${shortId(removed.id)}  removed  ${safeLine(removed.name, { max: 80 })}\n`);
  for (const kept of removed.kept) terminal.out(`  kept ${safeLine(kept, { max: 500 })}\n`);
}

function tell(found: TaskView, { terminal: { out, style } }: Context, json: boolean): void {
  if (json) return out(jsonLine(found));
  out(
    `${style.bold(shortId(found.id))}  ${stateColour(found, style)(stateWords(found))}  ${safeLine(found.order.name, { max: 80 })}\n`,
  );
}
