/**
 * Text from a model, safe to print on a terminal. The mark for what cannot be shown is U+FFFD: one column wide, in every
 * font, and without a meaning of its own, while control pictures such as U+241B are missing from many fonts.
 */
export function safeText(text: string, { max }: { max?: number } = {}): string {
  const safe = PLAIN.test(text) ? text : cleaned(text);
  return max === undefined ? safe : truncate(safe, max);
}

/** Most texts have nothing to clean; to see that costs a tenth of cleaning. */
const PLAIN = /^[\n -~]*$/;

function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replace(SEQUENCE, "")
    .replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, "\n")
    .replace(/\t/g, "    ")
    .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "\ufffd")
    .replace(INVISIBLE, "")
    .replace(JOINER, "$1");
}

export function safeLine(text: string, { max }: { max?: number } = {}): string {
  const line = isPlainLine(text) ? text : safeText(text).replace(/\s+/g, " ").trim();
  return max === undefined ? line : truncate(line, max);
}

const PRINTABLE = /^[ -~]*$/;

/** Printable ASCII with single spaces between: it is safe and one line as it stands. By the engine's own searches, which need no warming. */
function isPlainLine(text: string): boolean {
  return PRINTABLE.test(text) && !text.includes("  ") && !text.startsWith(" ") && !text.endsWith(" ");
}

/** As the beginning of a line of its own. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** At most `max` characters as a person counts them, the `…` included. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 1) return "";
  // Each letter is one as a person counts.
  if (PLAIN.test(text)) return `${text.slice(0, Math.ceil(max) - 1)}…`;
  let size = 0;
  let cut = 0;
  for (const { segment, index } of graphemes().segment(text)) {
    size += sizeOf(segment);
    if (size > max) return `${text.slice(0, cut)}…`;
    if (size < max) cut = index + segment.length;
  }
  return text;
}

export function characterCount(text: string): number {
  // Without a carriage return, which makes one with a line feed, each is one.
  if (PLAIN.test(text)) return text.length;
  let size = 0;
  for (const { segment } of graphemes().segment(text)) size += sizeOf(segment);
  return size;
}

/** The last part of a text, at most `maxBytes` of UTF-8; no character is split. */
export function tailText(text: string, maxBytes: number): string {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const units = isPair(text, start - 2) ? 2 : 1;
    bytes += units === 2 ? 4 : bytesOf(text.charCodeAt(start - 1));
    if (bytes > maxBytes) break;
    start -= units;
  }
  return text.slice(start);
}

let segmenter: Intl.Segmenter | undefined;
/** Made when it is first needed: it takes 2 ms, which every command would wait for. */
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/**
 * Alternatives: strings (OSC, DCS, APC, PM, SOS), CSI, all other escapes. One pass, because removing in several could join
 * the halves of a new sequence. A string nobody ended stops at the end of its line, so it cannot hide the rest of a question;
 * it also stops before the next escape or C1 character, which keeps a text full of openings linear.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|[^\r\n\x07\x18\x1a\x1b\x80-\x9f]*)`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -\/]*[@-~]?`,
    String.raw`\x1b[ -\/]*[0-~]`,
  ].join("|"),
  "g",
);

const SELECTIVE = String.raw`[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`;
const INVISIBLE = new RegExp(String.raw`[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--${SELECTIVE}]`, "gv");

const JOINING_SCRIPTS = "Arab Syrc Mand Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt"
  .split(" ")
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");

/** Group 1 is what makes an emoji or a script work; the same characters anywhere else carry hidden data. */
const JOINER = new RegExp(
  `(${[
    String.raw`(?<=[${JOINING_SCRIPTS}])[\u200c\u200d]`,
    String.raw`(?<=[\p{ExtPict}\p{EMod}]\ufe0f?)\u200d(?=\p{ExtPict})`,
    String.raw`(?<=[\p{Emoji}--[0-9#*]])[\ufe0e\ufe0f]`,
    String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
    String.raw`(?<=\p{scx=Hani})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{scx=Mong})[\u180b-\u180d\u180f]`,
  ].join("|")})|${SELECTIVE}`,
  "gv",
);

/** One grapheme can hold a megabyte of combining marks; it counts once for every 32 units begun. */
function sizeOf(grapheme: string): number {
  return Math.ceil(grapheme.length / 32);
}

function isPair(text: string, index: number): boolean {
  return index >= 0 && (text.codePointAt(index) ?? 0) > 0xffff;
}

function bytesOf(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}
