import { AskEvent, type LogEvent } from "../../../../core/ask/event.ts";
import { TOLD_IN_SHORT } from "../../../../core/ask/event-lists.ts";
import { shortId } from "../../../../core/id.ts";
import { proposalWords } from "../../../../core/words/pilot-line.ts";
import { askTitles } from "../../../../core/ask/title.ts";
import { safeLine, truncate } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { stepLines } from "./autopilot-test.ts";
import { hang } from "../../../terminal/columns.ts";
import { findAsk } from "../../find-ask.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import { colourOf, type Terminal } from "../../../terminal/terminal.ts";
import { describeEvent } from "../../../terminal/timeline.ts";
import { clock } from "../../../../core/words/time.ts";

export const command = defineCommand({
  about:
    "What the autopilot did with a question: every step of the ladder with its reason, what was proposed by whom, and how it ended.",
  positionals: { id: { of: "ask" } },
  needs: "Give one id: parley explain <id>",
  async run({ id, json }, { terminal, client }) {
    const ask = await findAsk(client, id);
    const { events } = await client.call("readLog", { query: { ask: ask.id, limit: 1000 } });
    const steps = events.filter(({ type }) => type === "ask.autopilot");
    if (json) return (terminal.out(jsonLine({ ask: ask.id, autopilot: ask.autopilot, events: steps })), 0);
    const lines = [
      ...hang(
        `${terminal.style.bold(shortId(ask.id))}  `,
        safeLine(ask.sentence, { max: 500 }),
        terminal.width,
        colourOf(ask.sentence, terminal.style),
      ),
      "",
      ...hang("", truncate(askTitles(ask), 400), terminal.width),
      "",
      ...(steps.length === 0
        ? [`The autopilot had no part in this. What it would do now: parley autopilot test ${shortId(ask.id)}`]
        : events.flatMap((event) => eventLines(event, ask, terminal))),
    ];
    terminal.out(`${lines.join("\n")}\n`);
    return 0;
  },
});

function eventLines(event: LogEvent, ask: AskView, terminal: Terminal): string[] {
  const isPilot = event.type === "ask.autopilot";
  if (!isPilot && !TOLD_IN_SHORT.has(event.type)) return [];
  const head = hang(
    `${terminal.style.dim(clock(event.at).slice(11))}  `,
    describeEvent(event.data as AskEvent, ask.questions),
    terminal.width,
  );
  const parsed = isPilot ? AskEvent.safeParse(event.data) : undefined;
  if (!parsed?.success || parsed.data.type !== "ask.autopilot") return head;
  const { steps, proposal } = parsed.data;
  return [
    ...head,
    ...stepLines(steps, terminal),
    ...(proposal ? hang("  = ", proposalWords(proposal, ask), terminal.width) : []),
  ];
}
