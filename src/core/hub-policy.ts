import type { Ask } from "./ask/ask.ts";
import { projectName, TASK_KIND } from "./hub-names.ts";
import { stakesOf } from "./autopilot/stake/stakes.ts";

/** What a hub demands of whoever answers or gives work. `project`, `kind`, `stake`: of what; null: of all. */
export type Policy = {
  id: string;
  two: boolean;
  signed: boolean;
  project: string | null;
  kind: string | null;
  stake: string | null;
};
/** `two`: two members have to choose the same; `signed`: each with their passkey. */
export type Needs = { two: boolean; signed: boolean };
type Judged = Pick<Ask, "kind" | "questions" | "origin">;

/** What these demand of answers to this Ask, all together. Contract: in doubt what it risks, a stake counts as named. */
export const needsOf = (policies: readonly Policy[], ask: Judged): Needs => needsIn(policiesFor(policies, ask));

/** Which of these are about this Ask. */
export const policiesFor = (policies: readonly Policy[], ask: Judged): Policy[] =>
  policiesAbout(policies, { kind: ask.kind, project: ask.origin?.project ?? null, stakes: () => riskedBy(ask) });

export const needsIn = (policies: readonly Policy[]): Needs => ({
  two: policies.some(({ two }) => two),
  signed: policies.some(({ signed }) => signed),
});

type About = { kind: string; project: string | null; stakes: () => readonly string[] };

/** `stakes` is worked out only where a policy asks for it. */
export const demanded = (policies: readonly Policy[], about: About): Needs => needsIn(policiesAbout(policies, about));

function policiesAbout(policies: readonly Policy[], about: About): Policy[] {
  const of = policies.filter(
    ({ project, kind }) =>
      (project === null || (about.project !== null && project === projectName(about.project))) &&
      (kind === null || kind === about.kind),
  );
  let found: readonly string[] | undefined;
  const stakes = () => (found ??= about.stakes());
  return of.filter(({ stake }) => stake === null || stakes().includes(stake) || stakes().includes("unread"));
}

/** What these demand of whoever gives work. One with a stake is about an answer: what work risks is asked when it is done. */
export const taskNeedsOf = (policies: readonly Policy[], project: string): Needs =>
  demanded(
    policies.filter(({ stake }) => stake === null),
    { kind: TASK_KIND, project, stakes: () => [] },
  );

/** By their names, each once. */
export const riskedBy = (ask: Judged): string[] => [...new Set(stakesOf(ask).map(({ stake }) => stake))];

/** Are answers that this one lets pass few enough for that one too? */
export const sameDemand = (a: Policy, b: Policy): boolean =>
  a.two === b.two && a.signed === b.signed && a.project === b.project && a.kind === b.kind && a.stake === b.stake;
