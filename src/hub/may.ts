import { asksSecret } from "../core/ask/field.ts";
import { ParleyError } from "../core/error.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubActor } from "../store/hub-records.ts";

/** Whoever answers says what they think; all else lets an agent do something. */
const FOR_ANSWERERS: ReadonlySet<string> = new Set(["question", "elicitation"]);

/** May this member answer what is of this kind and project? */
export function mayAnswer(
  { role, project }: Pick<HubActor, "role" | "project">,
  ask: Pick<AskView, "kind" | "origin">,
): boolean {
  if (project !== null && project !== ask.origin.project) return false;
  if (role === "admin" || role === "approver") return true;
  return role === "answerer" && FOR_ANSWERERS.has(ask.kind);
}

/** Contract: throws what a person is told when an answer cannot go through a hub. */
export function refuseSecret(ask: AskView): void {
  if (!asksSecret(ask)) return;
  throw new ParleyError("not_answerable", "It asks for a secret, which a hub does not carry: answer it on its machine");
}
