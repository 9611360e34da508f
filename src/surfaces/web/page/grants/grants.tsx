import { useEffect, useState } from "preact/hooks";
import { shortId } from "../../../../core/id.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { endWords } from "../../../../core/words/grant-words.ts";
import { counted } from "../../../../core/words/number.ts";
import type { GrantView } from "../../../../protocol/grant.ts";
import { call } from "../api.ts";
import type { Snapshot } from "../model.ts";
import { useNow } from "../settings/subscribe.ts";
import { askPath } from "../route.ts";
import { Field, wordsOf } from "./grant-panel.tsx";
import { WhatItMatches } from "./what-it-matches.tsx";

/** What agents may do for now without asking: each can be looked at, changed and ended at once. */
export function Grants({ snapshot: { grantNews } }: { snapshot: Snapshot }) {
  const [grants, setGrants] = useState<readonly GrantView[]>();
  const [all, setAll] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [news, setNews] = useState(0);
  useEffect(() => {
    call("listGrants", { query: { all: String(all) } }).then(
      ({ grants: found }) => (setGrants(found), setProblem(undefined)),
      (error: unknown) => setProblem(wordsOf(error)),
    );
  }, [all, grantNews, news]);
  return (
    <div class="page grants">
      <h1>Grants</h1>
      <p class="hint">
        What agents may do for now without asking. One is given with a permission prompt: Allow for a while.
      </p>
      <label class="check">
        <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
        Also those that ended
      </label>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {grants?.length === 0 && <p class="none">No grants: agents ask.</p>}
      <ul class="entries">
        {grants?.map((grant) => (
          <Row key={grant.id} grant={grant} changed={() => setNews((count) => count + 1)} />
        ))}
      </ul>
    </div>
  );
}

function Row({ grant, changed }: { grant: GrantView; changed: () => void }) {
  const now = useNow(10_000);
  const [isEdited, setEdited] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isLive = grant.state === "live";
  const { lastAsk } = grant;
  const revoke = () =>
    void call("revokeGrant", { id: grant.id, body: { surface: "web" } }).then(changed, (error: unknown) =>
      setProblem(wordsOf(error)),
    );
  return (
    <li data-state={grant.state}>
      <div class="thing">
        <code class="text">{safeLine(grant.title, { max: 400 })}</code>
        {isLive && (
          <>
            <button class="button" type="button" aria-expanded={isEdited} onClick={() => setEdited(!isEdited)}>
              Change
            </button>
            <button class="button" type="button" onClick={revoke}>
              Revoke
            </button>
          </>
        )}
      </div>
      <span class="facts">
        {shortId(grant.id)} · used {counted(grant.used, "time")} ·{" "}
        {isLive ? `until ${endWords(grant.end, now)}` : grant.sentence}
        {grant.pattern.type !== "fetch" && ` · in ${safeLine(grant.folder, { max: 200 })}`}
        {lastAsk !== undefined && (
          <>
            {" · "}
            <a class="link" href={askPath(lastAsk)}>
              the last call
            </a>
          </>
        )}
      </span>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {isEdited && isLive && <Edit grant={grant} close={() => setEdited(false)} changed={changed} />}
    </li>
  );
}

type EditProps = { grant: GrantView; close: () => void; changed: () => void };
function Edit({ grant, close, changed }: EditProps) {
  const [pattern, setPattern] = useState(grant.pattern.text);
  const [folder, setFolder] = useState(grant.folder);
  const [end, setEnd] = useState("");
  const [shown, setShown] = useState<{ wish: string; grant: GrantView }>();
  const [problem, setProblem] = useState<string>();
  const wish = { pattern, folder, ...(end.trim() !== "" && { for: end.trim() }) };
  const wanted = JSON.stringify(wish);
  const isShown = shown?.wish === wanted && problem === undefined;
  useEffect(() => {
    let isOld = false;
    call("editGrant", { id: grant.id, body: { ...wish, dry: true, surface: "web" } }).then(
      (after) => isOld || (setShown({ wish: wanted, grant: after }), setProblem(undefined)),
      (error: unknown) => isOld || setProblem(wordsOf(error)),
    );
    return () => void (isOld = true);
  }, [wanted]);
  const save = () =>
    isShown &&
    void call("editGrant", { id: grant.id, body: { ...wish, surface: "web" } }).then(
      () => (changed(), close()),
      (error: unknown) => setProblem(wordsOf(error)),
    );
  return (
    <div class="refuse grant" role="group" aria-label="Change this grant">
      <Field name="Pattern" value={pattern} set={setPattern} send={save} />
      {grant.pattern.type !== "fetch" && <Field name="Folder" value={folder} set={setFolder} send={save} />}
      <Field name="From now on for (30m, 2h, 10x)" value={end} set={setEnd} send={save} />
      {problem === undefined && shown && <WhatItMatches grants={[shown.grant]} />}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <div class="actions">
        <button class="button primary" type="button" disabled={!isShown} onClick={save}>
          Change it
        </button>
        <button class="button" type="button" onClick={close}>
          Leave it
        </button>
      </div>
    </div>
  );
}
