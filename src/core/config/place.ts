/** Where something stands in a file, both counted from 1. */
export type Place = { line: number; column: number };
export type Path = readonly (string | number)[];

/**
 * Where each key and list element of a TOML text stands.
 * Contract: the text is valid TOML, a parser has said so; of other text the places are wrong, but it ends.
 */
export function placesIn(text: string): (path: Path) => Place | undefined {
  const places = new Map<string, number>();
  /** How many `[[name]]` there were so far, by path. */
  const counts = new Map<string, number>();
  const at = (path: Path, index: number) => {
    if (!places.has(nameOf(path))) places.set(nameOf(path), index);
  };
  let i = 0;
  let table: Path = [];
  while ((skip(/[\s\uFEFF]+|#[^\n]*/y), i < text.length)) {
    const start = i;
    if (text[i] === "[") header();
    else pair(table);
    // Not TOML after all: on with the next character.
    if (i === start) i++;
  }
  return (path) => {
    const index = places.get(nameOf(path));
    return index === undefined ? undefined : placeOf(text, index);
  };

  function header(): void {
    const start = i;
    const isList = text.startsWith("[[", i);
    i += isList ? 2 : 1;
    const names = keys();
    i += isList ? 2 : 1;
    const last = names.pop() ?? "";
    const parent = names.reduce<Path>((path, name) => current([...path, name]), []);
    const path = [...parent, last];
    if (isList) counts.set(nameOf(path), (counts.get(nameOf(path)) ?? -1) + 1);
    for (let n = 1; n <= path.length; n++) at(path.slice(0, n), start);
    table = current(path);
    at(table, start);
  }

  /** Of a list of tables the newest. */
  function current(path: Path): Path {
    const count = counts.get(nameOf(path));
    return count === undefined ? path : [...path, count];
  }

  function pair(parent: Path): void {
    const start = i;
    const names = keys();
    for (let n = 1; n <= names.length; n++) at([...parent, ...names.slice(0, n)], start);
    skip(/[ \t]*=?[ \t]*/y);
    value([...parent, ...names]);
  }

  function keys(): string[] {
    const names: string[] = [];
    for (;;) {
      skip(/[ \t]+/y);
      const found = take(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+/y);
      if (found === "") return names;
      if (names.length < DEEPEST) names.push(unquoted(found));
      skip(/[ \t]+/y);
      if (text[i] !== ".") return names;
      i++;
    }
  }

  function value(path: Path): void {
    const rest = text[i];
    if (rest === "[" || rest === "{") return inside(path, rest);
    skip(LONG_STRING);
    skip(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^,\]}#\n"']+/y);
  }

  function inside(path: Path, open: "[" | "{"): void {
    const close = open === "[" ? "]" : "}";
    i++;
    for (let n = 0; ; n++) {
      for (let before = -1; before !== i;) {
        before = i;
        skip(/[\s,]+|#[^\n]*/y);
      }
      const start = i;
      if (i >= text.length || text[i] === close) break;
      if (open === "{") pair(path);
      else {
        at([...path, n], start);
        value([...path, n]);
      }
      if (i === start) i++;
    }
    i++;
  }

  function skip(pattern: RegExp): void {
    for (let found = take(pattern); found !== ""; found = take(pattern));
  }

  function take(pattern: RegExp): string {
    pattern.lastIndex = i;
    const found = pattern.exec(text)?.[0] ?? "";
    i += found.length;
    return found;
  }
}

/** A path has its price for every part, and files may be of strangers. */
const DEEPEST = 10;
/** Up to two quotes may stand before the closing three. */
const LONG_STRING = /"""(?:[^\\"]|\\[^]|"{1,2}(?!"))*"{3,5}|'''(?:[^']|'{1,2}(?!'))*'{3,5}/y;

function placeOf(text: string, index: number): Place {
  const lines = text.slice(0, index).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function unquoted(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1);
  if (!key.startsWith('"')) return key;
  try {
    return String(JSON.parse(key));
  } catch {
    return key.slice(1, -1);
  }
}

const nameOf = (path: Path) => JSON.stringify(path);
