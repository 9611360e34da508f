import type { Answer } from "../ask/answer/answer.ts";
import type { Question } from "../ask/question.ts";
import { intentOf, isClaimed } from "../hub-ask.ts";
import { EVERYBODY, TASK_KIND } from "../hub-names.ts";
import { shortId } from "../id.ts";
import { safeLine } from "../text/text.ts";
import { describeAnswers } from "./outcome/describe-answer.ts";
import { ageOf, agoWords, clock, duration } from "./time.ts";

type Claim = { member: string; until: number; by?: string | undefined };
type Intent = {
  state: string;
  member: string;
  at: number;
  detail?: string | undefined;
  reason?: string | undefined;
  with?: string[] | undefined;
  signed?: string[] | undefined;
};
type Decided = { action: string; answers?: readonly Answer[] | undefined; message?: string | undefined };
type Half = { member: string; settlement: Decided };
type Machine = { name: string; online: boolean; seenAt?: number | undefined };
type Step = { type: string; name: string };
type Route = { steps: readonly Step[]; step: number; people: readonly { id: string }[]; next?: number | undefined };
const named = (name: string) => safeLine(name, { max: 40 });

/** `Ann is on it, for 9 min`. */
export function claimWords({ member, until, by }: Claim, now: number): string {
  const from = by === undefined ? "" : `, from ${named(by)}`;
  return `${named(member)} is on it${from}, for ${duration(Math.max(0, until - now))}`;
}

/** `laptop`, or how long it has been away. */
export const machineWords = (machine: Machine, now: number): string =>
  [named(machine.name), asleepWords(machine, now)].filter(Boolean).join(", ");

/** Empty: it is there. */
export function asleepWords({ online, seenAt }: Machine, now: number): string {
  return online ? "" : `asleep${forWords(seenAt, now)}`;
}

/** ` for 2 min`; empty where it is not known, or has just begun. */
export function forWords(since: number | undefined, now: number): string {
  const age = since === undefined ? "now" : ageOf(since, now);
  return age === "now" ? "" : ` for ${age}`;
}

/** What became of somebody's answer. */
export function intentWords(intent: Intent, machine: Machine, now: number): string {
  const { state, at, detail } = intent;
  const [who, when, where] = [byWhom(intent), agoWords(at, now), named(machine.name)];
  const why = detail === undefined ? "" : `: ${safeLine(detail, { max: 300 })}`;
  const signed = (intent.signed ?? []).length > 0 ? ", signed" : "";
  if (state === "received") return `✓ ${who} answered ${when}${signed}; received by ${where}`;
  if (state === "overtaken") return `✗ ${who} answered ${when}; ${where} was faster${why}`;
  if (state === "withdrawn") return `✗ ${who}'s answer came to nothing on ${where}${why}`;
  return machine.online
    ? `… ${who} answered ${when}; on its way to ${where}`
    : `… ${who} answered ${when}; ${where} hears it when it wakes`;
}

type Became = { intent?: Intent | undefined; outcome?: object | undefined; machine: Machine; sentence: string };

/** What became of it: of an answer through the hub until its machine has it, then what that machine says. */
export function becameWords({ machine, sentence, ...ask }: Became, now: number): string {
  const intent = intentOf(ask);
  const isTold = intent?.state === "received" && ask.outcome !== undefined;
  return intent && !isTold ? intentWords(intent, machine, now) : safeLine(sentence, { max: 300 });
}

type Given = {
  state: string;
  member: string;
  at: number;
  machine: Machine;
  task?: string | undefined;
  detail?: string | undefined;
  with?: string[] | undefined;
};

/** What became of work that somebody gave. */
export function hubTaskWords(given: Given, now: number): string {
  const { state, member, with: others = [], at, machine, task, detail } = given;
  const who = [member, ...others].map(named).join(" and ");
  const [when, where] = [agoWords(at, now), named(machine.name)];
  const why = detail === undefined ? "" : `: ${safeLine(detail, { max: 300 })}`;
  if (state === "received") return `✓ ${who} gave it ${when}; received by ${where} as ${shortId(safeLine(task ?? ""))}`;
  if (state === "waiting") return `… 1 of 2: ${who} gave it ${when}; another approver is needed`;
  if (state === "refused") return `✗ ${who} gave it ${when}; refused by ${where}${why}`;
  if (state === "withdrawn") return `✗ ${who} gave it ${when}; it came to nothing${why}`;
  return machine.online
    ? `… ${who} gave it ${when}; on its way to ${where}`
    : `… ${who} gave it ${when}; ${where} hears it when it wakes`;
}

/** `Ada and Bob`, in the order in which they chose. */
export const byWhom = ({ member, with: others = [] }: Pick<Intent, "member" | "with">): string =>
  [...others, member].map(named).join(" and ");

/** What somebody chose, in a few words. */
export const choiceWords = ({ action, answers, message }: Decided, questions: readonly Question[]): string =>
  safeLine(answers ? describeAnswers(questions, answers) : [action, message].filter(Boolean).join(": "), { max: 120 });

/** `1 of 2: Ada chose Allow; another approver is needed`. */
export function halvesWords(halves: readonly Half[], questions: readonly Question[]): string {
  const chose = halves.map(({ member, settlement }) => `${named(member)} chose ${choiceWords(settlement, questions)}`);
  if (halves.length === 0) return "Two people have to choose the same";
  if (halves.length === 1) return `1 of 2: ${chose[0]}; another approver is needed`;
  return `${chose.join(", ")}: they do not agree, and nothing is sent`;
}

type Sent = {
  intent?: Intent | undefined;
  machine: Machine;
  halves?: readonly Half[] | undefined;
  questions: readonly Question[];
};

