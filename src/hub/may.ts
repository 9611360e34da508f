import { asksSecret } from "../core/ask/answer/field.ts";
import { ParleyError } from "../core/error.ts";
import { isAdmin as isAdminWith, mayAnswer as mayAnswerWith } from "../core/hub-role.ts";
import { NO_SECRET } from "../core/words/hub-words.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubActor } from "../store/hub/records.ts";

/** May this member answer what is of this kind and project? */
export const mayAnswer = ({ grants }: Pick<HubActor, "grants">, ask: Pick<AskView, "kind" | "origin">): boolean =>
  mayAnswerWith(grants, ask);

/** What they see: the projects they have a role in; null: all. */
export const seesProjects = ({ grants }: Pick<HubActor, "grants">): string[] | null =>
  grants.some(({ project }) => project === null) ? null : grants.flatMap(({ project }) => project ?? []);

export const isAdmin = ({ grants }: Pick<HubActor, "grants">): boolean => isAdminWith(grants);

/** Contract: throws what a person is told when an answer cannot go through a hub. */
export function refuseSecret(ask: AskView): void {
  if (asksSecret(ask)) throw new ParleyError("not_answerable", NO_SECRET);
}
