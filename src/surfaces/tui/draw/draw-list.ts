import { visibleWidth } from "@earendil-works/pi-tui";
import { askTitle } from "../../../core/ask/title.ts";
import { isSnoozed } from "../../../core/ask/ask-state.ts";
import { pilotTag } from "../../../core/words/pilot-line.ts";
import { recommendedAnswers } from "../../../core/ask/answer/recommended.ts";
import { NOTHING_WAITS } from "../../../core/words/ask-words.ts";
import { ageOf, agoWords, snoozedWords } from "../../../core/words/time.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { GrantView } from "../../../protocol/grant.ts";
import type { TaskView } from "../../../protocol/task.ts";
import type { AskView, SessionView } from "../../../protocol/view.ts";
import { needsPrompt } from "../../../core/ask/session-state.ts";
import { lastWords, sessionName, sessionSince, sessionWords, titleIn } from "../../../core/words/session-words.ts";
import { intentWords } from "../../../core/words/hub-words.ts";
import { asHub, hubNotes, intentOf, isWaiting, placeOf } from "../hub/hub-ask.ts";
import { cells } from "./cells.ts";
import { grantRow } from "./draw-grant.ts";
import { taskRow } from "./draw-task.ts";
import { firstShown } from "../cursor.ts";
import type { Model } from "../model.ts";
import type { Row } from "../row.ts";
import { sentenceNow, toneOf } from "./status-line.ts";

export type Room = { width: number; height: number };

const LONGEST = 300;

/** A row has two lines where there is room for them. */
export const linesEach = ({ width, height }: Room): number => (height >= 8 && width < 100 ? 2 : 1);

/** Only what is in sight is drawn, however long the list is. */
export function listLines(model: Model, theme: Theme, { width, height }: Room): string[] {
  const rows = model.rowsOf(model.tab);
  const { index } = model.cursor();
  const each = linesEach({ width, height });
  const room = Math.max(1, Math.floor(height / each));
  const first = firstShown(model.first[model.tab], index, room, rows.length);
  model.first[model.tab] = first;
  const waiting = model.tab === "sessions" ? model.asks.waitingOf() : undefined;
  const lines = rows.slice(first, first + room).flatMap((shown, i) => {
    const row = rowOf(shown);
    const isSelected = first + i === index;
    return each === 2 ? twoLines(row, isSelected, theme, width) : oneLine(row, isSelected, theme, width);
  });
  return lines.slice(0, height);

  function rowOf(shown: { id: string }): Row {
    if (model.tab === "tasks") return taskRow(shown as TaskView, model.now(), theme);
    if (model.tab === "grants") return grantRow(shown as GrantView, model.now());
    if (waiting) return sessionRow(shown as SessionView, waiting.get(shown.id) ?? 0, model.now());
    return askRow(shown as AskView, model, theme);
  }
}

function twoLines({ title, about, mark }: Row, isSelected: boolean, theme: Theme, width: number): string[] {
  const pointer = isSelected ? theme.selected("❯") : " ";
  const paint = isSelected ? theme.selected : theme.text;
  return [`${pointer}${mark}${paint(cells(title, width - 2))}`, `   ${theme.muted(cells(about, width - 3))}`];
}

function oneLine({ title, brief, mark }: Row, isSelected: boolean, theme: Theme, width: number): string[] {
  const pointer = isSelected ? theme.selected("❯") : " ";
  const paint = isSelected ? theme.selected : theme.text;
  const forBrief = Math.min(visibleWidth(brief), Math.floor(width * 0.45));
  const forTitle = width - 3 - forBrief;
  return [`${pointer}${mark}${paint(cells(title, forTitle))} ${theme.muted(cells(brief, forBrief))}`];
}

