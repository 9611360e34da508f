/** One line of JSON. Contract: read back it is the same value, and no character of it steers a terminal. */
export function jsonLine(value: unknown): string {
  return `${escapeControls(JSON.stringify(value))}\n`;
}

/** The same JSON, in which no character steers a terminal. */
export function escapeControls(json: string): string {
  return isPlain(json) ? json : json.replace(STEERING, escaped);
}

/**
 * Most of it is, with the accents, dashes and marks of our own sentences: then there is nothing to look for in it. A loop,
 * because a pattern takes five times as long where one character is a wide one.
 */
function isPlain(json: string): boolean {
  for (let i = 0; i < json.length; i++) {
    const unit = json.charCodeAt(i);
    if (unit > 0x7e && !isHarmless(unit)) return false;
  }
  return true;
}

const isHarmless = (unit: number): boolean =>
  (unit >= 0xa0 && unit <= 0x2ff && unit !== 0xad) ||
  (unit >= 0x2010 && unit <= 0x2027) ||
  (unit >= 0x2030 && unit <= 0x205e) ||
  (unit >= 0x2190 && unit <= 0x27bf);

/** JSON escapes only the controls below U+0020; these outside are invisible, turn text round or are controls too. */
const STEERING = /[\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
