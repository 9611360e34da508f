import type { Ask } from "../../core/ask/ask.ts";
import type { Option } from "../../core/ask/question.ts";
import { stakesOf } from "../../core/autopilot/stake/stakes.ts";
import { isCancel } from "../../core/form/rows.ts";

/** What changes more than this one thing, or ends everything, is not for one press. */
export const isPressable = (option: Option | undefined): boolean =>
  option !== undefined && option.stakes !== "high" && !isCancel(option);

/** What cannot be chosen here puts nothing at stake. */
const stakesHere = (ask: Ask) =>
  stakesOf({
    ...ask,
    questions: ask.questions.map((each) => ({ ...each, options: each.options.filter(isPressable) })),
  });

/** Something is at stake in it: it takes a second step wherever it is answered. */
export const isGrave = (ask: Ask): boolean => ask.kind === "budget" || stakesHere(ask).length > 0;

/** The same, beyond the leave that it asks for: whoever wants buttons for approvals wants them for that. */
export const isGraver = (ask: Ask): boolean =>
  ask.kind === "approval" || ask.kind === "plan"
    ? stakesHere(ask).some(({ stake }) => stake !== "permission")
    : isGrave(ask);
