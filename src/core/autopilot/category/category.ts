import type { Question } from "../../ask/question.ts";
import type { Category } from "./category-name.ts";
import { ARCHITECTURE, count, EXTENT, SCOPE, STYLE } from "./category-words.ts";
import { type LabelKind, labelKind } from "./label-kind.ts";
import { plain, plainLabel } from "../plain.ts";

export type Classified = { category: Category; why: string };

type Reading = {
  /** The sentence that asks, without what stands in brackets. */
  asks: string;
  about: string;
  labels: string[];
  details: string;
  kinds: LabelKind[];
  multiSelect: boolean;
};

const MOST_OPTIONS = 20;

/** What kind of question it is, from its shape first and its words after. */
export function classify(question: Question): Classified {
  const reading = read(question);
  return byShape(reading) ?? byWords(reading);
}

function read({ text, header, options, multiSelect }: Question): Reading {
  const shown = options.slice(0, MOST_OPTIONS);
  const labels = shown.map(({ label }) => plainLabel(label.slice(0, 300)));
  const words = plain(text.slice(0, 4000));
  return {
    asks: askingSentence(words),
    about: `${plain(header.slice(0, 100))} ${words}`,
    labels,
    details: shown.map(({ description }) => plain(description.slice(0, 300))).join(" "),
    kinds: shown.map(({ label, description }) => labelKind(label, description)),
    multiSelect,
  };
}

function byShape(reading: Reading): Classified | undefined {
  const { asks, kinds, labels, multiSelect } = reading;
  const has = (kind: LabelKind) => kinds.includes(kind);
  if (labels.length === 0 && POLAR.test(asks)) return { category: "confirmation", why: "it asks for a yes" };
  if (labels.length === 0) return { category: "open-floor", why: "there are no options: the answer is typed" };
  if (multiSelect) return { category: "scope-selection", why: "several options may be taken" };
  if (has("delegate")) return { category: "delegation", why: `"${at(labels, kinds, "delegate")}" is offered` };
  const confirmation = asConfirmation(reading);
  const saysYes = labels.some((label) =>
    /^(?:y|yes|yep|yeah|ok|okay|proceed|continue|approve)(?![\p{L}])/u.test(label),
  );
  if (confirmation && (saysYes || !OPENS_FLOOR.test(asks))) return { category: "confirmation", why: confirmation };
  if (has("open"))
    return { category: "open-floor", why: `"${at(labels, kinds, "open")}" invites an answer of one's own` };
  if (OPENS_FLOOR.test(asks)) return { category: "open-floor", why: "it asks what is wanted" };
  return undefined;
}

const OPENS_FLOOR =
  /^(?:so,? |now,? |ok,? )?(?:what(?: else)? (?:would you like|do you want|do you need|should (?:i|we) do|shall (?:i|we) do|now|next|else|comes next|are you)|what's (?:next|left|missing)|(?:is there )?anything (?:else|you)|any (?:other|additional|requirements|preferences|thoughts|questions|feedback|concerns)|how would you like to (?:proceed|continue|start)|how (?:do|should) (?:you|we|i) (?:want to )?(?:proceed|continue|begin|start|kick off)|where (?:would you like|do you want|should (?:we|i)) (?:to )?(?:start|begin)|tell me|describe|please (?:describe|provide|share|specify))/;
const POLAR =
  /^(?:so,? |now,? |ok,? )?(?:is|are|was|were|do|does|did|should|shall|can|could|may|will|would|has|have|am|ready|want|need|okay|ok to|ok if|proceed|continue|confirm|approve|accept|apply|create|run|save|use|start|begin|add|enable|disable|keep|commit|merge|push|deploy|delete|remove|update|install|spawn|archive|include|skip|retry|fix|generate|verify|research|map|open|send|write|go|move|mark|attempt|overwrite|publish|auto-\S+|allow|implement|execute|record|set up|switch|upgrade|replace|rename|stop|try|more)(?![\p{L}\p{N}])/u;
const ALTERNATIVES = /(?<![\p{L}])(?:or|versus|vs)(?![\p{L}])/u;

/** A yes or no in its options, or a question for a yes with one option that says no to it. */
function asConfirmation({ asks, kinds, labels }: Reading): string | undefined {
  const yes = kinds.filter((kind) => kind === "yes").length;
  const no = kinds.filter((kind) => kind === "no" || kind === "none").length;
  if (kinds.length === 1 && yes === 1) return "the only option affirms it";
  const isPolar = POLAR.test(asks);
  if (yes > 0 && no > 0 && (isPolar || yes + no >= kinds.length - 1)) return "one option affirms it, another does not";
  if (!isPolar || kinds.length > 4) return undefined;
  if (yes > 0 && !ALTERNATIVES.test(asks)) return "it can be affirmed";
  const echoing = labels.filter((label, i) => kinds[i] === "content" && echoes(label, asks));
  const echo = echoing.length === 1 ? echoing[0] : undefined;
  if (no > 0 && no >= kinds.length - 2 && (echo !== undefined || kinds.length === 2))
    return echo === undefined ? "one option is against it, the other for it" : `"${echo}" repeats what it asks for`;
  return echo !== undefined && kinds.length === 2 && !ALTERNATIVES.test(asks)
    ? `"${echo}" repeats what it asks for`
    : undefined;
}

function echoes(label: string, asks: string): boolean {
  const [first = ""] = label.split(" ");
  const stem = first.replace(/(?:e?s|ed|ing)$/, "");
  return stem.length > 2 && asks.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(stem));
}

