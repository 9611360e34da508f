import { useEffect, useState } from "preact/hooks";
import { agoWords } from "../../../../core/words/time.ts";
import { machineWords } from "../../../../core/words/hub-words.ts";
import { tokenOwner, tokenScope, tokenTime } from "../../../../core/words/token-words.ts";
import type { HubToken } from "../../../../core/hub-token.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { Person } from "../../../../protocol/hub/hub-page.ts";
import type { PushState } from "../settings/push.ts";
import { PushSettings } from "../settings/push-settings.tsx";
import { useNow } from "../settings/subscribe.ts";
import { hub } from "./hub-api.ts";
import type { HubModel, HubSnapshot } from "./hub-model.ts";
import { Rules, useRules } from "./rules.tsx";

const ROLES = ["viewer", "answerer", "approver", "admin"];

/** Machines, people, and the browsers they are signed in with. */
export function Team({ model, snapshot }: { model: HubModel; snapshot: HubSnapshot }) {
  const now = useNow(1000);
  const { machines, here } = snapshot;
  const rules = useRules(snapshot.team);
  useEffect(() => void model.readHere().catch(() => undefined), [snapshot.team]);
  const end = (id: string) =>
    void hub.endBrowser(id).then(() => (id === here?.session ? model.start() : model.readHere()));
  // Together, so that nothing moves under somebody's finger.
  if (rules.isReading) return <p class="none">Loading …</p>;
  return (
    <div class="page settings team">
      <h1>Team</h1>
      <section aria-labelledby="machines">
        <h2 id="machines">Machines</h2>
        <ul class="things">
          {machines.map((machine) => (
            <li key={machine.id}>
              <span class="dot" data-online={machine.online} /> {machineWords(machine, now)}
              {machine.online && <small>online</small>}
            </li>
          ))}
        </ul>
        {machines.length === 0 && <p>None yet. On the hub's machine: parley hub code</p>}
      </section>
      <section aria-labelledby="people">
        <h2 id="people">People</h2>
        <ul class="things">
          {here?.people.map((person) => (
            <li key={person.id}>
              {safeLine(person.name, { max: 80 })}
              {person.id === here.member.id && " (you)"} <small>{roleWords(person)}</small>
            </li>
          ))}
        </ul>
        {here?.isAdmin && <Invite />}
      </section>
      {here?.isAdmin && here.tokens && <Tokens tokens={here.tokens} now={now} model={model} />}
      <Rules {...rules} snapshot={snapshot} />
      <PushSettings words={pushWords} />
      <section aria-labelledby="browsers">
        <h2 id="browsers">Signed in</h2>
        <ul class="things">
          {here?.sessions.map(({ id, name, memberName, seenAt }) => (
            <li key={id}>
              {safeLine(`${memberName}: ${name}`, { max: 120 })}
              <small>{id === here.session ? "this one" : `seen ${agoWords(seenAt, now)}`}</small>
              {id !== here.session && (
                <button class="button quiet" type="button" onClick={() => end(id)}>
                  Sign out
                </button>
              )}
            </li>
          ))}
        </ul>
        <button class="button" type="button" onClick={() => void model.leave()}>
          Sign out here
        </button>
      </section>
    </div>
  );
}

/** What scripts and the machines of jobs show: each can be ended alone. */
function Tokens({ tokens, now, model }: { tokens: readonly HubToken[]; now: number; model: HubModel }) {
  const [problem, setProblem] = useState<string>();
  async function end(id: string): Promise<void> {
    setProblem(undefined);
    await hub
      .endToken(id)
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    // Somebody else may have ended it.
    await model.readHere().catch(() => undefined);
  }
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      <ul class="things">
        {tokens.map((token) => (
          <li key={token.id}>
            <span>{tokenOwner(token)}</span>
            <small>
              {tokenScope(token)}, {tokenTime(token, now)}
            </small>
            <button class="button quiet" type="button" onClick={() => void end(token.id)}>
              End
            </button>
          </li>
        ))}
      </ul>
      {tokens.length === 0 && <p>None yet. On the hub's machine: parley hub token</p>}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

function pushWords({ name, text }: PushState): string {
  const what = text ? "the question" : "only that a question waits";
  return `On for ${name ?? "this browser"}: what is asked of you. A push says ${what}.`;
}

function roleWords({ grants }: Person): string {
  if (grants.length === 0) return "by token";
  return grants
    .map(({ role, project }) => (project === null ? role : `${role} of ${safeLine(project, { max: 40 })}`))
    .join(", ");
}

function Invite() {
  const [wish, setWish] = useState({ name: "", role: "answerer", project: "" });
  const [link, setLink] = useState<string>();
  const [problem, setProblem] = useState<string>();

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setLink(undefined);
    hub.invite({ ...wish, name: wish.name.trim(), project: wish.project.trim() }).then(
      (made) => (setLink(made.link), setProblem(undefined)),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  }

  return (
    <form class="invite" onSubmit={submit}>
      <h3>Invite somebody</h3>
      <label>
        Name
        <input
          required
          maxLength={80}
          value={wish.name}
          onInput={(event) => setWish({ ...wish, name: event.currentTarget.value })}
        />
      </label>
      <label>
        Role
        <select value={wish.role} onChange={(event) => setWish({ ...wish, role: event.currentTarget.value })}>
          {ROLES.map((role) => (
            <option value={role}>{role}</option>
          ))}
        </select>
      </label>
      <label>
        Only of project
        <input
          placeholder="all of them"
          value={wish.project}
          onInput={(event) => setWish({ ...wish, project: event.currentTarget.value })}
        />
      </label>
      <button class="button" type="submit">
        Make a link
      </button>
      {link !== undefined && (
        <p role="status">
          It works once, within a day. Only {safeLine(wish.name, { max: 80 })} should get it:
          <input readOnly aria-label="Link" value={link} onFocus={(event) => event.currentTarget.select()} />
        </p>
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
