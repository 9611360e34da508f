import { sessionAround } from "../../../../agents/agents.ts";
import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { capitalised, safeLine } from "../../../../core/text/text.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { stateWords } from "../../../../core/words/task-words.ts";
import { appliedWords } from "../../../../core/words/work-words.ts";
import { stateColour } from "../../../terminal/state-colour.ts";
import { colourOf } from "../../../terminal/terminal.ts";
import { defineCommand, type Entry } from "../../command-line/define.ts";
import { jsonLine } from "../../json.ts";
import type { Context } from "../../context.ts";
import { proven } from "../../answering/settle-ask.ts";

const body = { surface: "cli" };
const REMOVE = "Forget it, when it is over: its logs, and its worktree and branch where nothing would be lost.";
const APPLY =
  "Brings what a task did in its worktree into the checkout it was started in: its commits as commits, forward or as one merge, the rest as uncommitted changes. Refused, with nothing changed, where it would conflict or touch a file that you have changed. It can be done again.";

const feedbackCommand = defineCommand({
  usage: ["<id> <words…> [options]", "<id> - [options] < words.txt"],
  about: "Your own words for a waiting task: it continues with them. With - they are read from standard input.",
  positionals: { id: { of: "task" }, words: { optional: true, repeatable: true } },
  needs: needs("feedback"),
  run: ({ id, words, json }, context) => feedback(id, words, context, json),
});

export const command = defineCommand({
  usage: ["<command> <id> [options]"],
  about: "One task, by its id or its name. Both may be shortened as long as they are unique.",
  subcommands: [
    {
      name: "show",
      summary: "what it does, waits for, changed and said; its history",
      load: () => import("./task-show.ts"),
    },
    { name: "logs", summary: "what its agent said and did; -f until it ends", load: () => import("./task-logs.ts") },
    { name: "answer", summary: "answer what it asks, as with parley answer", load: () => import("./task-answer.ts") },
    {
      name: "feedback",
      summary: "your own words for a waiting task",
      load: async () => ({ command: feedbackCommand }),
    },
    each("retry", "start it again from the beginning", (id, json, context) => act("taskRetry", id, json, context)),
    each("cancel", "stop it and everything it started", (id, json, context) => act("taskCancel", id, json, context)),
    each("done", "mark it done", (id, json, context) => act("taskDone", id, json, context)),
    { name: "diff", summary: "what it changed in its worktree", load: () => import("./task-diff.ts") },
    each("apply", "bring its work into your checkout", apply, APPLY),
    { name: "discard", summary: "throw away its worktree and branch", load: () => import("./task-discard.ts") },
    each("rm", "forget it once it has ended", remove, REMOVE),
  ],
  needs: "Say what to do: parley task show <id>",
  notes: "retry, cancel, done, apply, discard and rm take several ids.",
});

type Act = (id: string, json: boolean, context: Context) => Promise<void>;

/** A subcommand that does the same to every task that is named. */
function each(name: string, summary: string, doTo: Act, about = `${capitalised(summary)}.`): Entry {
  const made = defineCommand({
    about,
    positionals: { id: { repeatable: true, of: "task" } },
    needs: needs(name),
    async run({ id: ids, json }, context) {
      for (const id of ids) await doTo(id, json, context);
      return 0;
    },
  });
  return { name, summary, load: async () => ({ command: made }) };
}

function needs(action: string): string {
  return `Which one? parley task ${action} <id>; see: parley tasks`;
}

async function act(
  call: "taskRetry" | "taskCancel" | "taskDone",
  id: string,
  json: boolean,
  context: Context,
): Promise<void> {
  tell(await context.client.call(call, { id, body }), context, json);
}

async function feedback(id: string, words: string[], context: Context, json: boolean): Promise<number> {
  const { client, terminal } = context;
  const fromInput = words[0] === "-" || (words.length === 0 && !terminal.ask);
  const message = (fromInput ? await Bun.stdin.text() : words.join(" ")).trim();
  if (message === "") throw new ParleyError("usage", `Say what to tell it: parley task feedback ${id} "…"`);
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

async function apply(id: string, json: boolean, { client, terminal }: Context): Promise<void> {
  const task = await client.call("taskApply", { id, body });
  if (json || !task.applied) return terminal.out(jsonLine(task));
  const name = safeLine(task.order.name, { max: 80 });
  terminal.out(`${terminal.style.green("✓")} ${name}: ${appliedWords(task.applied)}\n`);
}

async function remove(id: string, json: boolean, { client, terminal }: Context): Promise<void> {
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
