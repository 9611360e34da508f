import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Question } from "../../core/ask/question.ts";
import { mannerOf } from "../../agents/capability/screen-layout.ts";
import { isGone } from "../gone.ts";
import { cursorRow, type Screen } from "../screen.ts";
import { drawnBy } from "../match.ts";
import { squeeze } from "../read/squeeze.ts";
import type { Job, Step } from "./step.ts";

export function reviewStep(screen: Screen, job: Job, place: string): Step {
  if (screen.type !== "review") return { type: "stop", place, why: "it is not on the screen" };
  if (!answersInReview(screen, job)) return { type: "stop", place, why: "it shows other answers than were meant" };
  if (cursorRow(screen.rows)?.kind !== "send")
    return { type: "stop", place, why: "somebody moved the cursor away from sending" };
  return {
    type: "press",
    place,
    key: { name: "Enter" },
    expect: (after) => isGone(after, screen) || after.type === "question",
    leads: "done",
  };
}

/** Every answer as it was meant; of a page that is cut off above, its end. */
export function answersInReview(screen: Screen, { questions, intent, layout }: Job): boolean {
  if (screen.type !== "review" || intent.type !== "answers" || "leave" in layout) return false;
  const manner = mannerOf(layout);
  const drawn = drawnBy(manner);
  const shown = drawn(screen.text);
  if (!("review" in layout)) {
    const answers = questions.map((question, i) => elementsOf(question, intent.answers[i] ?? { picks: [] }));
    return shown === drawn(questions.map((question, i) => manner?.reviewed(question, answers[i] ?? [])).join(""));
  }
  const { bullet, arrow } = layout.review;
  // An element with a comma or a quote is written as a JSON string by some versions.
  return [plain, JSON.stringify].some((write) => {
    const wanted = questions.map((question, i) => {
      const answer = intent.answers[i];
      return `${bullet}${question.text}${arrow}${answer ? inWords(question, answer, write) : ""}`;
    });
    const whole = squeeze(wanted.join(""));
    return screen.cut ? shown !== "" && whole.endsWith(shown) : whole === shown;
  });
}

const plain = (element: string) => element;

function elementsOf({ options }: Question, { picks, text }: Answer): string[] {
  const labels = picks.toSorted((a, b) => a - b).map((pick) => options[pick]?.label ?? "");
  return [...labels, ...(text === undefined ? [] : [text.trim()])];
}

function inWords(question: Question, answer: Answer, write: (element: string) => string): string {
  const elements = elementsOf(question, answer);
  if (!question.multiSelect) return elements.join(", ");
  return elements.map((element) => (/[",]/.test(element) ? write(element) : element)).join(", ");
}