function askRow(ask: AskView, { marked, now, hub: me }: Model, theme: Theme): Row {
  const at = now();
  const text = askTitle(ask);
  const more = ask.questions.length < 2 ? "" : ` (+${ask.questions.length - 1})`;
  const [project, hub] = [placeOf(ask), asHub(ask)];
  const mark = marked.has(ask.id) && isWaiting(ask) ? theme.accent("◆") : " ";
  if (!isWaiting(ask)) {
    const intent = intentOf(ask);
    const said = hub && intent ? intentWords(intent, hub.machine, at) : sentenceNow(ask, at);
    const words = safeLine(said, { max: LONGEST });
    const painted = theme[toneOf(words)](words);
    return { title: `${text}${more}`, about: `${project} · ${painted}`, brief: painted, mark };
  }
  const { sessionTitle } = ask.origin;
  const kind = ask.kind === "question" ? [] : [ask.kind];
  const age = isSnoozed(ask, at) ? snoozedWords(ask.snoozedUntil ?? 0, at) : ageOf(ask.createdAt, at);
  const proposed = [pilotTag(ask, at).trim()].filter(Boolean);
  if (hub) {
    // Who is on it comes before what it is: that is what the others have to know.
    const about = [project, age, ...hubNotes(ask, me?.id, at), ...kind, ...adviceOf(ask)].join(" · ");
    return { title: `${text}${more}`, brief: about, about, mark };
  }
  return {
    title: `${text}${more}`,
    brief: [...proposed, ...kind, project, ...titleIn(sessionTitle, 30), age].join(" · "),
    about: [ask.kind, project, age, ...titleIn(sessionTitle), ...proposed, ...adviceOf(ask)].join(" · "),
    mark,
  };
}

/** What `r` would answer. */
function adviceOf(ask: AskView): string[] {
  const found = recommendedAnswers(ask);
  if ("reason" in found) return [];
  const labels = found.answers.flatMap(({ picks }, i) => picks.map((pick) => ask.questions[i]?.options[pick]?.label));
  return [`★ ${safeLine(labels.join(", ").replace(/\s*\(recommended\)/gi, ""), { max: 40 })}`];
}

function sessionRow(session: SessionView, waiting: number, now: number): Row {
  const { agentTitle, project, branch, title } = session;
  const where = [project, branch && `(${branch})`]
    .flatMap((part) => (part ? safeLine(part, { max: 40 }) : []))
    .join(" ");
  const since = agoWords(sessionSince(session), now);
  const state = sessionWords(session, waiting);
  const said = lastWords(session);
  return {
    brief: [state, ...(title === undefined ? [] : [where]), since].filter(Boolean).join(" · "),
    title: title === undefined && where !== "" ? where : sessionName(session),
    about: [state, since, ...(title === undefined ? [] : [where]), agentTitle, said].filter(Boolean).join(" · "),
    mark: waiting > 0 ? "●" : needsPrompt(session) ? "○" : " ",
  };
}

/** What stands in an empty list. */
export function emptyLines(model: Model, theme: Theme, width: number): string[] {
  const indent = (line: string) => cells(` ${line}`, width);
  if (model.filter !== "")
    return ["", indent(`Nothing matches “${safeLine(model.filter, { max: 40 })}”. Esc shows all.`)];
  if (model.tab === "settled") return ["", indent("Nothing settled yet.")];
  if (model.tab === "sessions") return ["", indent("No agent session is live.")];
  if (model.tab === "tasks") return ["", indent('No tasks. Start one: parley run "prompt"')];
  if (model.tab === "grants") return ["", indent("No grants: agents ask. w on an approval gives one.")];
  const teach = [
    "A question comes here when an agent asks one:",
    `  ${theme.accent("parley setup")}`,
    "or a script:",
    `  ${theme.accent('parley confirm "Deploy?"')}`,
  ];
  const words = [
    theme.title(`${NOTHING_WAITS}.`),
    "",
    ...(model.hub ? ["What agents ask on the machines of this hub comes here."] : teach),
    "",
    theme.muted("This screen is live: leave it open."),
  ];
  return ["", ...words.map(indent)];
}
