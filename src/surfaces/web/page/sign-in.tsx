import { useState } from "preact/hooks";
import { enter } from "./api.ts";
import type { Model } from "./model.ts";

export function SignIn({ model, refused }: { model: Model; refused: string | undefined }) {
  const [secret, setSecret] = useState("");
  const [problem, setProblem] = useState(refused?.replace(/^\w+: /, ""));

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const typed = secret.trim();
    if (typed === "") return;
    try {
      // A code is what `parley open` prints; anything else can only be a token.
      await enter({ code: typed }).catch(() => enter({ token: typed }));
      await model.start();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <main class="sign-in">
      <img src="/icon.svg" alt="" width="48" height="48" />
      <h1>Parley</h1>
      <p>This browser is not signed in. On the machine where Parley runs, type</p>
      <pre>parley open</pre>
      <p>
        It opens this page signed in. From another device, enter the code it prints with --print, that of parley phone,
        or your token.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Code or token
          <input
            type="password"
            autocomplete="current-password"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        <button class="button primary" type="submit">
          Sign in
        </button>
      </form>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </main>
  );
}
