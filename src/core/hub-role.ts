import type { Ask } from "./ask/ask.ts";
import { projectName } from "./hub-names.ts";

export type Grant = { role: string; project: string | null };

/** Whoever answers says what they think; all else lets an agent do something. */
const FOR_ANSWERERS: ReadonlySet<string> = new Set(["question", "elicitation"]);
const FOR_APPROVERS: ReadonlySet<string> = new Set(["approver", "admin"]);

/** Who looks after the people and what they agreed on: for all projects, or for none. */
export const isAdmin = (grants: readonly Grant[]): boolean =>
  grants.some(({ role, project }) => role === "admin" && project === null);

/** May a member with these roles answer what is of this kind and project? */
export function mayAnswer(grants: readonly Grant[], ask: Pick<Ask, "kind" | "origin">): boolean {
  return grants.some(({ role, project }) => {
    if (project !== null && project !== projectName(ask.origin.project ?? "")) return false;
    if (FOR_APPROVERS.has(role)) return true;
    return role === "answerer" && FOR_ANSWERERS.has(ask.kind);
  });
}

/** May they give work in this project? It lets an agent do something. */
export const mayGiveTask = (grants: readonly Grant[], project: string): boolean =>
  grants.some((grant) => FOR_APPROVERS.has(grant.role) && (grant.project === null || grant.project === project));
