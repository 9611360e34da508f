import { useState } from "preact/hooks";
import { safeLine } from "../../../../core/text/text.ts";
import type { HubRules } from "../../../../protocol/hub/hub-rules.ts";
import { RuleForm, type RuleProps } from "./rule-form.tsx";

type Group = HubRules["groups"][number];

/** People whom questions go to together. */
export function GroupForm({ people, change, isOld, close, group }: RuleProps & { group?: Group | undefined }) {
  const [name, setName] = useState(group?.name ?? "");
  const [members, setMembers] = useState<readonly string[]>(group?.members ?? []);
  const ids = new Map(people.map((person) => [person.name, person.id]));
  const tick = (who: string) =>
    setMembers((before) => (before.includes(who) ? before.filter((each) => each !== who) : [...before, who]));
  return (
    <RuleForm
      title={group ? `Group ${safeLine(group.name, { max: 80 })}` : "New group"}
      save={() => change({ change: "set-group", name, members: members.map((each) => ids.get(each) ?? each) })}
      remove={group && (() => change({ change: "remove-group", name: group.name }))}
      after="Routes that name it go to nobody there."
      isOld={isOld}
      close={close}
    >
      {!group && (
        <label>
          Name
          <input
            required
            maxLength={80}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
      )}
      <fieldset>
        <legend>Who is in it</legend>
        {people.map((person) => (
          <label class="check" key={person.id}>
            <input type="checkbox" checked={members.includes(person.name)} onChange={() => tick(person.name)} />
            {safeLine(person.name, { max: 80 })}
          </label>
        ))}
      </fieldset>
    </RuleForm>
  );
}
