import { parse, stringify, TomlError } from "smol-toml";
import { checkConfig } from "../../core/config/check.ts";
import { LEAVES } from "../../core/config/config.ts";
import { nearestKey } from "../../core/config/nearest.ts";
import { placesIn } from "../../core/config/place.ts";
import { ParleyError } from "../../core/error.ts";
import { asRecord } from "../../core/record.ts";
import { safeLine } from "../../core/text/text.ts";
import { readExact, writeAtomic } from "../file/atomic-file.ts";

type Table = Record<string, unknown>;
/** A value of several lines may be replaced too, but no file without end is tried. */
const MOST_LINES = 200;

/**
 * Sets one key of a settings file, which is made where there is none.
 * Contract: the value passes every check that the file as a whole is under; all else in the file keeps its bytes. What
 * cannot be set like that is refused, and nothing is written. Answers the key of ours that it belongs to.
 */
export async function setConfig(file: string, key: string | readonly string[], word: string): Promise<string> {
  const before = await readExact(file);
  const data = parsed(before ?? "", file);
  const path = typeof key === "string" ? pathOf(key) : key;
  const leaf = leafOf(path);
  const { value, literal } = valueFor(data, path, word);
  const wanted = withValue(data, path, value);
  const text = edits(before ?? "", path, literal).find((each) => Bun.deepEquals(parsedOrNot(each), wanted));
  if (text === undefined)
    throw new ParleyError(
      "settings",
      `${file}: ${path.join(".")} stands where it cannot be changed from here; edit it`,
    );
  await writeAtomic(file, text, { expect: before ?? null });
  return leaf;
}

function parsed(text: string, file: string): Table {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ParleyError("settings", `${file}:${error.line}:${error.column} is not TOML: correct it first`, {
      cause: error,
    });
  }
}

function parsedOrNot(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** As in the file: `autopilot.projects."my.app"`. */
function pathOf(key: string): string[] {
  let at = parsedOrNot(`${key.replaceAll("\n", " ")} = 0`);
  const path: string[] = [];
  for (let table = asRecord(at); table; table = asRecord(at)) {
    const [name = ""] = Object.keys(table);
    path.push(name);
    at = table[name];
  }
  if (path.length === 0)
    throw new ParleyError("usage", `"${safeLine(key, { max: 80 })}" is no key. See: parley config`);
  return path;
}

/** Below some keys people choose the names themselves. */
function leafOf(path: readonly string[]): string {
  const leaf = LEAVES.find((known) => known.path.every((part, i) => part === path[i]));
  if (leaf) return leaf.key;
  const near = nearestKey(path.slice(0, -1), path.at(-1) ?? "");
  throw new ParleyError("usage", `unknown key ${safeLine(path.join("."), { max: 80 })}; did you mean ${near}?`);
}

/** `true`, `5` and `["a"]` are what they look like, where such a thing is wanted; everything else is text. */
function valueFor(data: Table, path: readonly string[], word: string): { value: unknown; literal: string } {
  const line = word.replaceAll("\n", " ");
  const read = asRecord(parsedOrNot(`x = ${line}`));
  const text = { value: word, literal: stringify({ x: word }).slice("x = ".length).trimEnd() };
  const ways = [...(read && Object.keys(read).length === 1 ? [{ value: read["x"], literal: line.trim() }] : []), text];
  const known = new Set(checkConfig(data, "user").complaints.map(({ message }) => message));
  const judged = ways.map((way) => ({
    way,
    wrong: checkConfig(withValue(data, path, way.value), "user").complaints.filter(
      ({ message }) => !known.has(message),
    ),
  }));
  const good = judged.find(({ wrong }) => wrong.length === 0);
  if (good) return good.way;
  throw new ParleyError("invalid", (judged[0]?.wrong ?? []).map(({ message }) => message).join("; "));
}

function withValue(data: Table, [name = "", ...rest]: readonly string[], value: unknown): Table {
  if (rest.length === 0) return { ...data, [name]: value };
  return { ...data, [name]: withValue(asRecord(data[name]) ?? {}, rest, value) };
}

/** Ways to write it, the tidiest first; which of them says what is meant a parser tells. */
function* edits(text: string, path: readonly string[], literal: string): Generator<string> {
  const lines = text.split("\n");
  const placeOf = placesIn(text);
  const name = keyWord(path.at(-1) ?? "");
  const [place, table] = [placeOf(path), placeOf(path.slice(0, -1))];
  const put = (at: number, remove: number, ...added: string[]) => lines.toSpliced(at, remove, ...added).join("\n");
  if (place) {
    const line = lines[place.line - 1] ?? "";
    const [, head = `${name} = `] = /^(\s*(?:[\w.\s-]|"[^"]*"|'[^']*')+=\s*)/.exec(line) ?? [];
    const [, remark = ""] = /(\s+#[^#]*)$/.exec(line) ?? [];
    yield put(place.line - 1, 1, `${head}${literal}${remark}`);
    for (let count = 1; count <= MOST_LINES && place.line - 1 + count <= lines.length; count++)
      yield put(place.line - 1, count, `${head}${literal}`);
    return;
  }
  if (path.length === 1) return yield put(0, 0, `${name} = ${literal}`);
  if (table) yield put(table.line, 0, `${name} = ${literal}`);
  const header = `[${path.slice(0, -1).map(keyWord).join(".")}]`;
  const rest = text.trimEnd();
  yield `${rest}${rest === "" ? "" : "\n\n"}${header}\n${name} = ${literal}\n`;
}

const keyWord = (name: string) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));
