import { useEffect, useState } from "preact/hooks";
import type { Invited } from "../../../../protocol/hub/hub-page.ts";
import { hub } from "./hub-api.ts";
import type { HubModel } from "./hub-model.ts";

/** `why`: nobody is signed in here any more. */
type Props = { model: HubModel; invite: string | undefined; why: string | undefined; done: () => void };

/** A passkey made with an invitation, or one that was made before. */
export function HubSignIn({ model, invite, why, done }: Props) {
  const [invited, setInvited] = useState<Invited>();
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const failed = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  useEffect(() => {
    if (invite !== undefined) hub.invited(invite).then(setInvited, (error) => (done(), failed(error)));
  }, [invite]);

  async function enter(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      done();
      await model.start();
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  }

  const register = (event: SubmitEvent) => {
    event.preventDefault();
    void enter(() => hub.register(invite ?? "", name.trim()));
  };

  return (
    <main class="sign-in hub-sign-in">
      <img src="/icon.svg" alt="" width="48" height="48" />
      <h1>{invited ? "Welcome to this hub" : "Parley"}</h1>
      {invite !== undefined && invited ? (
        <form onSubmit={register}>
          <p>{welcome(invited)}</p>
          {invited.name === null && (
            <label>
              Your name, as the others see it
              <input
                autocomplete="name"
                required
                maxLength={80}
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            </label>
          )}
          <button class="button primary" type="submit" disabled={busy}>
            Make a passkey
          </button>
          <p class="hint">
            Your device asks for your finger, face or PIN. Nothing to remember, and nothing to steal here.
          </p>
        </form>
      ) : (
        <form onSubmit={(event) => (event.preventDefault(), void enter(hub.login))}>
          {why === undefined ? (
            <p>What your team's agents ask, on every machine.</p>
          ) : (
            <p class="why" role="status">
              {why}
            </p>
          )}
          <button class="button primary" type="submit" disabled={busy}>
            Sign in with a passkey
          </button>
          <p class="hint">No passkey here yet? Ask an admin of this hub for a link.</p>
        </form>
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </main>
  );
}

function welcome({ name, role, project, first }: Invited): string {
  if (first) return "You are the first here, so you look after it: you invite the others.";
  return `${name ?? "You"}: ${role}${project === null ? "" : ` of ${project}`}.`;
}
