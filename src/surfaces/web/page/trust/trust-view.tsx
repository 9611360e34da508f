import { useEffect, useState } from "preact/hooks";
import { agoWords } from "../../../../core/words/time.ts";
import type { MarkResult } from "../../../../core/autopilot/trust/standing.ts";
import { deciderWords, MARK_WORDS, STAGE_WORDS } from "../../../../core/words/trust-words.ts";
import type { TrustView as Trusted } from "../../../../protocol/trust.ts";
import { ApiError, call } from "../api.ts";
import { isPlainKey } from "../keys.ts";

const REFRESH_MS = 15_000;

/** What is trusted to answer in the person's place, how that was earned, and one key to end it. */
export function TrustView() {
  const [trust, setTrust] = useState<readonly Trusted[]>();
  const [said, setSaid] = useState<string>();
  const [isOut, setOut] = useState(false);
  const read = () =>
    call("earnedTrust").then(
      ({ trust: found }) => setTrust(found),
      (error: unknown) => {
        setOut(error instanceof ApiError && error.status === 401);
        setSaid(error instanceof Error ? error.message : String(error));
      },
    );
  async function withdraw(id: string): Promise<void> {
    try {
      const after = await call("withdrawTrust", { body: { id, surface: "web" } });
      setSaid(`Withdrawn: ${after.question || deciderWords(after.decider)}`);
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
    await read();
  }

  useEffect(() => {
    void read();
    const timer = setInterval(() => void read(), REFRESH_MS);
    const pressed = (event: KeyboardEvent) => isPlainKey(event) && act(event.key);
    addEventListener("keydown", pressed);
    return () => {
      clearInterval(timer);
      removeEventListener("keydown", pressed);
    };
  }, []);

  function act(key: string): void {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-trust]")];
    const at = rows.findIndex((row) => row === document.activeElement);
    if (key === "j") rows[Math.min(at + 1, rows.length - 1)]?.focus();
    if (key === "k") rows[Math.max(at - 1, 0)]?.focus();
    if (key === "w" && at >= 0) void withdraw(rows[at]?.dataset["trust"] ?? "");
  }

  if (isOut)
    return (
      <main class="page settings">
        <h1>Trust</h1>
        <p>
          This browser is not signed in. <a href="/">Sign in</a>
        </p>
      </main>
    );
  const projects = Map.groupBy(trust ?? [], ({ project }) => project);
  return (
    <main class="page settings">
      <p>
        <a href="/#/settings">← Settings</a>
      </p>
      <h1>Trust</h1>
      <p>
        What may answer in your place, and how it earned that. <kbd>j</kbd> <kbd>k</kbd> next, previous; <kbd>w</kbd>{" "}
        withdraws.
      </p>
      {trust?.length === 0 && <p>Nothing is known yet. Switched on, the autopilot watches what you answer.</p>}
      {[...projects].map(([project, own]) => (
        <section aria-label={project}>
          <h2>{project}</h2>
          <ul class="things">
            {own.map((each) => (
              <Row each={each} withdraw={withdraw} />
            ))}
          </ul>
        </section>
      ))}
      <p role="status">{said}</p>
    </main>
  );
}

function Row({ each, withdraw }: { each: Trusted; withdraw: (id: string) => Promise<void> }) {
  const { id, decider, question, stage, why, lost, usedAt, marks } = each;
  return (
    <li data-trust={id} tabIndex={0}>
      <div class="thing">
        <strong>{question || "All its questions"}</strong>
        <span class="tag" data-on={stage === "held" || stage === "automatic"}>
          {STAGE_WORDS[stage]}
        </span>
        <span class="dim">{deciderWords(decider)}</span>
        <button class="button" type="button" onClick={() => void withdraw(id)}>
          Withdraw
        </button>
      </div>
      <p class="dim">
        {[why, lost, usedAt === undefined ? "" : `used ${agoWords(usedAt, Date.now())}`].filter(Boolean).join("; ")}
      </p>
      <details>
        <summary>What it rests on</summary>
        {marks.map(({ ask, at, result, shown }) => (
          <div>
            <a href={`/#/ask/${encodeURIComponent(ask)}`}>{agoWords(at, Date.now())}</a>{" "}
            {MARK_WORDS[result as MarkResult]}
            {shown && ", with its proposal before you"}
          </div>
        ))}
      </details>
    </li>
  );
}
