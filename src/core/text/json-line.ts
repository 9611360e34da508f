/** One line of JSON. Contract: read back it is the same value, and no character of it steers a terminal. */
export function jsonLine(value: unknown): string {
  return `${escapeControls(JSON.stringify(value))}\n`;
}

/** The same JSON, in which no character steers a terminal. */
export function escapeControls(json: string): string {
  return PLAIN.test(json) ? json : json.replace(STEERING, escaped);
}

/** Most of it is, with the accents, dashes and marks of our own sentences: then there is nothing to look for in it. */
const PLAIN = /^[\x00-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u27bf]*$/;

/** JSON escapes only the controls below U+0020; these outside are invisible, turn text round or are controls too. */
const STEERING = /[\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
