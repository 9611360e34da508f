import { duration } from "../../../../core/words/time.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import { shortId } from "../../../../core/id.ts";
import { hang } from "../../../terminal/columns.ts";
import { whyWords } from "../../why-words.ts";
import { gather } from "../../evidence.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

const LONGEST_LINE = 4000;

export const command = defineCommand({
  about:
    "How a question was settled, in five sentences. With --raw the evidence: what the agent sent, what its hook printed back, what the agent's own record says, and how long each step took.",
  options: { raw: { description: "the evidence itself instead of sentences" } },
  positionals: { id: { of: "ask" } },
  needs: "Give one id: parley why <id>",
  async run({ id, raw, json }, context) {
    const { out, style, width } = context.terminal;
    const evidence = await gather(id, context);
    if (json) return (out(jsonLine(evidence)), 0);
    const { ask, payload, outputs, record, timings, events } = evidence;
    if (!raw) {
      const told = whyWords(ask, events, Date.now()).flatMap((words) => hang("", words, width));
      const hint = style.dim(`The evidence: parley why ${shortId(ask.id)} --raw`);
      return (out(`${[...told, hint].join("\n")}\n`), 0);
    }
    const part = (title: string, lines: string[]) => [
      style.bold(title),
      ...(lines.length > 0 ? lines : [style.dim("  (nothing)")]),
      "",
    ];
    const pretty = (value: unknown) =>
      value === undefined
        ? []
        : safeText(JSON.stringify(value, null, 2), { max: 20_000 })
            .split("\n")
            .map((line) => `  ${line}`);
    const lines = [
      safeLine(ask.sentence, { max: 500 }),
      "",
      ...part("The agent sent", pretty(payload)),
      ...part("Its hook printed back", outputs.flatMap(pretty)),
      ...part(
        "The agent's own record",
        record.map((line) => `  ${safeLine(line, { max: LONGEST_LINE })}`),
      ),
      ...part(
        "How long each step took",
        timings.map(({ step, ms }) => `  ${duration(ms).padStart(7)}  ${step}`),
      ),
    ];
    out(lines.join("\n"));
    return 0;
  },
});
