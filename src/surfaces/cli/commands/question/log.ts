import { LOG_LEVELS } from "../../../../core/config/log-level.ts";
import { ParleyError } from "../../../../core/error.ts";
import type { AskEvent, LogEvent } from "../../../../core/ask/event.ts";
import { shortId } from "../../../../core/id.ts";
import type { Question } from "../../../../core/ask/question.ts";
import { askTitle } from "../../../../core/ask/title.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { fit } from "../../../terminal/columns.ts";
import { countIn } from "../../../terminal/counting.ts";
import { findAsk } from "../../find-ask.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import type { TaskEvent } from "../../../../core/task/task.ts";
import { describeEvent } from "../../../terminal/timeline.ts";
import { taskEventWords } from "../../../../core/words/task-event-words.ts";
import { clock } from "../../../../core/words/time.ts";

export const command = defineCommand({
  about:
    "What happened, oldest first: the newest 50 events, or those of one question. With --daemon the daemon's own log instead: its starts, ends and troubles, from its files, also while it is stopped.",
  options: {
    number: { short: "n", value: "N", default: "50", description: "how many events (50, at most 1000)" },
    follow: { short: "f", description: "keep following; stop with Ctrl-C" },
    daemon: { description: "the daemon's own log" },
    level: {
      value: "LEVEL",
      of: LOG_LEVELS,
      description: "with --daemon: only lines that are at least debug, info, warn or error",
    },
    json: { description: "one JSON object a line" },
  },
  positionals: { id: { optional: true, of: "ask" } },
  needs: "At most one id: parley log [id]",
  async run({ id, number, follow, daemon, level, json }, context) {
    if (daemon && id !== undefined)
      throw new ParleyError("usage", "--daemon is about no question: leave out the id, or --daemon");
    if (daemon)
      return (await import("./logs.ts")).daemonLog({ number, follow, level: level ?? "debug", json }, context);
    if (level !== undefined) throw new ParleyError("usage", "--level belongs to the daemon's own log: add --daemon");
    const { client } = context;
    const ending = new AbortController();
    if (follow) process.on("SIGINT", () => ending.abort());
    const ask = id === undefined ? undefined : (await findAsk(client, id)).id;
    const { events } = await client.call("readLog", {
      query: { tail: "true", limit: countIn("-n", number, [1, 1000]), ...(ask !== undefined && { ask }) },
    });
    const print = printer(context, json);
    for (const event of events) await print(event);
    if (!follow) return 0;
    for await (const event of client.events(events.at(-1)?.seq ?? 0, ending.signal)) {
      if (ask === undefined || event.ask === ask) await print(event);
    }
    return 0;
  },
});

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
    const first =
      event.type === "ask.captured" ? `: ${askTitle(event.data as AskEvent & { type: "ask.captured" })}` : "";
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
