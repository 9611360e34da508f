import { useState } from "preact/hooks";
import { needWords, policyAboutWords } from "../../../../core/words/hub-words.ts";
import type { HubRules } from "../../../../protocol/hub/hub-rules.ts";
import { About, chosenOf, RuleForm, type RuleProps } from "./rule-form.tsx";

type Policy = HubRules["policies"][number];
const NEEDS = [
  { two: true, signed: false },
  { two: false, signed: true },
  { two: true, signed: true },
];

/** What answers need. */
export function PolicyForm({
  rules,
  projects,
  change,
  isOld,
  close,
  policy,
}: RuleProps & { policy?: Policy | undefined }) {
  const [of, setOf] = useState({ project: policy?.project ?? "", kind: policy?.kind ?? "" });
  const [stake, setStake] = useState(policy?.stake ?? "");
  const [needs, setNeeds] = useState({ two: policy?.two ?? true, signed: policy?.signed ?? false });
  const isSame = (each: typeof needs) => each.two === needs.two && each.signed === needs.signed;
  return (
    <RuleForm
      title={policy ? "Change a policy" : "New policy"}
      save={() =>
        change({
          change: "set-policy",
          ...needs,
          ...chosenOf(of),
          ...(stake !== "" && { stake }),
          ...(policy && { instead: policy.id }),
        })
      }
      remove={policy && (() => change({ change: "remove-policy", id: policy.id }))}
      after="Machines that know it demand it until somebody there accepts: parley join --accept"
      isOld={isOld}
      close={close}
    >
      {policy && (
        <p class="about">
          Now {needWords(policy)}: {policyAboutWords(policy)}
        </p>
      )}
      <fieldset>
        <legend>An answer, or a task, needs</legend>
        {NEEDS.map((each) => (
          <label class="check" key={needWords(each)}>
            <input type="radio" name="needs" checked={isSame(each)} onChange={() => setNeeds(each)} />
            {needWords(each)}
          </label>
        ))}
      </fieldset>
      <About of={of} setOf={setOf} kinds={rules.policyKinds} projects={projects} />
      <label>
        Where this is at stake
        <select value={stake} onChange={(event) => setStake(event.currentTarget.value)}>
          <option value="">whatever is</option>
          {rules.stakes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    </RuleForm>
  );
}
