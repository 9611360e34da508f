import { z } from "zod";
import type { Answer } from "./answer.ts";
import { ParleyError, type Problem } from "../../error.ts";
import type { Question } from "../question.ts";
import { issueWords } from "../../words/issue-words.ts";
import type { Settlement } from "../settle.ts";

/** The option's label, where given, must be the one at the index: a decider that counted wrong is refused. */
const label = z.string().optional();

/** What a decider does with one question, as it writes it; options are numbered from 0. */
export const Action = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("select"),
    optionIndex: z.number().int().min(0),
    label,
    note: z.string().optional(),
  }),
  z.strictObject({ action: z.literal("type"), text: z.string().trim().min(1) }),
  z.strictObject({
    action: z.literal("multi-select"),
    selectedIndices: z.array(z.number().int().min(0)),
    labels: z.array(z.string()).optional(),
    text: z.string().optional(),
    note: z.string().optional(),
  }),
  z.strictObject({ action: z.literal("chat"), text: z.string().trim().min(1) }),
]);
export type Action = z.infer<typeof Action>;

/** Contract: one action for each question, or a `chat` for all of them; every problem is named at once. */
export function readActions(questions: readonly Question[], given: unknown): Settlement {
  const parsed = z.array(Action).min(1).safeParse(given);
  if (!parsed.success)
    throw refused(
      parsed.error.issues.map((issue) => ({
        field: ["actions", ...issue.path.map(String)].join("."),
        message: issueWords(issue),
      })),
    );
  const actions = parsed.data;
  const chat = actions.find((each) => each.action === "chat");
  if (chat) return { action: "chat", message: chat.text };
  if (actions.length !== questions.length) {
    const [limit, actual] = [String(questions.length), String(actions.length)];
    throw refused([{ field: "actions", message: "There must be one action for each question", limit, actual }]);
  }
  const problems = questions.flatMap((question, i) => misfits(question, actions[i], `actions.${i}`));
  if (problems.length > 0) throw refused(problems);
  return { action: "answer", answers: actions.map(toAnswer) };
}

function misfits({ options, multiSelect }: Question, action: Action | undefined, field: string): Problem[] {
  if (!action) return [];
  if (action.action === "select" && multiSelect)
    return [{ field, message: "This question takes several options: use multi-select" }];
  if (action.action === "multi-select" && !multiSelect)
    return [{ field, message: "This question takes one option: use select" }];
  const picked =
    action.action === "select" ? [action.optionIndex] : "selectedIndices" in action ? action.selectedIndices : [];
  const named = action.action === "select" ? [action.label] : "labels" in action ? (action.labels ?? []) : [];
  return picked.flatMap((index, i): Problem[] => {
    const option = options[index];
    if (!option) return [{ field, message: `There is no option ${index}`, limit: `0 to ${options.length - 1}` }];
    const wanted = named[i];
    if (wanted === undefined || wanted.trim() === option.label.trim()) return [];
    return [{ field, message: `Option ${index} is "${option.label}"`, actual: wanted }];
  });
}

function toAnswer(action: Action): Answer {
  switch (action.action) {
    case "select":
      return { picks: [action.optionIndex], ...(action.note && { note: action.note }) };
    case "multi-select":
      return {
        picks: action.selectedIndices,
        ...(action.text && { text: action.text }),
        ...(action.note && { note: action.note }),
      };
    case "type":
    case "chat":
      return { picks: [], text: action.text };
  }
}

function refused(problems: readonly Problem[]): ParleyError {
  const said = problems.map(({ field, message }) => `${field}: ${message}`).join("; ");
  return new ParleyError("invalid", `These actions do not answer the question: ${said}`, { problems });
}
