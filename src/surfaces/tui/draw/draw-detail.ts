import { isForTerminal } from "../../../core/ask/channel.ts";
import { isSnoozed } from "../../../core/ask/ask-state.ts";
import { shortId } from "../../../core/id.ts";
import { pilotLine, prefillLine, proposalFor } from "../../../core/words/pilot-line.ts";
import { TERMINAL_ONLY } from "../../../core/words/ask-words.ts";
import { sessionSince, sessionWords } from "../../../core/words/session-words.ts";
import { agoWords, clock, snoozedWords } from "../../../core/words/time.ts";
import { safeLine, safeText } from "../../../core/text/text.ts";
import type { Theme } from "../../../dialog/theme.ts";
import { mayAnswer } from "../../../core/hub-role.ts";
import { lookingWords, onlyLookWords } from "../../../core/words/hub-words.ts";
import type { HubMember } from "../../../protocol/hub/hub.ts";
import type { AskView, SessionView } from "../../../protocol/view.ts";
import { hang } from "../../terminal/columns.ts";
import { changedLines } from "../../terminal/changed-lines.ts";
import { factLines } from "../../terminal/fact-lines.ts";
import { hubLines } from "../../terminal/hub-lines.ts";
import { asHub, isWaiting } from "../hub/hub-ask.ts";
import { type Part, questionParts } from "../../terminal/question.ts";
import { contextLines, originLines } from "../../cli/commands/every-day/show.ts";
import type { Page } from "../../terminal/terminal.ts";
import { cells } from "./cells.ts";
import { grantDetail, proposalLines } from "./draw-grant.ts";
import { taskLines } from "./draw-task.ts";
import type { Room } from "./draw-list.ts";
import type { Model } from "../model.ts";
import { sentenceNow, toneOf } from "./status-line.ts";
import { styleOf } from "./theme-style.ts";

/** The selected one with everything that helps to decide. */
export function detailLines(model: Model, theme: Theme, { width, height }: Room): string[] {
  const [ask, session, task, grant] = [model.ask(), model.session(), model.task(), model.grant()];
  const page: Page = { style: styleOf(theme), width };
  const parts = ask ? askParts(ask, model, theme, page) : [];
  const lines = session
    ? sessionLines(session, model, page)
    : task
      ? taskLines(task, model.now(), page)
      : grant
        ? grantDetail(grant, page)
        : parts.flatMap((part) => part.lines);
  model.optionLines = ask && isWaiting(ask) && ask.questions.length === 1 ? numbersIn(parts) : new Map();
  const top = Math.max(0, Math.min(model.detailTop, lines.length - height));
  model.detailTop = top;
  const shown = lines.slice(top, top + height);
  const below = lines.length - top - shown.length;
  if (below > 0) shown[shown.length - 1] = theme.muted(`↓ ${below + 1} more lines: J and K scroll`);
  return shown.map((line) => cells(line, width));
}

/** By its line: the number of the option that stands there. */
function numbersIn(parts: readonly Part[]): Map<number, number> {
  const all = parts.flatMap(({ lines, number }) => lines.map(() => number));
  return new Map(all.flatMap((number, line) => (number === undefined ? [] : [[line, number] as const])));
}

function askParts(ask: AskView, { now: clockNow, offers, hub: me }: Model, theme: Theme, page: Page): Part[] {
  const now = clockNow();
  const words = safeLine(
    isSnoozed(ask, now) ? `… ${snoozedWords(ask.snoozedUntil ?? 0, now)}` : sentenceNow(ask, now),
    {
      max: 500,
    },
  );
  const happened = hang(`${theme.muted(shortId(ask.id))}  `, words, page.width, theme[toneOf(words)]);
  const isElsewhere = !ask.outcome && isForTerminal(ask);
  const mismatch = safeText(ask.mismatch ?? "", { max: 3000 }).split("\n");
  const one = (lines: string[]): Part[] => [{ lines }];
  const groups: Part[][] = [
    one(happened),
    one(me ? inHub(ask, me, now).flatMap((line) => hang("", line, page.width, theme.muted)) : []),
    one(ask.mismatch === undefined ? [] : mismatch.flatMap((line) => hang("", line, page.width))),
    one(isElsewhere ? hang("", TERMINAL_ONLY, page.width) : []),
    ...questionParts(ask, page),
    one(changedLines(ask, page)),
    one(factLines(ask, page)),
    one(pilotLines(ask, now, theme, page)),
    one(proposalLines(offers.get(ask.id), theme, page)),
    one(contextLines(ask, page)),
    one(originLines(ask, page)),
  ].filter((group) => group.some(({ lines }) => lines.length > 0));
  return groups.flatMap((group, i) => (i === 0 ? group : [{ lines: [""] }, ...group]));
}

function inHub(ask: AskView, { id, grants }: HubMember, now: number): string[] {
  const hub = asHub(ask);
  if (!hub) return [];
  const mayNot = isWaiting(ask) && !mayAnswer(grants, ask) ? onlyLookWords(grants) : "";
  return [...hubLines(hub, now), lookingWords(hub.looking ?? [], id), mayNot].filter(Boolean);
}

function pilotLines(ask: AskView, now: number, theme: Theme, { width }: Page): string[] {
  const line = pilotLine(ask, now);
  const filled = prefillLine(ask, ask.agentTitle);
  const given = filled === undefined ? [] : hang("", filled, width, theme.muted);
  if (line === undefined) return given;
  if (asHub(ask)) return [...given, ...hang("", line, width, theme.accent)];
  const keys = proposalFor(ask) ? "y accepts it · u takes it back" : "u takes the question back";
  return [...given, ...hang("", line, width, theme.accent), ...hang("", keys, width, theme.muted)];
}

function sessionLines(session: SessionView, { asks, now: clockNow }: Model, page: Page): string[] {
  const now = clockNow();
  const { id, agentTitle, project, branch, cwd, pane, mode, startedAt, seenAt } = session;
  const facts: [string, string | undefined][] = [
    ["Title", session.title],
    ["State", `${sessionWords(session, asks.waitingOf().get(session.id))}, ${agoWords(sessionSince(session), now)}`],
    ["Agent", agentTitle],
    ["Project", project],
    ["Branch", branch],
    ["Folder", cwd],
    ["Mode", mode],
    ["tmux", pane?.id],
    ["Session", id],
    ["Started", `${clock(startedAt)} (${agoWords(startedAt, now)})`],
    ["Last heard", `${clock(seenAt)} (${agoWords(seenAt, now)})`],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : hang(page.style.dim(name.padEnd(12)), safeLine(value, { max: 200 }), page.width),
  );
  const said = safeText(session.idle?.said ?? "").trim();
  return said === "" ? lines : [...lines, "", "It said last:", ...hang("  ", said, page.width, page.style.dim)];
}
