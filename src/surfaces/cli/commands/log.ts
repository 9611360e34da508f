import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import type { AskEvent, LogEvent } from "../../../core/ask/event.ts";
import { shortId } from "../../../core/id.ts";
import type { Question } from "../../../core/ask/question.ts";
import { safeLine } from "../../../core/text/text.ts";
import { fit } from "../../terminal/columns.ts";
import { countIn } from "../../terminal/counting.ts";
import { findAsk } from "../find-ask.ts";
import { jsonLine } from "../json.ts";
import type { Command, Context } from "../run.ts";
import type { TaskEvent } from "../../../core/task/task.ts";
import { describeEvent } from "../../terminal/timeline.ts";
import { taskEventWords } from "../../../core/words/task-event-words.ts";
import { clock } from "../../../core/words/time.ts";

const HELP = `Usage: parley log [id] [-n N] [-f] [--json]

What happened, oldest first: the newest 50 events, or those of one question.

  -n N       so many events (at most 1000)
  -f         go on as things happen; end with Ctrl-C
  --json     one JSON object a line
`;

export const log: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      number: { type: "string", short: "n", default: "50" },
      follow: { type: "boolean", short: "f" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { terminal, client } = context;
  if (values.help) return (terminal.out(HELP), 0);
  if (positionals.length > 1) throw new ParleyError("usage", "At most one id: parley log [id]");
  const ending = new AbortController();
  if (values.follow) process.on("SIGINT", () => ending.abort());
  const ask = positionals[0] === undefined ? undefined : (await findAsk(client, positionals[0])).id;
  const { events } = await client.call("readLog", {
    query: { tail: "true", limit: countIn("-n", values.number, [1, 1000]), ...(ask !== undefined && { ask }) },
  });
  const print = printer(context, values.json ?? false);
  for (const event of events) await print(event);
  if (!values.follow) return 0;
  for await (const event of client.events(events.at(-1)?.seq ?? 0, ending.signal)) {
    if (ask === undefined || event.ask === ask) await print(event);
  }
  return 0;
};

function printer({ terminal, client }: Context, json: boolean): (event: LogEvent) => Promise<void> {
  const known = new Map<string, readonly Question[]>();
  const { dim, bold } = terminal.style;
  return async (event) => {
    if (json) return terminal.out(jsonLine(event));
    const subject = shortId(safeLine(event.ask ?? event.task ?? event.session ?? "", { max: 40 })).padEnd(6);
    const words = fit(await wordsOf(event), terminal.width - 29);
    terminal.out(`${dim(clock(event.at))}  ${event.ask === undefined ? dim(subject) : bold(subject)}  ${words}\n`);
  };

  async function wordsOf(event: LogEvent): Promise<string> {
    if (event.ask === undefined)
      return event.task === undefined ? sessionWords(event) : `task ${taskEventWords(event.data as TaskEvent)}`;
    const questions = await questionsOf(event.ask);
    const first = event.type === "ask.captured" ? `: ${safeLine(questions[0]?.text ?? "", { max: 120 })}` : "";
    return `${describeEvent(event.data as AskEvent, questions)}${first}`;
  }

  async function questionsOf(ask: string): Promise<readonly Question[]> {
    const questions =
      known.get(ask) ?? (await client.call("getAsk", { id: ask }).catch(() => undefined))?.questions ?? [];
    known.set(ask, questions);
    return questions;
  }
}

function sessionWords({ type, data }: LogEvent): string {
  const reason = typeof data["reason"] === "string" ? `: ${safeLine(data["reason"], { max: 80 })}` : "";
  return `${safeLine(type, { max: 80 }).replace(".", " ")}${reason}`;
}
