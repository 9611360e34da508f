import type { Answer } from "../../core/ask/answer/answer.ts";
import type { FormDraft } from "../../core/form/form.ts";
import { pilotLine, prefillFor } from "../../core/words/pilot-line.ts";
import { safeLine, safeText } from "../../core/text/text.ts";
import { createDialog, type Way } from "../../dialog/dialog.ts";
import { dialogWidth } from "../../dialog/room.ts";
import type { Theme } from "../../dialog/theme.ts";
import type { AskView } from "../../protocol/view.ts";
import { titleIn } from "../../core/words/session-words.ts";
import { agoWords } from "../../core/words/time.ts";
import { type Box, framed, type Size } from "./draw/box.ts";
import { cells } from "./draw/cells.ts";
import { asHub, whoWasFirst } from "./hub/hub-ask.ts";

export type AskDialog = Box & {
  id: string;
  /** Somebody else was first. */
  conclude(ask: AskView): void;
};
type AskDialogOptions = {
  ask: AskView;
  /** As it is now: what is found out about it comes a moment later. */
  latest: () => AskView | undefined;
  draft: FormDraft | undefined;
  /** Why this draft was not taken. */
  why?: string | undefined;
  choose?: number | undefined;
  theme: Theme;
  size: () => Size;
  now: () => number;
  awake: () => number;
  repaint: () => void;
  onDraft: (draft: FormDraft) => void;
  submitted: (answers: Answer[], draft: FormDraft) => void;
  left: (draft: FormDraft) => void;
  /** `w`: leave for a while instead; `e`: the call is changed first. */
  leaveBy: (key: string, draft: FormDraft) => void;
};

const LONGEST_CONTEXT = 4000;
/** Below this the dialog takes the whole screen. */
const ROOMY = { columns: 72, rows: 20 };

/** The dialog of one Ask as a box over the inbox. */
export function createAskDialog(given: AskDialogOptions): AskDialog {
  const { ask, latest, draft, why, choose, submitted, left, leaveBy, now, awake, ...options } = given;
  const { size, theme } = options;
  let isConcluded = false;
  const prefill = prefillFor(ask);
  const isRoomy = () => size().columns >= ROOMY.columns && size().rows >= ROOMY.rows;
  const dialog = createDialog({
    ...options,
    now: awake,
    questions: ask.questions,
    closes: true,
    ways: waysOf(ask),
    isProse: ask.kind === "plan",
    context: [why, contextFor(ask, now())].filter(Boolean).join("\n\n"),
    facts: () => (latest() ?? ask).facts ?? [],
    ...(draft && { draft }),
    ...(choose !== undefined && { choose }),
    ...(prefill && { prefill }),
    size: () => (isRoomy() ? { columns: size().columns - 6, rows: size().rows - 4 } : size()),
    onEnd(end) {
      if (end.type === "submitted") submitted(end.answers, dialog.draft());
      else if (end.by !== undefined) leaveBy(end.by, end.draft);
      else left(end.draft);
    },
  });
  return {
    id: ask.id,
    handleInput: (data) => dialog.handleInput(data),
    point(mouse) {
      // Its frame and a space around it.
      const [above, beside] = isRoomy() && !dialog.isCollapsed() ? [1, 2] : [0, 0];
      dialog.point({ ...mouse, line: mouse.line - above, column: mouse.column - beside });
    },
    render({ columns, rows }) {
      if (dialog.isCollapsed()) return [cells(` ${dialog.render(columns - 2)[0] ?? ""}`, columns)];
      if (!isRoomy()) {
        const lines = dialog.render(columns);
        return Array.from({ length: rows }, (_, i) => cells(lines[i] ?? "", columns));
      }
      const width = dialogWidth(columns - 6);
      const lines = dialog.render(columns - 6).map((line) => cells(line, width));
      return framed(fromWhere(ask, now()), lines, theme, { columns, rows });
    },
    conclude(settled) {
      if (isConcluded) return;
      isConcluded = true;
      dialog.conclude(whoWasFirst(settled, now()));
    },
  };
}

/** What can be done with a call beside allowing or denying it. */
export function waysOf(ask: AskView): Way[] {
  // A hub carries neither grants nor changed calls.
  if (asHub(ask)) return [];
  const { kind, call, editable } = ask;
  const mayGrant = kind === "plan" || (kind === "approval" && call !== undefined);
  return [
    ...(editable ? [{ key: "e", words: "change it first" }] : []),
    ...(mayGrant ? [{ key: "w", words: kind === "plan" ? "allow what it names" : "allow for a while" }] : []),
  ];
}

/** Where there is no frame to say it: where it comes from, and what led to it. */
export function contextOf(ask: AskView, now: number): string {
  return [fromWhere(ask, now), contextFor(ask, now)].filter(Boolean).join("\n\n");
}

function contextFor(ask: AskView, now: number): string {
  return [saidBefore(ask), pilotLine(ask, now)].filter(Boolean).join("\n\n");
}

function fromWhere(ask: AskView, now: number): string {
  const { agentTitle, kind, origin } = ask;
  const { project, branch, sessionTitle } = origin;
  const machine = asHub(ask)?.machine.name;
  const where = project === undefined ? [] : [`${project}${branch === undefined ? "" : ` (${branch})`}`];
  const from = [
    ...(machine === undefined ? [] : [machine]),
    ...where,
    ...titleIn(sessionTitle, 40),
    agentTitle,
    ...(kind === "question" ? [] : [kind]),
    agoWords(ask.createdAt, now),
  ];
  return safeLine(from.join(" · "), { max: 100 });
}

/** The end of what the agent said: that is what led to the question. */
function saidBefore({ origin: { lastText = "" } }: AskView): string {
  const said = safeText(lastText).trim();
  return said.length <= LONGEST_CONTEXT ? said : `…${said.slice(-LONGEST_CONTEXT).toWellFormed()}`;
}
