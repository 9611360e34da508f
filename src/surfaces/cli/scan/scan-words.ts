import type { ScannedAsk } from "../../../agents/scan.ts";
import { describeAnswer, isUnread } from "../../../core/words/outcome/describe-answer.ts";
import { headerOf } from "../../../core/ask/header.ts";
import type { Question } from "../../../core/ask/question.ts";
import { safeLine } from "../../../core/text/text.ts";
import { hang } from "../../terminal/columns.ts";
import { jsonLine } from "../json.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { clock } from "../../../core/words/time.ts";

type Print = (ask: ScannedAsk, file: string) => void;
const LONGEST = 400;

/** `named`: the file stands above what was found in it. */
export function printWords({ out, style, width }: Terminal, named: boolean): Print {
  let last: string | undefined;
  return ({ questions, outcome, at }, file) => {
    if (named && file !== last) out(`${last === undefined ? "" : "\n"}${style.bold(safeLine(file))}\n`);
    last = file;
    const time = at === undefined ? "" : `${clock(at)}  `;
    for (const [i, question] of questions.entries()) {
      const lead = i === 0 ? style.dim(time) : " ".repeat(time.length);
      const text = `[${safeLine(headerOf(question), { max: 40 })}] ${safeLine(question.text, { max: LONGEST })}`;
      out(`${hang(`${lead}? `, text, width).join("\n")}\n`);
      const answer = outcome?.answers?.[i];
      const ended = answer ? describeAnswer(question, answer) || "nothing" : endOf(outcome);
      const paint = answer && !isUnread(answer) ? style.green : style.yellow;
      const indent = " ".repeat(time.length);
      out(`${hang(`${indent}  → `, safeLine(ended, { max: LONGEST }), width, paint).join("\n")}\n`);
    }
  };
}

const ENDS: Record<string, string> = {
  chat: "chat about this",
  "agent-exited": "the agent was gone",
  "moved-on": "the agent continued without an answer",
};

function endOf(outcome: ScannedAsk["outcome"]): string {
  if (!outcome) return "no answer in this record";
  const { type, reason } = outcome;
  return [ENDS[type] ?? type, ...(reason ? [ENDS[reason] ?? reason] : [])].join(": ");
}

/** In the agent's own field names, so that it can be compared with what the agent sent. */
export function printJson({ out }: Terminal): Print {
  return ({ key, questions, at, outcome, text }, file) =>
    out(
      jsonLine({
        file,
        tool_use_id: key,
        ...(at !== undefined && { at: new Date(at).toISOString() }),
        questions: questions.map(inAgentsWords),
        outcome: outcome?.type ?? null,
        ...(outcome?.answers && { answers: outcome.answers }),
        ...(outcome?.reason !== undefined && { reason: outcome.reason }),
        ...(text !== undefined && { received: text }),
      }),
    );
}

const inAgentsWords = ({ text, header, options, multiSelect }: Question) => ({
  question: text,
  header,
  options: options.map(({ label, description, preview }) => ({
    label,
    description,
    ...(preview !== undefined && { preview }),
  })),
  multiSelect,
});
