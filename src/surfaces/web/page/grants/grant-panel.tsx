import { useEffect, useRef, useState } from "preact/hooks";
import type { GrantOffer, GrantView } from "../../../../protocol/grant.ts";
import type { AskView } from "../../../../protocol/view.ts";
import type { BodyOf } from "../../../../protocol/contract.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { call } from "../api.ts";
import { endName, WhatItMatches } from "./what-it-matches.tsx";

type Wish = Omit<BodyOf<"giveGrant">, "dry" | "surface">;
type Props = { ask: AskView; busy: boolean; close: () => void; give: (wish: Wish) => void };
const PAUSE_MS = 150;

/** Leave for a while. Contract: what will match is shown before it can be given, and exactly that is given. */
export function GrantPanel({ ask, busy, close, give }: Props) {
  const [offer, setOffer] = useState<GrantOffer>();
  const [problem, setProblem] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    call("grantOffer", { id: ask.id }).then(setOffer, (error: unknown) => setProblem(wordsOf(error)));
  }, [ask.id]);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>("input")?.focus();
    root.current?.scrollIntoView({ block: "nearest" });
  }, [offer]);
  const refused = problem ?? offer?.refused;
  return (
    <div
      ref={root}
      class="refuse grant"
      role="group"
      aria-label="Allow for a while"
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
        // Enter in a field would send the form around it.
        else if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <strong>
        {ask.kind === "plan" ? "Accept it, and allow what it names until it is done" : "Allow for a while"}
      </strong>
      {offer && refused === undefined && <Wishes ask={ask} offer={offer} busy={busy} close={close} give={give} />}
      {refused !== undefined && (
        <p class="error" role="alert">
          This cannot be granted: {refused}
        </p>
      )}
      {(!offer || refused !== undefined) && (
        <div class="actions">
          <button class="button" type="button" onClick={close}>
            Not now
          </button>
        </div>
      )}
    </div>
  );
}

function Wishes({ ask, offer, busy, close, give }: Props & { offer: GrantOffer }) {
  const isPlan = ask.kind === "plan";
  const actions = useRef<HTMLDivElement>(null);
  const [exact] = offer.calls;
  const { proposal } = offer;
  const [end, setEnd] = useState(proposal?.for ?? offer.ends[0] ?? "30m");
  const [pattern, setPattern] = useState(exact?.pattern.text ?? "");
  const [folder, setFolder] = useState(exact?.folder ?? "");
  const [ticked, setTicked] = useState(() =>
    offer.calls.filter(({ held }) => held === undefined).map(({ pattern: { text } }) => text),
  );
  const ways = (ask.questions[0]?.options ?? []).flatMap(({ effect, label }, index) =>
    effect === "allow" ? [{ index, label }] : [],
  );
  const [pick, setPick] = useState(ways[0]?.index ?? 0);
  const [shown, setShown] = useState<{ wish: string; grants: readonly GrantView[] }>();
  const [problem, setProblem] = useState<string>();
  const wish: Wish = isPlan
    ? { for: "plan", patterns: ticked, ...(!ask.outcome && { pick }) }
    : { for: end, pattern, folder };
  const wanted = JSON.stringify(wish);
  const isShown = shown?.wish === wanted;

  useEffect(() => {
    let isOld = false;
    const look = () =>
      call("giveGrant", { id: ask.id, body: { ...wish, dry: true, surface: "web" } }).then(
        ({ grants }) => isOld || (setShown({ wish: wanted, grants }), setProblem(undefined)),
        (error: unknown) => isOld || setProblem(wordsOf(error)),
      );
    const timer = setTimeout(() => void look(), PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [wanted]);

  const isThere = shown !== undefined;
  // The button that gives it is seen together with what it gives.
  useEffect(() => actions.current?.scrollIntoView({ block: "nearest" }), [isThere]);
  const tick = (text: string) =>
    setTicked((before) => (before.includes(text) ? before.filter((each) => each !== text) : [...before, text]));
  const ends = [...new Set([...offer.ends, ...(proposal ? [proposal.for] : [])])];
  const send = () => isShown && problem === undefined && give(wish);
  return (
    <>
      {proposal && <p class="hint">{safeLine(`Proposed: ${proposal.words}`, { max: 200 })}</p>}
      {isPlan ? (
        <>
          <ul class="ticks">
            {offer.calls.map(({ title, held, pattern: { text } }) => (
              <li>
                <label class="check">
                  <input type="checkbox" checked={ticked.includes(text)} onChange={() => tick(text)} />
                  <span>
                    <code>{safeLine(title, { max: 400 })}</code>
                    {held !== undefined && <small class="held">{safeLine(held, { max: 200 })}</small>}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          {!ask.outcome && ways.length > 1 && (
            <Choice name="How" value={String(pick)} set={(value) => setPick(Number(value))}>
              {ways.map(({ index, label }) => [String(index), safeLine(label, { max: 60 })])}
            </Choice>
          )}
        </>
      ) : (
        <>
          <Choice name="For" value={end} set={setEnd}>
            {ends.map((each) => [each, endName(each)])}
          </Choice>
          <Field name="Pattern" value={pattern} set={setPattern} send={send} />
          {exact?.pattern.type !== "fetch" && <Field name="Folder" value={folder} set={setFolder} send={send} />}
        </>
      )}
      {problem === undefined && shown && <WhatItMatches grants={shown.grants} />}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <div ref={actions} class="actions">
        <button
          class="button primary"
          type="button"
          disabled={busy || !isShown || problem !== undefined}
          onClick={send}
        >
          {ask.outcome ? "Give it" : isPlan ? "Accept and give it" : "Approve and give it"}
        </button>
        <button class="button" type="button" onClick={close}>
          Not now
        </button>
      </div>
    </>
  );
}

type ChoiceProps = { name: string; value: string; set: (value: string) => void; children: [string, string][] };
function Choice({ name, value, set, children }: ChoiceProps) {
  return (
    <div class="segments" role="radiogroup" aria-label={name}>
      {children.map(([each, words]) => (
        <label>
          <input type="radio" name={name} checked={each === value} onChange={() => set(each)} />
          {words}
        </label>
      ))}
    </div>
  );
}

type FieldProps = { name: string; value: string; set: (value: string) => void; send?: () => unknown };
/** Enter sends it, once what it matches is shown. */
export function Field({ name, value, set, send }: FieldProps) {
  return (
    <label class="field">
      {name}
      <input
        type="text"
        value={value}
        spellcheck={false}
        maxLength={2000}
        onInput={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          send?.();
        }}
      />
    </label>
  );
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
