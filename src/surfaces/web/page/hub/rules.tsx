import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  needWords,
  NO_POLICIES,
  NO_ROUTES,
  passedOnWords,
  policyAboutWords,
  routeAboutWords,
  stepName,
} from "../../../../core/words/hub-words.ts";
import { EVERYBODY } from "../../../../core/hub-names.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { Person } from "../../../../protocol/hub/hub-page.ts";
import type { HubRules, RuleChange, SetRoute } from "../../../../protocol/hub/hub-rules.ts";
import { hub } from "./hub-api.ts";
import type { HubSnapshot } from "./hub-model.ts";
import { GroupForm } from "./group-form.tsx";
import { PolicyForm } from "./policy-form.tsx";
import { RouteForm } from "./route-form.tsx";

type Read = { rules: HubRules | undefined; problem: string | undefined; isReading: boolean };
type Reading = Read & { change: (wish: RuleChange) => Promise<void> };
/** What is being added or changed. */
type Open =
  | { what: "route"; route?: SetRoute }
  | { what: "group"; group?: HubRules["groups"][number] }
  | { what: "policy"; policy?: HubRules["policies"][number] };

/** What the team has agreed on, read again with each `team`. Contract: `change` throws what the hub refuses, in its words. */
export function useRules(team: string | undefined): Reading {
  const [read, setRead] = useState<Read>({ rules: undefined, problem: undefined, isReading: true });
  const take = (rules: HubRules) => setRead({ rules, problem: undefined, isReading: false });
  const look = () =>
    hub.rules().then(take, (error: unknown) =>
      // What was read before stays.
      setRead(({ rules }) => ({ rules, problem: wordsOf(error), isReading: false })),
    );
  // Also what another admin, or the command on the hub's machine, has changed.
  useEffect(() => void look(), [team]);
  useEffect(() => {
    const seen = () => document.visibilityState === "visible" && void look();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
  return {
    ...read,
    async change(wish) {
      await hub
        .changeRules(wish)
        .then(take)
        .catch(async (error: unknown) => {
          // Somebody else may have changed it.
          await look();
          throw error;
        });
    },
  };
}

/** Whom questions go to and what answers need; an admin changes it. */
export function Rules({ rules, problem, change, snapshot }: Reading & { snapshot: HubSnapshot }) {
  const [open, setOpen] = useState<Open>();
  const people = snapshot.here?.people ?? [];
  const isAdmin = snapshot.here?.isAdmin === true;
  if (!rules)
    return (
      <section>
        <p class="error" role="alert">
          {problem}
        </p>
      </section>
    );
  const projects = projectsOf(snapshot, rules);
  const shared = { rules, people, projects, change, close: () => setOpen(undefined) };
  const more = (what: string, wish: Open) =>
    isAdmin ? (
      <button class="button" type="button" onClick={() => setOpen(wish)}>
        {what}
      </button>
    ) : (
      <p class="dim">An admin changes this.</p>
    );
  const row = (key: string, name: string, wish: Open, words: ComponentChildren) => (
    <li key={key}>
      <div class="rule">{words}</div>
      {isAdmin && (
        <button class="button quiet" type="button" aria-label={`Change: ${name}`} onClick={() => setOpen(wish)}>
          Change
        </button>
      )}
    </li>
  );
  return (
    <>
      <section aria-labelledby="groups">
        <h2 id="groups">Groups</h2>
        <p>People whom questions go to together. “{EVERYBODY}” is one by itself.</p>
        {rules.groups.length === 0 && <p>None yet.</p>}
        <ul class="things">
          {rules.groups.map((group) =>
            row(
              group.name,
              safeLine(group.name, { max: 80 }),
              { what: "group", group },
              <>
                <strong>{safeLine(group.name, { max: 80 })}</strong>
                <small>{group.members.map((name) => safeLine(name, { max: 80 })).join(", ") || "nobody"}</small>
              </>,
            ),
          )}
        </ul>
        {more("New group", { what: "group" })}
      </section>
      <section aria-labelledby="routes">
        <h2 id="routes">Whom questions go to</h2>
        <p>
          {rules.routes.length === 0
            ? `${NO_ROUTES} With a route the first one is told, reminded once, and then it is the next one's.`
            : "The first that is for a question counts. Whoever else may answer it still may."}
        </p>
        <ol class="things numbered">
          {rules.routes.map((route) =>
            row(
              JSON.stringify([route.project, route.kind, route.stakes]),
              routeAboutWords(route),
              { what: "route", route },
              <>
                <strong class="of">{routeAboutWords(route)}</strong>
                <small>
                  {route.to.map((step, i) => (
                    <>
                      {i > 0 && ", then "}
                      {stepName(step)}
                      {isGone(step, people, rules) && <em> (not here any more)</em>}
                    </>
                  ))}
                  ; {passedOnWords(route.afterMs)}
                </small>
              </>,
            ),
          )}
        </ol>
        {more("New route", { what: "route" })}
      </section>
      <section aria-labelledby="policies">
        <h2 id="policies">What answers need</h2>
        <p>
          {rules.policies.length === 0
            ? `${NO_POLICIES} A policy demands two people who choose the same, or a signature with a passkey; also of tasks.`
            : "All that are for a question, or for a task, count together."}
        </p>
        <ul class="things">
          {rules.policies.map((policy) =>
            row(
              policy.id,
              policyAboutWords(policy),
              { what: "policy", policy },
              <>
                <strong class="of">{policyAboutWords(policy)}</strong>
                <small>{needWords(policy)}</small>
              </>,
            ),
          )}
        </ul>
        {more("New policy", { what: "policy" })}
      </section>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {open?.what === "route" && (
        <RouteForm {...shared} isOld={!isAmong(rules.routes, open.route)} route={open.route} />
      )}
      {open?.what === "group" && (
        <GroupForm {...shared} isOld={!isAmong(rules.groups, open.group)} group={open.group} />
      )}
      {open?.what === "policy" && (
        <PolicyForm {...shared} isOld={!isAmong(rules.policies, open.policy)} policy={open.policy} />
      )}
    </>
  );
}

/** Is it still as it was when somebody began to change it? */
const isAmong = (all: readonly object[], one: object | undefined): boolean =>
  one === undefined || all.some((each) => JSON.stringify(each) === JSON.stringify(one));

const isGone = ({ type, name }: SetRoute["to"][number], people: readonly Person[], { groups }: HubRules): boolean =>
  type === "member"
    ? !people.some((person) => person.name === name)
    : name !== EVERYBODY && !groups.some((group) => group.name === name);

/** Those that something is open in, and those that something is agreed on for. */
function projectsOf({ open }: HubSnapshot, { routes, policies }: HubRules): string[] {
  const names = [
    ...open.map(({ origin }) => origin.project),
    ...[...routes, ...policies].map(({ project }) => project),
  ];
  return [...new Set(names.filter((name) => name !== undefined && name !== null))].toSorted();
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
