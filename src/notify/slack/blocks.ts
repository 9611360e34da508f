import type { Sheet, SheetQuestion } from "../chat/chat-sheet.ts";
import { buttonData } from "../chat/button-data.ts";
import type { Json } from "./api.ts";
import type { Note } from "../note.ts";

export type Block = { type: string } & Json;

/** Block Kit's limits: 25 elements of an actions block, with room for the form's button. */
const MOST_BUTTONS = 20;
const LONGEST = { section: 3000, button: 75, option: 75, context: 2000, code: 2900 };

// Everything a model wrote stands in plain_text or as a literal of rich text: there is no <!channel> and no link in it.

/** What a message says above its buttons. `mentions`: ids of those who may answer; so Slack rings there. */
export function questionBlocks({ head, questions, where, more }: Sheet, mentions: readonly string[]): Block[] {
  const people = mentions.slice(0, 50).map((id) => `<@${id}>`);
  const elements = [
    plain(head.join("\n") || "Parley", LONGEST.context),
    ...(people.length > 0 ? [{ type: "mrkdwn", text: people.join(" ") }] : []),
  ];
  return [
    { type: "context", elements },
    ...questions.flatMap((question, i) => partsOf(question, i, questions.length)),
    ...(where === undefined ? [] : [section(where)]),
    ...(more === undefined ? [] : [context(more)]),
  ];
}

/** The same that a form shows above its fields. */
function partsOf({ text, body, lines }: SheetQuestion, at: number, of: number): Block[] {
  const count = of > 1 ? `(${at + 1} of ${of})\n` : "";
  return [
    section(`${count}${text}`),
    ...(body === undefined ? [] : [code(body)]),
    ...(lines.length > 0 ? [section(lines.join("\n"))] : []),
  ];
}

/** What can be pressed. Empty: it is not answered here. */
export function actionBlocks(sheet: Sheet): Block[] {
  const { ask, version, questions, where, isGrave } = sheet;
  const [first, ...others] = questions;
  if (!first || where !== undefined) return [];
  // A form is a second step, which what is at stake takes; what several are chosen for has its own.
  if (others.length > 0 || first.field || (isGrave && !first.multiSelect))
    return [actions([formButton(sheet, "Answer…", "primary")])];
  const more = formButton(sheet, first.ownWords ? "Own words, note…" : "With a note…");
  if (first.options.length === 0) return [actions([formButton(sheet, "Answer…", "primary")])];
  if (first.multiSelect) {
    const done = { ...button("done", "Done", `m.${ask}.${version.toString(36)}`), style: "primary" };
    return [
      { ...section("Choose, then press Done:"), block_id: "ticks", accessory: select(first) },
      actions([done, more]),
    ];
  }
  const value = (option: number) => buttonData(ask, version, { type: "press", question: 0, option });
  if (first.options.length > MOST_BUTTONS) {
    const options = first.options.map(({ option, label }) => choice(label, value(option)));
    const list = { type: "static_select", action_id: "pick", placeholder: plain("Choose one", 150), options };
    return [actions([list, more])];
  }
  return [
    actions([...first.options.map(({ option, label }) => button(`press.${option}`, label, value(option))), more]),
  ];
}

/** A form for all of it: options, own words, notes. `message`: which one it was opened from. */
export function formView({ ask, version, questions }: Sheet, message: string): Json {
  const blocks = questions.flatMap((question, at): Block[] => {
    const { options, multiSelect, ownWords, field } = question;
    const name = multiSelect ? "Choose any" : "Choose one";
    const write = options.length > 0 ? "Or in your own words" : field ? "What goes there" : "Your words";
    return [
      ...partsOf(question, at, questions.length),
      ...(options.length > 0 ? [input(`${at}.pick`, name, select(question))] : []),
      ...(ownWords
        ? [
            input(
              `${at}.text`,
              multiSelect && options.length > 0 ? "Or also in your own words" : write,
              writing(field?.start.text),
            ),
          ]
        : []),
      ...(options.length > 0 && !field ? [input(`${at}.note`, "Note", writing())] : []),
    ];
  });
  const free = questions.flatMap(({ field }, at) => (field?.isFree ? [at] : []));
  const private_metadata = JSON.stringify({ ask, version, message, free });
  return {
    type: "modal",
    callback_id: "answer",
    private_metadata,
    title: plain("Answer", 24),
    submit: plain("Send", 24),
    close: plain("Not now", 24),
    blocks,
  };
}

