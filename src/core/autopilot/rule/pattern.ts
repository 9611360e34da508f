import { type Assertion, type Node, parsePattern, refused, type Unit } from "./pattern-parse.ts";

/** Whether a text matches, anywhere in it and whatever its case. */
export type Pattern = (text: string) => boolean;

type Instruction =
  | { does: "unit"; accepts: Unit }
  | { does: "split"; to: readonly number[] }
  | { does: "assert"; that: Assertion }
  | { does: "match" };
/** The places a match may have come to, and the kind of unit before them. */
type State = {
  places: readonly number[];
  before: Before;
  next: (Next | undefined)[];
  rare: Map<number, Next>;
  atEnd?: boolean;
};
type Next = State | true;
type Before = "start" | "word" | "other";

const LONGEST_PROGRAM = 2000;
const LONGEST_TEXT = 10_000;
const MOST_STATES = 500;
const END = "";

/**
 * All ways through a pattern are followed at once, so no pattern and no text can take more than their lengths multiplied:
 * a backtracking matcher can be made to run for years. What was found out about a place is kept for the next text.
 */
export function compilePattern(source: string): Pattern {
  const parsed = parsePattern(source);
  const needed = longestLiteral(parsed);
  const program = programOf(parsed);
  const [first] = program;
  const starts = first?.does === "assert" && first.that === "start" ? [] : [0];
  let states = new Map<string, State>();

  return (text) => {
    const seen = text.slice(0, LONGEST_TEXT).toLowerCase();
    if (!seen.includes(needed)) return false;
    let state = stateFor([0], "start");
    for (let i = 0; i < seen.length; i++) {
      const next = after(state, seen.charCodeAt(i));
      if (next === true) return true;
      if (next.places.length === 0) return false;
      state = next;
    }
    return (state.atEnd ??= follow(state, END) === true);
  };

  function stateFor(places: readonly number[], before: Before): State {
    const name = `${before} ${places.join(" ")}`;
    const known = states.get(name);
    if (known) return known;
    if (states.size >= MOST_STATES) states = new Map();
    const state: State = { places, before, next: [], rare: new Map() };
    states.set(name, state);
    return state;
  }

  function after(state: State, code: number): Next {
    if (code < 128) return (state.next[code] ??= follow(state, String.fromCharCode(code)));
    const known = state.rare.get(code);
    if (known !== undefined) return known;
    if (state.rare.size >= MOST_STATES) state.rare.clear();
    const next = follow(state, String.fromCharCode(code));
    state.rare.set(code, next);
    return next;
  }

  function follow({ places, before }: State, unit: string): Next {
    const reached = new Set<number>();
    const waiting = [...places];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const step = program[place];
      if (!step || reached.has(place)) continue;
      reached.add(place);
      if (step.does === "match") return true;
      if (step.does === "split") waiting.push(...step.to);
      if (step.does === "assert" && holds(step.that, before, unit)) waiting.push(place + 1);
    }
    const beyond = new Set(starts);
    for (const place of reached) {
      const step = program[place];
      if (step?.does === "unit" && unit !== END && step.accepts(unit)) beyond.add(place + 1);
    }
    return stateFor(
      [...beyond].toSorted((a, b) => a - b),
      isWord(unit) ? "word" : "other",
    );
  }
}

/** What every match holds: a text without it need not be looked at. */
function longestLiteral(node: Node): string {
  const nodes = node.type === "all" ? node.nodes : [node];
  const runs = [""];
  for (const each of nodes) {
    if (each.type === "unit" && each.literal !== undefined) runs.push((runs.pop() ?? "") + each.literal);
    else runs.push("");
  }
  return runs.reduce((best, run) => (run.length > best.length ? run : best));
}

function programOf(node: Node): Instruction[] {
  const program: Instruction[] = [];
  emit(node);
  add({ does: "match" });
  return program;

  function add(instruction: Instruction): number {
    if (program.length >= LONGEST_PROGRAM) throw refused("it repeats too much");
    return program.push(instruction) - 1;
  }

  function emit(part: Node): void {
    if (part.type === "unit") add({ does: "unit", accepts: part.accepts });
    if (part.type === "assert") add({ does: "assert", that: part.that });
    if (part.type === "all") part.nodes.forEach(emit);
    if (part.type === "any") emitAny(part.nodes);
    if (part.type === "repeat") emitRepeat(part);
  }

  function emitAny(nodes: readonly Node[]): void {
    const fork = add({ does: "split", to: [] });
    const starts: number[] = [];
    const ends: number[] = [];
    for (const each of nodes) {
      starts.push(program.length);
      emit(each);
      ends.push(add({ does: "split", to: [] }));
    }
    program[fork] = { does: "split", to: starts };
    for (const end of ends) program[end] = { does: "split", to: [program.length] };
  }

  function emitRepeat({ node: inner, min, max }: Extract<Node, { type: "repeat" }>): void {
    for (let i = 0; i < min; i++) emit(inner);
    if (max === Infinity) {
      const fork = add({ does: "split", to: [] });
      emit(inner);
      add({ does: "split", to: [fork] });
      program[fork] = { does: "split", to: [fork + 1, program.length] };
      return;
    }
    for (let i = min; i < max; i++) {
      const fork = add({ does: "split", to: [] });
      emit(inner);
      program[fork] = { does: "split", to: [fork + 1, program.length] };
    }
  }
}

function holds(that: Assertion, before: Before, unit: string): boolean {
  if (that === "start") return before === "start";
  if (that === "end") return unit === END;
  return ((before === "word") !== isWord(unit)) === (that === "edge");
}

function isWord(unit: string): boolean {
  return /[\p{L}\p{N}_]/u.test(unit);
}
