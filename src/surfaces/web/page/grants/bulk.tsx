import { useEffect, useRef, useState } from "preact/hooks";
import { askTitle } from "../../../../core/ask/title.ts";
import { capitalised, safeLine } from "../../../../core/text/text.ts";
import { counted } from "../../../../core/words/number.ts";
import { describeOutcome } from "../../../../core/words/outcome/sentence.ts";
import type { ApprovalRow } from "../../../../protocol/grant.ts";
import { ApiError, call } from "../api.ts";
import type { Model, Snapshot } from "../model.ts";
import { askPath } from "../route.ts";
import { wordsOf } from "./grant-panel.tsx";

type Verdict = "approve" | "deny";
const NAMES: Record<Verdict, string> = { approve: "Approve", deny: "Deny" };

/** All approvals that wait in one table: tick, one confirmation, each receipt in its row. */
export function Bulk({ model, snapshot }: { model: Model; snapshot: Snapshot }) {
  const [rows, setRows] = useState<readonly ApprovalRow[]>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Verdict>();
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const waiting = snapshot.open.filter(({ kind }) => kind === "approval").map(({ id }) => id);
  const names = waiting.join(" ");

  // What comes is added below; what is settled stays, with what became of it.
  useEffect(() => {
    call("listApprovals").then(
      ({ approvals }) =>
        setRows((before = []) => [
          ...before,
          ...approvals.filter(({ ask }) => !before.some((row) => row.ask.id === ask.id)),
        ]),
      (error: unknown) => setProblems(new Map([["", wordsOf(error)]])),
    );
  }, [names]);

  const now = ({ ask }: ApprovalRow) => snapshot.asks.get(ask.id) ?? ask;
  const isOpen = (row: ApprovalRow) => now(row).outcome === undefined;
  const open = (rows ?? []).filter(isOpen);
  const free = open.filter(({ held }) => held === undefined);
  const chosen = open.filter(({ ask }) => ticked.has(ask.id));
  const tick = (ids: readonly string[], isOn: boolean) =>
    setTicked((before) => new Set(isOn ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));

  async function decide(verdict: Verdict): Promise<void> {
    setAsked(undefined);
    setProblems(new Map());
    setTicked(new Set());
    await Promise.all(
      chosen.map(async (row) => {
        const { ask, approve } = row;
        const settlement =
          verdict === "deny"
            ? ({ action: "decline" } as const)
            : { action: "answer" as const, answers: [{ picks: [approve] }] };
        try {
          await model.settle(now(row), settlement);
        } catch (error) {
          // Somebody was first: its row says who.
          if (error instanceof ApiError && error.code === "already_settled") return model.refresh(ask.id);
          setProblems((before) => new Map([...before, [ask.id, wordsOf(error)]]));
        }
      }),
    );
  }

  if (!rows) return <p class="none">{problems.get("") ?? "Loading …"}</p>;
  const isAll = free.length > 0 && free.every(({ ask }) => ticked.has(ask.id));
  return (
    <div class="page bulk">
      <h1>Approvals</h1>
      {rows.length === 0 && <p class="none">No approval waits.</p>}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>
                <input
                  type="checkbox"
                  aria-label="All that are not held back"
                  checked={isAll}
                  disabled={free.length === 0}
                  onChange={() =>
                    tick(
                      free.map(({ ask }) => ask.id),
                      !isAll,
                    )
                  }
                />
              </th>
              <th>What will happen</th>
              <th>Where</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line
                key={row.ask.id}
                row={{ ...row, ask: now(row) }}
                isMine={snapshot.settledHere.includes(row.ask.id)}
                isTicked={ticked.has(row.ask.id)}
                problem={problems.get(row.ask.id)}
                tick={(isOn) => tick([row.ask.id], isOn)}
              />
            ))}
          </tbody>
        </table>
      )}
      {open.length > 0 && (
        <div class="actions">
          {(["approve", "deny"] as const).map((verdict) => (
            <button
              class={verdict === "approve" ? "button primary" : "button"}
              type="button"
              disabled={chosen.length === 0}
              onClick={() => setAsked(verdict)}
            >
              {NAMES[verdict]}
              {chosen.length > 0 && ` ${counted(chosen.length, "call")}`}
            </button>
          ))}
        </div>
      )}
      {asked && (
        <Sure verdict={asked} rows={chosen} close={() => setAsked(undefined)} confirm={() => void decide(asked)} />
      )}
    </div>
  );
}

type LineProps = {
  row: ApprovalRow;
  isMine: boolean;
  isTicked: boolean;
  problem: string | undefined;
  tick: (isOn: boolean) => void;
};
function Line({ row: { ask, held }, isMine, isTicked, problem, tick }: LineProps) {
  // Who was first, where it was not decided here.
  const became = isMine ? ask.sentence : capitalised(describeOutcome(ask, Date.now()));
  const title = askTitle(ask, { max: held === undefined ? 400 : 4000 });
  const said = ask.outcome ? became : problem === undefined ? undefined : `✗ ${problem}`;
  return (
    <tr data-held={held !== undefined} data-over={ask.outcome !== undefined}>
      <td>
        <input
          type="checkbox"
          aria-label={title}
          checked={isTicked}
          disabled={ask.outcome !== undefined}
          onChange={(event) => tick(event.currentTarget.checked)}
        />
      </td>
      <td>
        <a href={askPath(ask.id)}>
          <code>{title}</code>
        </a>
        {held !== undefined && !ask.outcome && <small class="held">Held back: {safeLine(held, { max: 200 })}</small>}
        {said !== undefined && (
          <small class="said" data-mark={said.slice(0, 1)} role="status">
            {safeLine(said, { max: 400 })}
          </small>
        )}
      </td>
      <td>{safeLine(ask.origin.project ?? ask.agentTitle, { max: 40 })}</td>
    </tr>
  );
}

type SureProps = { verdict: Verdict; rows: readonly ApprovalRow[]; close: () => void; confirm: () => void };
const CALM_MS = 300;

function Sure({ verdict, rows, close, confirm }: SureProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    const timer = setTimeout(() => setReady(true), CALM_MS);
    return () => clearTimeout(timer);
  }, []);
  const title = `${NAMES[verdict]} ${counted(rows.length, "call")}?`;
  return (
    <dialog ref={dialog} class="help sure" role="alertdialog" aria-label={title} onClose={close}>
      <h2>{title}</h2>
      <ul>
        {rows.map(({ ask, held }) => (
          <li data-held={held !== undefined}>
            <code>{askTitle(ask, { max: 400 })}</code>
            {held !== undefined && verdict === "approve" && <small class="held">{safeLine(held, { max: 200 })}</small>}
          </li>
        ))}
      </ul>
      <div class="actions">
        <button class="button primary" type="button" disabled={!isReady} onClick={confirm}>
          {NAMES[verdict]}
        </button>
        <button class="button" type="button" onClick={close}>
          Leave it
        </button>
      </div>
    </dialog>
  );
}
