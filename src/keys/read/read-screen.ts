import type { Layout } from "../../agents/capability/screen-layout.ts";
import type { Question } from "../../core/ask/question.ts";
import { readList } from "./read-list.ts";
import { readPrompt } from "./read-prompt.ts";
import { readQuestion } from "./read-question.ts";
import { readReview } from "./read-review.ts";
import type { Screen } from "../screen.ts";

/** Contract: pure; what it does not know line by line is unknown. `questions`: those that may stand there. */
export function readScreen(text: string, layout: Layout, questions?: readonly Question[]): Screen {
  if ("read" in layout) return layout.read(text, questions);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
  if ("leave" in layout) return readList(lines, layout);
  return (
    readReview(lines, layout) ??
    readQuestion(lines, layout) ??
    readPrompt(lines, layout) ?? {
      type: "unknown",
      why: "There is no dialog on the screen that Parley knows",
      remains: lines.some((line) => layout.chat.test(line) || line === layout.review.ready),
    }
  );
}
