import { shortId } from "../core/id.ts";
import type { Subject } from "../core/autopilot/category/subject.ts";
import type { Precedent } from "../core/autopilot/verdict/check-verdict.ts";
import { describeAnswers, isUnread } from "../core/words/outcome/describe-answer.ts";

const MOST = 5;

/** What the person answered to the same question before, newest first, as a brain may rest on it. */
export function precedentsFor({ precedents }: Pick<Subject, "precedents">): Precedent[] {
  return precedents
    .flatMap(({ id, questions, outcome }) => {
      const answers = outcome?.actor.type === "person" ? outcome.answers : undefined;
      if (!answers || answers.some(isUnread)) return [];
      const asked = questions.map(({ text }) => text).join(" / ");
      return [{ id: shortId(id), asked, answered: describeAnswers(questions, answers) }];
    })
    .slice(0, MOST);
}
