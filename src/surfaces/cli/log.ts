import { parseArgs } from "node:util";
import { ParleyError } from "../../core/error.ts";
import type { LogEvent } from "../../core/event.ts";
import { shortId } from "../../core/id.ts";
import type { Question } from "../../core/question.ts";
import { safeLine } from "../../core/text.ts";
import type { Command, Context } from "./run.ts";
import { clock, describeEvent } from "./timeline.ts";

const HELP = `Usage: parley log [id] [-n N] [-f] [--json]

What happened, oldest first: the newest 50 events, or those of one question.

  -n N       so many events
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
  const ask = positionals[0] === undefined ? undefined : (await client.call("getAsk", { id: positionals[0] })).id;
  const { events } = await client.call("readLog", {
    query: { tail: "true", limit: values.number, ...(ask !== undefined && { ask }) },
  });
  const print = printer(context, values.json ?? false);
  for (const event of events) await print(event);
  if (!values.follow) return 0;
  const ending = new AbortController();
  process.on("SIGINT", () => ending.abort());
  for await (const event of client.events(events.at(-1)?.seq ?? 0, ending.signal)) {
    if (ask === undefined || event.ask === ask) await print(event);
  }
  return 0;
};

function printer({ terminal, client }: Context, json: boolean): (event: LogEvent) => Promise<void> {
  const known = new Map<string, readonly Question[]>();
  const { dim, bold } = terminal.style;
  return async (event) => {
    if (json) return terminal.out(`${JSON.stringify(event)}\n`);
    const questions = event.ask === undefined ? [] : await questionsOf(event.ask);
    const subject =
      event.ask === undefined ? `session ${safeLine(event.session ?? "").slice(0, 8)}` : bold(shortId(event.ask));
    const words = event.ask === undefined ? event.type.replace("session.", "") : describeEvent(event, questions);
    const first = event.type === "ask.captured" ? `: ${safeLine(questions[0]?.text ?? "", { max: 120 })}` : "";
    terminal.out(`${dim(clock(event.at))}  ${subject}  ${words}${first}\n`);
  };

  async function questionsOf(ask: string): Promise<readonly Question[]> {
    const questions =
      known.get(ask) ?? (await client.call("getAsk", { id: ask }).catch(() => undefined))?.questions ?? [];
    known.set(ask, questions);
    return questions;
  }
}
