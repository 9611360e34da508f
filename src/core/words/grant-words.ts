import type { Grant, GrantEnd, GrantPattern } from "../grant/grant.ts";
import { safeLine, safeText } from "../text/text.ts";
import { counted } from "./number.ts";
import { clock, duration } from "./time.ts";

// Free of the schema library: lists are waited for.

type Shown = Pick<Grant, "pattern" | "folder" | "end">;
const VERB: Record<GrantPattern["type"], string> = { command: "$", write: "write", read: "read", fetch: "fetch" };

/** `$ npm run *`: as a call is called, with its stars. */
export const patternTitle = ({ type, text }: GrantPattern): string => `${VERB[type]} ${safeLine(text, { max: 400 })}`;

/** All that a person has to know before they give it: what it matches, where, until when, and what it never matches. */
export function grantLines({ pattern, folder, end }: Shown, now: number): [name: string, text: string][] {
  return [
    // All of it, to the letter.
    ["Allows", `${VERB[pattern.type]} ${safeText(pattern.text)}`],
    ["That is", meaningOf(pattern)],
    [WHERE[pattern.type], pattern.type === "fetch" ? "" : safeLine(folder, { max: 400 })],
    ["By", end.task === undefined && end.plan === undefined ? "any agent and session that asks there" : ""],
    ["Until", endWords(end, now)],
    ["Never", NEVER[pattern.type]],
  ].filter((line): line is [string, string] => line[1] !== "");
}

/** `for 30 min, until 14:05`, `for 10 calls`. */
export function endWords({ until, calls, task, plan }: GrantEnd, now: number): string {
  const ends = [
    until === undefined ? "" : `${clock(until).slice(11, 16)} (${duration(until - now)})`,
    calls === undefined ? "" : `${counted(calls, "call")} used`,
    task === undefined ? "" : `task ${safeLine(task, { max: 40 })} ends`,
    plan === undefined ? "" : `its plan is done: session ${safeLine(plan, { max: 80 }).slice(0, 8)} ends its turn`,
  ].filter((each) => each !== "");
  return ends.join(", or ");
}

/** What a proposed grant would have saved. */
export const savedWords = (times: number, ms: number): string => `asked ${counted(times, "time")} in ${duration(ms)}`;

/** `live`, `revoked`, `ended: its time is over`. */
export function grantState({ state, endReason = "" }: Pick<Grant, "state" | "endReason">): string {
  if (state === "declined") return "declined: it is not proposed again";
  return state === "ended" ? `ended: ${ENDED[endReason] ?? safeLine(endReason, { max: 40 })}` : state;
}

/** Why a call was not asked about, as its Ask says it. */
export const allowedBy = ({ id, pattern }: Pick<Grant, "id" | "pattern">): string =>
  `not asked: grant ${id.slice(0, 6)} allows ${patternTitle(pattern)}`;

const ENDED: Record<string, string> = {
  time: "its time is over",
  calls: "all its calls are used",
  task: "its task is over",
  plan: "its plan is done",
};
const WHERE: Record<GrantPattern["type"], string> = {
  command: "Run in",
  write: "Below",
  read: "Below",
  fetch: "Where",
};
const NEVER: Record<GrantPattern["type"], string> = {
  command: "with other words, ; && | & $ ` > or variables, sudo or eval, or in another folder: these ask",
  write: "through a link or .. to another place: that asks",
  read: "through a link or .. to another place: that asks",
  fetch: "over http, or on another host or port: these ask",
};

function meaningOf({ type, text }: GrantPattern): string {
  if (type === "fetch") return "any address of this host over https";
  if (type !== "command")
    return text.includes("*") ? `${FILES[type]} that fit; * and ** are no hidden names` : FILES[type];
  const parts = [
    ...(/(?:^|\s)\.\.\.\s*$/.test(text) ? ["... is any number of arguments"] : []),
    ...(text.includes("*") ? ["an unquoted * is one argument or a part of one"] : []),
  ];
  if (parts.length === 0) return "this command with exactly these words";
  return `${parts.join(", ")}; plain names only: no option, no hidden name, no path out of the folder`;
}

const FILES = { write: "writing and editing files", read: "reading files" };
