import { decodeChoice } from "../../core/receipt/compare.ts";
import type { Question } from "../../core/ask/question.ts";
import { asRecord } from "../../core/record.ts";
import { truncate } from "../../core/text/text.ts";
import type { Decider, Received, ReceivedChoice } from "../../core/receipt/received.ts";

/** The tool's structured result, in PostToolUse (`tool_response`) and in the transcript (`toolUseResult`). */
export type ToolResult = {
  answers: Record<string, unknown>;
  notes: ReadonlyMap<string, string>;
  afkTimeoutMs: number | undefined;
};

/** Undefined when a field of it is of another kind. By hand: see `question-input.ts`. */
export function toolResultOf(value: unknown): ToolResult | undefined {
  const { answers, annotations, afkTimeoutMs } = asRecord(value) ?? {};
  const given = asRecord(answers);
  const notes = notesIn(annotations);
  const isTime = afkTimeoutMs === undefined || Number.isFinite(afkTimeoutMs);
  if (!given || !notes || !isTime) return undefined;
  const own = Object.entries(given).filter(isField);
  return { answers: Object.fromEntries(own), notes, afkTimeoutMs: afkTimeoutMs as number | undefined };
}

function notesIn(annotations: unknown): Map<string, string> | undefined {
  const found = new Map<string, string>();
  if (annotations === undefined) return found;
  const all = asRecord(annotations);
  for (const [question, annotation] of Object.entries(all ?? {}).filter(isField)) {
    const { notes } = asRecord(annotation) ?? { notes: null };
    if (notes !== undefined && typeof notes !== "string") return undefined;
    if (notes !== undefined) found.set(question, notes);
  }
  return all && found;
}

/** A field of that name would be another object's prototype once it is copied. */
const isField = ([name]: [string, unknown]) => name !== "__proto__";

const NOTES_ONLY = "(notes only)";

/** `text` is what the model read, where known. */
export function readResult(
  result: unknown,
  questions: readonly Question[],
  text: string,
  decidedBy?: Decider,
): Received {
  const parsed = toolResultOf(result);
  if (!parsed) return unreadOrRefused(result, questions, text, decidedBy);
  const { answers, notes, afkTimeoutMs } = parsed;
  // Also beside what was already picked: nobody has sent it.
  if (afkTimeoutMs !== undefined)
    return { type: "timed-out", text: text || `No response after ${afkTimeoutMs / 1000}s` };
  const choices = questions.map((question): ReceivedChoice | undefined => {
    const raw = answers[question.text];
    const note = told(text, notes.get(question.text));
    // A note on a previewed option makes 2.1.197 forget the option.
    if (raw === NOTES_ONLY) return { labels: [], raw, ...(note !== undefined && { note }) };
    // The structured result alone is not proof: the model reads the text.
    if (typeof raw !== "string" || !isTold(text, question, raw)) return undefined;
    return { ...decodeChoice(question, raw), raw, ...(note !== undefined && { note }) };
  });
  const isUnread = choices.some((choice) => choice === undefined);
  const known = new Set(questions.filter((_, i) => choices[i]).map((question) => question.text));
  const rest = Object.entries(answers).filter(([key]) => !known.has(key));
  const unread = isUnread ? { unread: rest.length === 0 ? "" : rawText(Object.fromEntries(rest)) } : {};
  return { type: "answers", choices, ...unread, text, ...(decidedBy && { decidedBy }) };
}

/** A result of the tool that holds no answers in a known form is not what a hook said when it refused. */
function unreadOrRefused(
  result: unknown,
  questions: readonly Question[],
  text: string,
  decidedBy: Decider | undefined,
): Received {
  const refusal = readRefusal(text);
  // Beside a text, a string is that text again.
  const isResult = typeof result === "object" ? result !== null : result !== undefined && text === "";
  if (refusal.type !== "denied" || !isResult) return refusal;
  const choices = questions.map(() => undefined);
  const unread = rawText(asRecord(result)?.["answers"] ?? result);
  return { type: "answers", choices, unread, text, ...(decidedBy && { decidedBy }) };
}

/** Contract: never throws, and bounded: it is kept with the Ask. */
const rawText = (value: unknown): string => truncate(JSON.stringify(value) ?? "", MOST_UNREAD);
const MOST_UNREAD = 2000;

/** `"<question>"="<answer>"` in both versions; another wording must at least hold the answer. */
function isTold(text: string, question: Question, raw: string): boolean {
  const place = `"${question.text}"=`;
  return text === "" || text.includes(text.includes(place) ? `${place}"${raw}"` : raw);
}

const told = (text: string, note: string | undefined) => (text === "" || text.includes(note ?? "") ? note : undefined);

/** What became of a call that somebody had to allow. A tool's own failure also reads as an error. */
export function readToolResult(text: string, isError: boolean, decidedBy?: Decider): Received {
  if (isError && OWN_RULES.test(text)) return { type: "denied", text, by: "Claude Code's own rules" };
  const refusal = isError ? readRefusal(text) : undefined;
  if (refusal && refusal.type !== "denied" && refusal.type !== "timed-out") return refusal;
  return { type: "ran", text, isError, ...(decidedBy && { decidedBy }) };
}

/** Its rules are looked at again with what a person changed: seen in 2.1.197 and 2.1.325. */
const OWN_RULES = /^Permission to use \S+ with command [\s\S]* has been denied\.$/;
const REJECTED = "The user doesn't want to proceed with this tool use.";
const CHAT = "the user said:\nThe user wants to clarify these questions.";
/** Said for calls that were not yet asked when another one of the same message was refused. */
const NOT_NOW = "The user doesn't want to take this action right now.";

/** Error results, word for word as 2.1.197 and 2.1.325 write them; any other text is what a hook said. */
function readRefusal(text: string): Received {
  if (text.startsWith(REJECTED)) return { type: "refused", by: text.includes(CHAT) ? "chat" : "escape", text };
  if (text.startsWith(NOT_NOW)) return { type: "refused", by: "escape", text };
  if (text.startsWith("No response after")) return { type: "timed-out", text };
  if (text.startsWith("[Tool call interrupted: the session ended")) return { type: "interrupted", text };
  if (/^\[Tool (result missing|call) /.test(text)) return { type: "lost", text };
  return { type: "denied", text, ...(DONT_ASK.test(text) && { by: "Claude Code's don't ask mode" }) };
}

const DONT_ASK = /^Permission to use \S+ has been denied because Claude Code is running in don't ask mode/;
