import type { Ask } from "./ask/ask.ts";
import { projectName } from "./hub-names.ts";
import { stakesOf } from "./autopilot/stake/stakes.ts";

/** One who is asked: a member by id, or a group by name. */
export type RouteStep = { type: "member" | "group"; id: string; name: string };
/** Whom a question goes to, one after the other. Null: of any project, of any kind. `stakes`: only where something is at stake. */
export type Route = {
  project: string | null;
  kind: string | null;
  stakes: boolean;
  steps: readonly RouteStep[];
  afterMs: number;
};
export type Turn = { step: number; reminded: boolean };
type Routed = Pick<Ask, "kind" | "questions"> & { origin: Pick<Ask["origin"], "project" | "lastText"> };

export { EVERYBODY } from "./hub-names.ts";

/** What is said most exactly counts: the project before what is at stake, that before the kind. */
export const inOrder = <R extends Pick<Route, "project" | "kind" | "stakes">>(routes: readonly R[]): R[] =>
  routes.toSorted((a, b) => weight(b) - weight(a));

/** Contract: the first of those in order that is for such an Ask. */
export function routeFor(routes: readonly Route[], ask: Routed): Route | undefined {
  const meant = inOrder(routes).filter(
    ({ project, kind }) =>
      (project === null || project === projectName(ask.origin.project ?? "")) && (kind ?? ask.kind) === ask.kind,
  );
  const risks = meant.some(({ stakes }) => stakes) && stakesOf(ask).length > 0;
  return meant.find(({ stakes }) => !stakes || risks);
}

const weight = ({ project, kind, stakes }: Pick<Route, "project" | "kind" | "stakes">): number =>
  (project === null ? 0 : 4) + (stakes ? 2 : 0) + (kind === null ? 0 : 1);

/** Each is asked, then reminded, then it is the next one's. Undefined: nobody is left. */
export function nextTurn({ step, reminded }: Turn, steps: number): Turn | undefined {
  if (!reminded) return { step, reminded: true };
  return step + 1 < steps ? { step: step + 1, reminded: false } : undefined;
}
