import { useEffect, useState } from "preact/hooks";
import { agoWords } from "../../../../core/words/time.ts";
import type { Browser } from "../../../../protocol/page.ts";
import { call, here } from "../api.ts";

/** Who may see and answer everything. */
export function BrowserSettings({ signOut }: { signOut: () => void }) {
  const [browsers, setBrowsers] = useState<readonly Browser[]>([]);
  const [mine, setMine] = useState<string>();
  const [renewal, setRenewal] = useState<"sure" | "done">();
  const [problem, setProblem] = useState<string>();
  const read = () =>
    call("listBrowsers").then(
      ({ browsers: found }) => setBrowsers(found.toSorted((a, b) => b.createdAt - a.createdAt)),
      () => undefined,
    );
  useEffect(() => {
    void read();
    here().then(setMine, () => undefined);
  }, []);

  async function end({ id }: Browser): Promise<void> {
    if (id === mine) return signOut();
    await tried(() => call("endBrowser", { body: { id } }));
    await read();
  }

  async function renew(): Promise<void> {
    if (renewal !== "sure") return setRenewal("sure");
    const isDone = await tried(() => call("newTokens"));
    setRenewal(isDone ? "done" : undefined);
  }

  /** False: it failed, and that is said. */
  async function tried(work: () => Promise<unknown>): Promise<boolean> {
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  return (
    <section aria-labelledby="access">
      <h2 id="access">Access</h2>
      <p>Browsers that are signed in. Each expires after 30 days without use.</p>
      <ul class="things">
        {browsers.map((browser) => (
          <li>
            <div class="thing">
              <strong>{browser.name}</strong>
              {browser.id === mine && (
                <span class="tag" data-on>
                  this one
                </span>
              )}
              <span class="dim">signed in {agoWords(browser.createdAt, Date.now())}</span>
              <button class="button" type="button" onClick={() => void end(browser)}>
                Sign out
              </button>
            </div>
          </li>
        ))}
      </ul>
      <p>
        Programs use tokens: one for people, which may see and settle everything, one for agents, which may only ask.
        Both are in <code>daemon.json</code> in Parley’s home, readable by you alone; <code>web.token</code> in the
        settings file adds one of your own.
      </p>
      <p>
        <button class="button" type="button" onClick={() => void renew()}>
          {renewal === "sure" ? "Press again: programs with a copied token are locked out" : "New tokens"}
        </button>{" "}
        <span role="status">{renewal === "done" && "Programs find the new ones by themselves."}</span>
      </p>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
