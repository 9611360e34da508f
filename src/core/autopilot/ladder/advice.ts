import type { Category } from "../category/category-name.ts";
import type { Phase } from "../rule/phase.ts";

/** How a question of each kind is answered, told to a brain and shown to a person. */
export const CATEGORY_ADVICE: Record<Category, string> = {
  confirmation: "Take the affirmative option unless the documents speak against it.",
  "style-preference": "Follow the convention of the codebase and its documents.",
  "scope-selection": "Select everything relevant; add a note when the context asks for more than the options offer.",
  "architecture-decision":
    "Check every option against the documents and take the one that fits the direction they set.",
  "open-floor": "Take an option if it says what is wanted; otherwise type it.",
  delegation: "Take what the documents or earlier answers speak for; handing the choice back is no default.",
  unclassifiable: "Type a reasoned answer; never take an option because it stands first.",
};

export const PHASE_ADVICE: Record<Phase, string> = {
  discuss: "Decisions are made in this phase: reason in full, and say why.",
  plan: "The decisions are made: confirm and let it proceed.",
  execute:
    "The plan is made: confirm and let it proceed. A real design question now means that planning missed it: answer it and say so.",
  verify: "Report pass or fail honestly, with what was seen; never confirm what was not looked at.",
};
