import type { Ask } from "../core/ask/ask.ts";
import { subjectOf } from "../core/autopilot/category/subject.ts";
import { runLadder } from "../core/autopilot/ladder/ladder.ts";
import { withoutCancel } from "../core/task/task-cancel.ts";
import type { Store } from "../store/store.ts";
import { createDocumentsOf } from "./documents-of.ts";
import type { Setting } from "./setting.ts";
import { styleOf } from "./style-of.ts";
import { phasesWith } from "./workflows.ts";

/** Up the ladder as far as it leads without brains. `unread`: documents that lie there and are not read, and why. */
export function createClimb(store: Store) {
  const documentsOf = createDocumentsOf(store);

  return async (ask: Ask, { values, rules, trustsProject }: Setting, precedents: readonly Ask[]) => {
    const { documents: names, brains, brain, phases } = values;
    const { documents, steps: unread } = await documentsOf(ask, names);
    const read = subjectOf(withoutCancel(ask), { precedents, documents, phases: phasesWith(phases) });
    const subject = { ...read, followed: await styleOf(read) };
    const settings = { brains: Object.keys(brains), projectRules: trustsProject, ...(brain !== "" && { brain }) };
    return { subject, documents, unread, climbed: runLadder(subject, rules, settings) };
  };
}