export function pairView(message: string): Json {
  const element = { type: "plain_text_input", action_id: "v", max_length: 64 };
  const label = plain("The code that parley notify pair slack shows", 2000);
  return {
    type: "modal",
    callback_id: "pair",
    private_metadata: JSON.stringify({ message }),
    title: plain("Pair with Parley", 24),
    submit: plain("Pair", 24),
    close: plain("Not now", 24),
    blocks: [{ type: "input", block_id: "code", label, element }],
  };
}

/** In the place of a form that is over. */
export const wordsView = (words: string): Json => ({
  type: "modal",
  title: plain("Parley", 24),
  close: plain("Close", 24),
  blocks: [section(words)],
});

/** A link, where there is one: in plain words Slack shows none. */
export function pageBlocks({ digest, page }: Note): Block[] {
  if (!digest || page === undefined) return [];
  const link = { type: "link", url: page, text: "Open the digest" };
  return [{ type: "rich_text", elements: [{ type: "rich_text_section", elements: [link] }] }];
}

export const pairBlocks = (words: string): Block[] => [
  section(words),
  actions([{ ...button("pair", "Pair", "pair"), style: "primary" }]),
];

export const testBlocks = (words: string, nonce: string): Block[] => [
  section(words),
  actions([button("test", "It works", `test.${nonce}`)]),
];

/** Nothing of it can be pressed any more. */
export function markedBlocks(blocks: readonly Block[], words: string): Block[] {
  const left = blocks.filter(({ type, accessory }) => type !== "actions" && accessory === undefined);
  return [...left.slice(0, 49), context(words)];
}

export const section = (text: string): Block => ({ type: "section", text: plain(text, LONGEST.section) });
const context = (text: string): Block => ({ type: "context", elements: [plain(text, LONGEST.context)] });
const actions = (elements: Json[]): Block => ({ type: "actions", elements });

const code = (text: string): Block => ({
  type: "rich_text",
  elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text: cut(text, LONGEST.code) }] }],
});

const button = (action_id: string, label: string, value: string) => ({
  type: "button",
  action_id,
  text: plain(label, LONGEST.button),
  value,
});

const formButton = ({ ask, version }: Sheet, label: string, style?: "primary") => ({
  ...button("form", label, `f.${ask}.${version.toString(36)}`),
  ...(style && { style }),
});

function select({ options, multiSelect, field }: SheetQuestion) {
  const offered = options.slice(0, 100).map(({ option, label }) => choice(label, String(option)));
  const [first, ...others] = offered.filter(({ value }) => field?.start.picks.includes(Number(value)));
  return {
    type: multiSelect ? "multi_static_select" : "static_select",
    action_id: "v",
    placeholder: plain(multiSelect ? "Choose any" : "Choose one", 150),
    options: offered,
    ...(first && (multiSelect ? { initial_options: [first, ...others] } : { initial_option: first })),
  };
}

const choice = (label: string, value: string) => ({ text: plain(label, LONGEST.option), value });

const LONGEST_WORDS = 3000;
const writing = (start = "") => ({
  type: "plain_text_input",
  action_id: "v",
  multiline: true,
  max_length: LONGEST_WORDS,
  ...(start !== "" && start.length <= LONGEST_WORDS && { initial_value: start }),
});

const input = (block_id: string, label: string, element: Json): Block => ({
  type: "input",
  block_id,
  optional: true,
  label: plain(label, 2000),
  element,
});

/** `emoji: false`: colons stay colons. */
export const plain = (text: string, max: number) => ({ type: "plain_text", text: cut(text, max), emoji: false });

/** Not through the middle of a character. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text
    .slice(0, max - 2)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}

/** For a field in Slack's own markup: what looks like markup is none. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