/** The words of question and header weigh twice: options often name things that are not what it is about. */
function byWords({ about, asks, labels, details }: Reading): Classified {
  const offered = `${labels.join(" ")} ${details}`;
  const weigh = (pattern: RegExp) => 2 * count(pattern, about) + Math.min(4, count(pattern, offered));
  const steps = labels.filter((label) => EXTENT.test(label)).length;
  const isScale = steps >= 2 && steps * 2 >= labels.length;
  const [style, architecture] = [weigh(STYLE), weigh(ARCHITECTURE)];
  const scope = weigh(SCOPE) + (SIZES.test(asks) ? 4 : 0) + (isScale ? 4 : 0);
  const most = Math.max(style, architecture, scope);
  if (labels.every((label) => PLACEHOLDER.test(label)) && details.length < 20 * labels.length)
    return { category: "unclassifiable", why: "its options say nothing" };
  if (FACT.test(asks)) return { category: "unclassifiable", why: "it asks for a fact, not for a decision" };
  if (most < 2 && !DESIGNS.test(asks))
    return { category: "unclassifiable", why: "neither its shape nor its words say what it is about" };
  if (scope === most && scope > architecture && scope > style)
    return { category: "scope-selection", why: "it asks what or how much to include" };
  if (style > architecture) return { category: "style-preference", why: "it is about how things look or are named" };
  return { category: "architecture-decision", why: "it is about how things are built or behave" };
}

const SIZES =
  /how (?:much|many|far|thorough|comprehensive|deep|extensive|broad)|what (?:should|does|will) (?:v\d|the (?:first|initial|mvp)|it) (?:include|cover)|^which (?:features?|areas?|files|phases?|parts?|items|sections|tests|platforms|stories|tasks|requirements|milestones?)(?![\p{L}])|^which (?:\S+ ){1,4}(?:should|must|do|would|will|shall) .{0,40}(?:analy[sz]ed?|review(?:ed)?|test(?:ed)?|executed?|cover(?:ed)?|included?|fix(?:ed)?|audit(?:ed)?|discuss(?:ed)?|scan(?:ned)?|document(?:ed)?|process(?:ed)?|check(?:ed)?|refactor(?:ed)?)(?![\p{L}])/u;
const PLACEHOLDER = /^(?:(?:option|choice|answer|item|approach) )?(?:[a-h]|\d{1,2})$/;
/** How something is, which nobody decides by answering. */
const FACT =
  /^(?:what (?:is|are) (?:your|the current)|who (?:is|are)|what \S+ (?:runs|starts|builds)|which \S+ (?:do|are) you (?:using|on|currently)|what (?:type|kind|sort) of \S+ (?:is|are) (?:this|it|these)|how (?:urgent|important|experienced|familiar|confident|critical|severe|old))(?![\p{L}])/u;
const DESIGNS =
  /^(?:how|where|when) (?:should|does|do|will|is|are|must)|^what (?:happens|should happen)|^(?:which|what) \S+ \S+/;

function askingSentence(words: string): string {
  const bare = words
    .replace(/\([^()]{0,300}\)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const sentences = bare.split(/(?<=[.!?:])\s|\s[\u2014\u2013]\s/);
  return (sentences.findLast((sentence) => sentence.endsWith("?")) ?? bare).trim();
}

function at(labels: readonly string[], kinds: readonly LabelKind[], kind: LabelKind): string {
  return labels[kinds.indexOf(kind)] ?? "";
}
