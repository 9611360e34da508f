import { ParleyError } from "../../error.ts";

/** What one place of a pattern accepts: a unit of text without case, or a fact about the place itself. */
export type Unit = (unit: string) => boolean;
export type Assertion = "start" | "end" | "edge" | "no-edge";
export type Node =
  | { type: "unit"; accepts: Unit; literal?: string }
  | { type: "assert"; that: Assertion }
  | { type: "all"; nodes: Node[] }
  | { type: "any"; nodes: Node[] }
  | { type: "repeat"; node: Node; min: number; max: number };

const LONGEST_PATTERN = 200;
const MOST_REPEATS = 100;

/**
 * A pattern without what cannot be matched in linear time: no references, no looking around. Case never counts.
 * Throws with a sentence for the person who wrote it.
 */
export function parsePattern(source: string): Node {
  if (source.length > LONGEST_PATTERN) throw refused(`it is longer than ${LONGEST_PATTERN} characters`);
  const text = source.toLowerCase();
  let at = 0;
  const node = alternatives();
  if (at < text.length) throw refused(`there is a ")" too many at ${at + 1}`);
  return node;

  function alternatives(): Node {
    const nodes = [sequence()];
    while (text[at] === "|") {
      at += 1;
      nodes.push(sequence());
    }
    return nodes.length === 1 && nodes[0] ? nodes[0] : { type: "any", nodes };
  }

  function sequence(): Node {
    const nodes: Node[] = [];
    while (at < text.length && text[at] !== "|" && text[at] !== ")") nodes.push(repeated(atom()));
    return { type: "all", nodes };
  }

  function repeated(node: Node): Node {
    const count = /^(?:[*+?]|\{(\d{1,3})(,(\d{1,3})?)?\})\??/.exec(text.slice(at));
    if (!count) return node;
    at += count[0].length;
    if (node.type === "assert") throw refused(`nothing can be repeated before ${at}`);
    return repeated({ type: "repeat", node, ...rangeOf(count) });
  }

  function atom(): Node {
    const unit = text[at] ?? "";
    at += 1;
    if (unit === "(") return group();
    if (unit === "[") return { type: "unit", accepts: set() };
    if (unit === "^") return { type: "assert", that: "start" };
    if (unit === "$") return { type: "assert", that: "end" };
    if (unit === ".") return { type: "unit", accepts: (other) => other !== "\n" };
    if (unit === "\\") return escaped();
    if ("*+?".includes(unit)) throw refused(`there is nothing to repeat at ${at}`);
    return literal(unit);
  }

  function group(): Node {
    if (text.startsWith("?:", at)) at += 2;
    if (text[at] === "?") throw refused(`looking around and naming groups are not possible, at ${at}`);
    const node = alternatives();
    if (text[at] !== ")") throw refused('a ")" is missing');
    at += 1;
    return node;
  }

  function escaped(): Node {
    const letter = text[at] ?? "";
    // The case of what follows a backslash means something, and only there.
    const written = source[at] ?? "";
    at += 1;
    if (letter === "") throw refused("it ends with a backslash");
    if (letter === "b") return { type: "assert", that: written === "b" ? "edge" : "no-edge" };
    const kind = kindOf(written);
    if (kind) return { type: "unit", accepts: kind };
    if (/[a-z0-9]/.test(letter)) throw refused(`\\${written} is not possible here`);
    return literal(letter);
  }

  function set(): Unit {
    const isNegated = text[at] === "^";
    if (isNegated) at += 1;
    const members: Unit[] = [];
    while (text[at] !== "]" || members.length === 0) {
      if (at >= text.length) throw refused('a "]" is missing');
      members.push(member());
    }
    at += 1;
    return (unit) => members.some((accepts) => accepts(unit)) !== isNegated;
  }

  function member(): Unit {
    const from = setUnit();
    if (typeof from !== "string") return from;
    if (text[at] !== "-" || text[at + 1] === "]" || at + 1 >= text.length) return (unit) => unit === from;
    at += 1;
    const to = setUnit();
    if (typeof to !== "string" || to < from) throw refused(`the range before ${at + 1} has no end`);
    return (unit) => unit >= from && unit <= to;
  }

  function setUnit(): string | Unit {
    const unit = text[at] ?? "";
    at += 1;
    if (unit !== "\\") return unit;
    const written = source[at] ?? "";
    at += 1;
    return kindOf(written) ?? written.toLowerCase();
  }
}

function literal(unit: string): Node {
  return { type: "unit", accepts: (other) => other === unit, literal: unit };
}

const KINDS: Record<string, RegExp> = { d: /[0-9]/, w: /[\p{L}\p{N}_]/u, s: /\s/ };

function kindOf(letter: string): Unit | undefined {
  if (letter === "n") return (unit) => unit === "\n";
  if (letter === "t") return (unit) => unit === "\t";
  const kind = KINDS[letter.toLowerCase()];
  return kind && ((unit) => kind.test(unit) === (letter === letter.toLowerCase()));
}

function rangeOf([sign = "", least, comma, most]: RegExpExecArray): { min: number; max: number } {
  if (sign.startsWith("*")) return { min: 0, max: Infinity };
  if (sign.startsWith("+")) return { min: 1, max: Infinity };
  if (sign.startsWith("?")) return { min: 0, max: 1 };
  const min = Number(least);
  const max = comma === undefined ? min : most === undefined ? Infinity : Number(most);
  if (max < min || min > MOST_REPEATS || (max > MOST_REPEATS && max !== Infinity))
    throw refused(`{${min},${max}} is no range up to ${MOST_REPEATS}`);
  return { min, max };
}

export function refused(why: string): ParleyError {
  return new ParleyError("invalid", `This pattern cannot be used: ${why}`);
}
