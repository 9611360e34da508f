import { useEffect, useState } from "preact/hooks";
import { intentOf, isAnswered } from "../../../../core/hub-ask.ts";
import { askTitle } from "../../../../core/ask/title.ts";
import { choiceWords, intentWords, machineWords } from "../../../../core/words/hub-words.ts";
import { describeOutcome } from "../../../../core/words/outcome/sentence.ts";
import { capitalised, safeLine } from "../../../../core/text/text.ts";
import { ageOf } from "../../../../core/words/time.ts";
import type { HubAskView } from "../../../../protocol/hub/hub.ts";
import { askPath } from "../route.ts";
import { useNow } from "../settings/subscribe.ts";
import { hub } from "./hub-api.ts";
import type { HubSnapshot } from "./hub-model.ts";

const SHOWN = 200;

/** Who answered what, and what became of it, newest first. */
export function Answered({ snapshot }: { snapshot: HubSnapshot }) {
  const now = useNow(1000);
  const [read, setRead] = useState<readonly HubAskView[]>();
  const [person, setPerson] = useState("all");
  useEffect(() => {
    hub.latest(SHOWN).then(
      ({ asks }) => setRead(asks),
      () => setRead((before) => before ?? []),
    );
  }, []);
  const newest = new Map((read ?? []).map((ask) => [ask.id, ask]));
  for (const [id, ask] of snapshot.asks) newest.set(id, ask);
  const done = [...newest.values()]
    .filter((ask) => isAnswered(ask) || ask.outcome)
    .toSorted((a, b) => b.createdAt - a.createdAt);
  const people = [...new Set(done.flatMap(byWhom))];
  const shown = done.filter((ask) => person === "all" || byWhom(ask).includes(person)).slice(0, SHOWN);
  return (
    <div class="page">
      <h1>Answered</h1>
      {people.length > 1 && (
        <div class="filter">
          <select aria-label="Person" value={person} onChange={(event) => setPerson(event.currentTarget.value)}>
            <option value="all">By everybody</option>
            {people.map((each) => (
              <option value={each}>{safeLine(each, { max: 40 })}</option>
            ))}
          </select>
        </div>
      )}
      <ul class="entries">
        {shown.map((ask) => (
          <li key={ask.id}>
            <a href={askPath(ask.id)}>
              <span class="top">
                <span class="text">{askTitle(ask)}</span>
                <time>{ageOf(ask.createdAt, now)}</time>
              </span>
              <span class="facts">
                {safeLine([ask.origin.project, machineWords(ask.machine, now)].filter(Boolean).join(" · "), {
                  max: 120,
                })}
              </span>
              {saidOf(ask, now).map((line) => (
                <span class="said">{safeLine(line, { max: 300 })}</span>
              ))}
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="none">{read ? "Nothing was answered yet." : "Loading …"}</p>}
    </div>
  );
}

/** Who answered, what, and what became of it. */
function saidOf(ask: HubAskView, now: number): string[] {
  const { machine, outcome, sentence, state, questions } = ask;
  const intent = intentOf(ask);
  if (!intent) return [capitalised(describeOutcome(ask, now)), ...(state === "closed" ? [] : [sentence])];
  const what = outcome ? sentence : intent.settlement && choiceWords(intent.settlement, questions);
  return [intentWords(intent, machine, now), ...(what ? [what] : [])];
}

function byWhom(ask: HubAskView): string[] {
  const intent = intentOf(ask);
  return intent ? [...(intent.with ?? []), intent.member] : [ask.outcome?.actor.name ?? "On its machine"];
}
