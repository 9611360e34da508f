import { z } from "zod";
import { isRecommended, type Question } from "../../core/ask/question.ts";

const words = z.string().catch("");
const ToolOption = z.looseObject({ label: words, description: words });
const ToolQuestion = z.looseObject({
  question: words,
  header: words,
  type: z.string().catch("choice"),
  multiSelect: z.boolean().catch(false),
  options: z.array(ToolOption).catch([]),
});
const ToolInput = z.looseObject({ questions: z.array(ToolQuestion) });

const YES_NO = [
  { label: "Yes", description: "", recommended: false },
  { label: "No", description: "", recommended: false },
];

/** Undefined when this is no input of a question tool. What the model wrote is kept as it came, never refused for style. */
export function questionsOf(input: unknown): Question[] | undefined {
  const parsed = ToolInput.safeParse(input);
  if (!parsed.success || parsed.data.questions.length === 0) return undefined;
  return parsed.data.questions.map(({ question, header, type, multiSelect, options }) => ({
    text: question,
    header,
    multiSelect: type === "choice" && multiSelect,
    options: type === "yesno" ? YES_NO : type === "text" ? [] : options.map(optionOf),
  }));
}

const optionOf = ({ label, description, ...rest }: z.infer<typeof ToolOption>) => ({
  label,
  description,
  recommended: isRecommended(label, rest["recommended"]),
});
