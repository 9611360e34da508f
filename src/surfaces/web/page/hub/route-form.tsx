import { useState } from "preact/hooks";
import { EVERYBODY } from "../../../../core/hub-names.ts";
import { routeAboutWords, stepName } from "../../../../core/words/hub-words.ts";
import { duration } from "../../../../core/words/time.ts";
import type { SetRoute } from "../../../../protocol/hub/hub-rules.ts";
import { About, chosenOf, RuleForm, type RuleProps } from "./rule-form.tsx";

const MINUTE_MS = 60_000;
const WAITS_MS = [2, 5, 10, 30, 60, 240, 1440].map((minutes) => minutes * MINUTE_MS);
const USUAL_MS = 10 * MINUTE_MS;

/** Whom a question goes to, one after the other. What a route is for does not change: for something else there is another. */
export function RouteForm({
  rules,
  people,
  projects,
  change,
  isOld,
  close,
  route,
}: RuleProps & { route?: SetRoute | undefined }) {
  const [of, setOf] = useState({ project: route?.project ?? "", kind: route?.kind ?? "" });
  const [stakes, setStakes] = useState(route?.stakes ?? false);
  const [to, setTo] = useState(() => (route?.to ?? []).map(typedAs));
  const [ms, setMs] = useState(route?.afterMs ?? USUAL_MS);
  const steps = [
    ...people.map(({ name }) => ({ type: "member", name })),
    ...[...rules.groups, { name: EVERYBODY }].map(({ name }) => ({ type: "group", name })),
  ];
  const nameOf = (typed: string) => stepName(stepAs(typed));
  const ids = new Map(people.map(({ id, name }) => [name, id]));
  const scope = route
    ? {
        ...(route.project !== null && { project: route.project }),
        ...(route.kind !== null && { kind: route.kind }),
        stakes,
      }
    : { ...chosenOf(of), stakes };
  const move = (at: number, by: number) =>
    setTo((before) => {
      const [one, other] = [before[at], before[at + by]];
      if (one === undefined || other === undefined) return before;
      return before.map((each, i) => (i === at ? other : i === at + by ? one : each));
    });
  return (
    <RuleForm
      title={route ? "Change a route" : "New route"}
      save={() => change({ change: "set-route", ...scope, ms, to: to.map((typed) => sentAs(stepAs(typed), ids)) })}
      remove={route && (() => change({ change: "remove-route", ...scope }))}
      after="What was asked already goes on."
      isOld={isOld}
      close={close}
    >
      {route ? (
        <p class="about">For {routeAboutWords(route)}</p>
      ) : (
        <>
          <About of={of} setOf={setOf} kinds={rules.kinds} projects={projects} />
          <label class="check">
            <input type="checkbox" checked={stakes} onChange={(event) => setStakes(event.currentTarget.checked)} />
            Only where something is at stake: what cannot be undone, costs or reveals
          </label>
        </>
      )}
      <fieldset>
        <legend>To whom, one after the other</legend>
        <ol class="steps-of-route">
          {to.map((typed, at) => (
            <li key={typed}>
              <span>{nameOf(typed)}</span>
              <button
                class="button quiet"
                type="button"
                disabled={at === 0}
                aria-label={`${nameOf(typed)} earlier`}
                onClick={() => move(at, -1)}
              >
                ↑
              </button>
              <button
                class="button quiet"
                type="button"
                aria-label={`Not ${nameOf(typed)}`}
                onClick={() => setTo(to.filter((each) => each !== typed))}
              >
                ×
              </button>
            </li>
          ))}
        </ol>
        <select
          aria-label={to.length === 0 ? "To whom" : "Then to whom"}
          value=""
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            // The choice is in the list above; the field is for the next.
            currentTarget.value = "";
            if (value !== "") setTo((before) => [...before.filter((each) => each !== value), value]);
          }}
        >
          <option value="">{to.length === 0 ? "Choose who is asked first …" : "Then …"}</option>
          {steps
            .map(typedAs)
            .filter((typed) => !to.includes(typed))
            .map((typed) => (
              <option key={typed} value={typed}>
                {nameOf(typed)}
              </option>
            ))}
        </select>
      </fieldset>
      <label>
        Reminded, and after as long again the next one’s
        <select value={ms} onChange={(event) => setMs(Number(event.currentTarget.value))}>
          {[ms, ...WAITS_MS.filter((each) => duration(each) !== duration(ms))]
            .toSorted((one, other) => one - other)
            .map((each) => (
              <option key={each} value={each}>
                after {duration(each)}
              </option>
            ))}
        </select>
      </label>
    </RuleForm>
  );
}

type Step = { type: string; name: string };
const typedAs = ({ type, name }: Step) => `${type}:${name}`;
const stepAs = (typed: string): Step => {
  const at = typed.indexOf(":");
  return { type: typed.slice(0, at), name: typed.slice(at + 1) };
};
/** As the command takes it, whoever else is called so. */
const sentAs = ({ type, name }: Step, ids: ReadonlyMap<string, string>) =>
  type === "group" ? `group:${name}` : (ids.get(name) ?? name);
