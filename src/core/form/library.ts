// What `parley-inbox/form` is to a program of somebody else's: pure, and free of the schema library, for browsers too.
export type { Answer } from "../ask/answer/answer.ts";
export { type CheckedAnswers, checkAnswers } from "../ask/answer/check-answer.ts";
export type { Option, Question } from "../ask/question.ts";
export type { Problem } from "../error.ts";
export { safeLine, safeText } from "../text/text.ts";
export { describeAnswer, describeAnswers } from "../words/outcome/describe-answer.ts";
export { prefillFor } from "../words/pilot-line.ts";
export type { FormDraft, FormEntry } from "./draft.ts";
export { isSelected } from "./entry.ts";
export { answers, draftOf, type FormAction, type FormState, isDirty, openForm, updateForm } from "./form.ts";
export { leaveField, looksSelected, pickRow, stepOn, typeOther } from "./point.ts";
export { isCancel, rowNumber, rowOrder, takesOwnWords } from "./rows.ts";
export { endingAnswers, endsAll } from "./walk.ts";