/** What became of an answer, for whoever gave it; `see`: where they look later, while nothing is known. */
export function answeredWords({ intent, machine, halves, questions }: Sent, now: number, see = ""): string {
  const [state, name] = [intent?.state, named(machine.name)];
  if (halves && (intent === undefined || state === "withdrawn")) return `… ${halvesWords(halves, questions)}`;
  if (intent && state === "received") return `✓ ${intent.with ? `${byWhom(intent)} agree; ` : ""}received by ${name}`;
  if (intent && state !== "sent") {
    const what = intent.reason === "demand" || intent.reason === "refused" ? "refused by" : `${state} on`;
    return `✗ ${what} ${name}${intent.detail === undefined ? "" : `: ${intent.detail}`}`;
  }
  const away = asleepWords(machine, now);
  return `… sent to ${name}${away === "" ? "" : ` (${away})`}${see}`;
}

/** `Ann was first (2026-11-16 13:34:45): Not today`, for whoever came later. */
export function firstWords(
  intent: Intent & { settlement?: Decided | undefined },
  questions: readonly Question[],
): string {
  const { answers, action = "" } = intent.settlement ?? {};
  const what = answers ? describeAnswers(questions, answers) : action;
  const were = intent.with ? "were" : "was";
  return `${byWhom(intent)} ${were} first (${clock(intent.at)}): ${safeLine(what, { max: 200 })}`;
}

/** What became of an answer that its member wants back. */
export function takenBackWords({ intent, machine }: Pick<Sent, "intent" | "machine">): string {
  const name = named(machine.name);
  if (intent === undefined || intent.state === "withdrawn") return "✓ taken back";
  if (intent.state !== "sent") return `✗ too late: ${name} has it`;
  return `… ${name} is asked to give it back, and says whether it can when it is there`;
}

export const NO_SECRET = "It asks for a secret, which a hub does not carry: answer it on its machine";

/** For whoever sees it and may not answer it. */
export const onlyLookWords = (grants: readonly { role: string }[]): string =>
  `You may look at this, not answer it: your role here is ${grants[0]?.role ?? "none"}`;

type Demand = { two: boolean; signed: boolean; project: string | null; kind: string | null; stake: string | null };

/** `two people, each signed: approval of site, where it is irreversible`. */
export const policyWords = (policy: Demand): string => `${needWords(policy)}: ${policyAboutWords(policy)}`;

export const needWords = ({ two, signed }: Pick<Demand, "two" | "signed">): string =>
  two ? (signed ? "two people, each with a signature" : "two people") : "a signature";

export function policyAboutWords({ project, kind, stake }: Omit<Demand, "two" | "signed">): string {
  const of = [
    kind === null ? "everything" : kind === TASK_KIND ? "tasks given here" : `kind ${safeLine(kind, { max: 40 })}`,
    project === null ? "" : `of ${safeLine(project, { max: 80 })}`,
    stake === null ? "" : `where this is at stake: ${safeLine(stake, { max: 40 })}`,
  ];
  return of.filter(Boolean).join(" ");
}

/** `Ada`, `the group ops`, `everybody`. */
export const stepName = ({ type, name }: Step): string =>
  type === "member" || name === EVERYBODY ? named(name) : `the group ${named(name)}`;

type RouteAbout = { project: string | null; kind: string | null; stakes: boolean };
/** What is said where there are none. */
export const NO_ROUTES = "None: nobody is told, whoever looks answers.";
export const NO_POLICIES = "Nothing: the first answer counts.";

/** `every approval of site with something at stake`. */
export function routeAboutWords({ project, kind, stakes }: RouteAbout): string {
  const what = kind === null ? "everything" : `every ${safeLine(kind, { max: 40 })}`;
  return `${what}${project === null ? "" : ` of ${safeLine(project)}`}${stakes ? " with something at stake" : ""}`;
}

export const passedOnWords = (afterMs: number): string => `reminded and passed on after ${duration(afterMs)} each`;

/** `every approval of site: Ada, then the group ops; reminded and passed on after 10 min each`. */
export const setRouteWords = (route: RouteAbout & { to: readonly Step[]; afterMs: number }): string =>
  `${routeAboutWords(route)}: ${route.to.map(stepName).join(", then ")}; ${passedOnWords(route.afterMs)}`;

/** `asked of Ada, then of the group ops`; later `asked of Ada, now of the group ops`. `goes on`: they are reminded, or it is the next one's. */
export function routeWords({ steps, step, people, next }: Route, now: number): string {
  if (people.length === 0) return `nobody of those it goes to may answer it: ${steps.map(stepName).join(", ")}`;
  const words = steps.map((each, i) => `${i === 0 ? "asked" : i === step ? "now" : "then"} of ${stepName(each)}`);
  const isWaiting = next !== undefined && next > now;
  return `${words.join(", ")}${isWaiting ? `; goes on in ${duration(next - now)}` : ""}`;
}

type Going = { route?: Route | undefined; claim?: (Claim & { id: string }) | undefined };

/** The same of a question: it does not go on while somebody is on it. */
export const askedOfWords = (ask: Going, now: number): string =>
  ask.route
    ? routeWords(isClaimed({ claim: ask.claim }, now) ? { ...ask.route, next: undefined } : ask.route, now)
    : "";

/** `Bob and Cy are looking`. */
export function lookingWords(looking: readonly { id: string; member: string }[], me: string | undefined): string {
  const others = looking.filter(({ id }) => id !== me).map(({ member }) => named(member));
  const last = others.at(-1);
  if (last === undefined) return "";
  return others.length === 1 ? `${last} is looking` : `${others.slice(0, -1).join(", ")} and ${last} are looking`;
}
