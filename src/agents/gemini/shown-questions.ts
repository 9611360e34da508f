import type { Question } from "../../core/ask/question.ts";
import { questionsOf } from "../gemini-kin/questions.ts";

/**
 * As Gemini CLI shows them: it takes `\n` that a model wrote as two characters for a line end. Its dialog's notice has them
 * so, its record as the model wrote them: both are read by this, or a question would not be found again. Seen in 0.61.0.
 */
export const shownQuestions = (input: unknown): Question[] | undefined =>
  questionsOf(input)?.map(({ options, ...question }) => ({
    ...question,
    text: shown(question.text),
    header: shown(question.header),
    options: options.map((option) => ({
      ...option,
      label: shown(option.label),
      description: shown(option.description.trim()),
    })),
  }));

const shown = (text: string): string => text.replaceAll("\\r\\n", "\n").replaceAll("\\n", "\n");
