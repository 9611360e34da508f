import { expect, test } from "bun:test";
import { canonicalQuestions } from "../../core/ask/canonical.ts";
import { shownQuestions } from "./shown-questions.ts";

test("[PT7] a question with a line end that its model wrote as two characters is the same in the dialog and the record", () => {
  const asked = (end: string) => ({
    questions: [
      {
        question: `One${end}or two?`,
        header: `H${end}`,
        type: "choice",
        options: [{ label: `A${end}B`, description: ` why${end}so ` }],
      },
    ],
  });
  const [written, shown] = [shownQuestions(asked("\\n")), shownQuestions(asked("\n"))];
  expect(written?.[0]).toMatchObject({ text: "One\nor two?", options: [{ label: "A\nB", description: "why\nso" }] });
  expect(canonicalQuestions(written ?? [])).toBe(canonicalQuestions(shown ?? []));
});
