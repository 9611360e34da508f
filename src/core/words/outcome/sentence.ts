import { describeAnswers, describeUnread, isUnread } from "./describe-answer.ts";
import type { Ask } from "../../ask/ask.ts";
import { OWN_DIALOG } from "../../ask/channel.ts";
import { endsTask, goesToTask, isDismissed, isParleys } from "../../ask/ask-state.ts";
import type { Outcome } from "../../ask/outcome.ts";
import { duration } from "../time.ts";
import { safeLine } from "../../text/text.ts";
import { byActor } from "./actor-words.ts";
import { denialOf, denialWords } from "./denial.ts";
import { outcomeVerb, withdrawnWhy } from "./outcome-words.ts";

/** What happened to an Ask, in one line, the same on every surface. `agent` is the agent's name for people. */
export function sentence(ask: Ask, agent: string, now: number): string {
  const { outcome } = ask;
  if (!outcome) return `… waiting for an answer for ${duration(now - ask.createdAt)}`;
  if (endsTask(ask)) return cancelling(ask, outcome);
  const denied = denialWords(ask, outcome);
  const said = denied ?? quoted(ask, outcome);
  switch (ask.state) {
    case "open":
      return `… waiting for an answer for ${duration(now - ask.createdAt)}`;
    case "settled":
      if (goesToTask(ask)) return `… saved: ${said}; its task continues with it`;
      return `… saved: ${said}; ${agent} has not picked it up yet${lostWay(ask)}`;
    case "delivered":
      if (denied) return `… ${denied}; sent to ${agent}, not yet confirmed by its own record`;
      return `… sent ${said} to ${agent}, not yet confirmed by its own record`;
    case "verified": {
      if (isSetUp(ask)) return `✓ ${capitalised(safeLine(details(ask), { max: 300 }))}`;
      const who = isParleys(ask) ? "Parley" : agent;
      const received = denied ? `${denied}; ${who} received it` : `${who} received ${said}`;
      return `✓ ${received} (${duration(receiptTime(ask))})`;
    }
    case "mismatched":
      if (isSetUp(ask)) return `✗ ${safeLine(details(ask), { max: 300 })}`;
      return `✗ ${notReceived(ask, agent)}`;
    case "closed":
      return `${isGood(outcome) ? "✓" : "✗"} ${closed(ask, outcome, agent)}`;
  }
}

/** Not what its agent received counts then, but whether the task is over. */
function cancelling({ state }: Ask, { actor, message }: Outcome): string {
  const why = message ? `: ${safeLine(message, { max: 120 })}` : "";
  const isUnderway = state === "settled" || state === "delivered";
  return isUnderway ? `… cancelling the task${why}` : `✓ task cancelled ${byActor(actor)}${why}`;
}

/** `answered by cli 2 s ago: SQLite` — for somebody who came too late. */
export function describeOutcome(ask: Ask, now: number): string {
  const { outcome } = ask;
  if (!outcome) return "open";
  const denial = denialOf(ask, outcome);
  const by = `${byActor(outcome.actor)} ${duration(now - outcome.at)} ago`;
  if (denial) return `${denial.verb} ${by}${denial.words && `: ${denial.words}`}`;
  const what = outcome.answers
    ? `: ${answerLine(ask, outcome)}`
    : outcome.message
      ? `: ${safeLine(outcome.message, { max: 120 })}`
      : "";
  const verb = outcome.type === "overtaken" ? "answered" : outcomeVerb(outcome.type);
  return `${verb} ${by}${what}`;
}

function closed(ask: Ask, outcome: Outcome, agent: string): string {
  const answer = outcome.answers ? answerLine(ask, outcome) : "";
  const said = isAllUnread(outcome) ? `; the answer ${unreadLine(outcome)}` : `: ${answer || "nothing"}`;
  const denial = denialOf(ask, outcome);
  if (denial && outcome.type !== "overtaken") return `${denial.verb} ${byActor(outcome.actor)}`;
  switch (outcome.type) {
    case "answered-elsewhere":
      return `answered ${byActor(outcome.actor)}${said}`;
    case "overtaken":
      return `the terminal was first${answer ? said : `: ${denial?.verb ?? outcome.reason ?? "declined"}`}`;
    case "declined":
    case "chat":
      return `${outcomeVerb(outcome.type)} ${byActor(outcome.actor)}`;
    case "expired":
      return `expired${outcome.reason ? `: ${safeLine(outcome.reason)}` : ""}`;
    case "withdrawn":
      if (isDismissed(outcome)) return `dismissed ${byActor(outcome.actor)}`;
      return ["withdrawn", ...[withdrawnWhy(outcome.reason ?? "", agent) ?? []].flat()].join(": ");
    case "answered":
    case "cancelled":
      return `${outcome.type} ${byActor(outcome.actor)}${answer && `: ${answer}`}`;
  }
}

/** Parley's own question about itself: what it did with the answer says more than that it has it. */
const isSetUp = (ask: Ask) => ask.origin.task === undefined && isParleys(ask) && details(ask) !== "";
const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const isGood = (outcome: Outcome) =>
  isDismissed(outcome) || (ANSWERED.has(outcome.type) && !(outcome.answers ?? []).some(isUnread));
const ANSWERED = new Set<Outcome["type"]>(["answered-elsewhere", "answered"]);

const isAllUnread = ({ answers = [] }: Outcome) => answers.length > 0 && answers.every(isUnread);

function unreadLine({ answers = [] }: Outcome): string {
  const [first] = answers;
  return first?.unread ? safeLine(describeUnread(first.unread), { max: 200 }) : "is not in the agent's record";
}

/** What cannot be read is neither the proof of an answer nor another one. */
function notReceived(ask: Ask, agent: string): string {
  const detail = safeLine(details(ask), { max: 300 });
  const isUnknown = detail.startsWith(describeUnread(" ").trim());
  return isUnknown ? `what ${agent} received ${detail}` : `${agent} received something else: ${detail}`;
}

function quoted(ask: Ask, outcome: Outcome): string {
  const changed = outcome.changed ? ` with a changed ${outcome.changed.what}` : "";
  if (outcome.answers) return `"${answerLine(ask, outcome)}"${changed}`;
  return outcome.message ? `"${safeLine(outcome.message, { max: 120 })}" (${outcome.type})` : `"${outcome.type}"`;
}

function answerLine(ask: Ask, outcome: Outcome): string {
  return safeLine(describeAnswers(ask.questions, outcome.answers ?? []), { max: 200 });
}

const details = (ask: Ask) => ask.deliveries.flatMap((d) => d.detail ?? []).join("; ");

const receiptTime = (ask: Ask) => Math.max(...ask.deliveries.map((d) => d.confirmedAt ?? 0)) - (ask.outcome?.at ?? 0);

/** Why nobody has taken a decided answer, where that is known. */
function lostWay(ask: Ask): string {
  const waiting = ask.deliveries.find((d) => d.state === "waiting");
  const reason = waiting?.released;
  if (reason === undefined) return "";
  if (waiting?.channel === "keys") return ` (${safeLine(reason, { max: 200 })})`;
  if (reason === OWN_DIALOG) return " (its own dialog is open: answer there)";
  if (reason === "deadline") return " (nobody is waiting for it any more: answer in its terminal)";
  return " (its hook is gone; it gets the answer when the session is resumed)";
}
