import type { Manner } from "../../agents/capability/screen-layout.ts";
import type { Question } from "../../core/ask/question.ts";
import type { QuestionScreen, Row } from "../screen.ts";

type Place = Pick<Row, "kind" | "number">;

export function sameRow(a: Place, b: Place): boolean {
  return a.kind === b.kind && (a.kind !== "option" || a.number === b.number);
}

/** Every place the cursor can be, from top to bottom, also those that are scrolled out of sight. */
export function ordered({ options }: Question, screen: QuestionScreen, manner?: Manner): Place[] {
  const { preview, multiSelect, rows } = screen;
  const several = (has: boolean, kind: "all" | "advance"): Place[] => (multiSelect && has ? [{ kind }] : []);
  if (manner)
    return [
      ...options.map((_, i): Place => ({ kind: "option", number: i + 1 })),
      ...several(manner.hasAll, "all"),
      { kind: "own-words" },
      ...several(manner.hasAdvance, "advance"),
    ];
  // Without a chat below it is a list that stands there in full.
  if (!rows.some(({ kind }) => kind === "chat")) return rows.map(({ kind, number }) => ({ kind, number }));
  return [
    ...options.map((_, i): Place => ({ kind: "option", number: i + 1 })),
    ...(preview ? [] : [{ kind: "own-words" } as const]),
    ...(multiSelect ? [{ kind: "advance" } as const] : []),
    { kind: "chat" },
  ];
}

/** One key, and where the cursor is after it. */
export function toward(
  order: readonly Place[],
  from: Place,
  wanted: Place,
): { key: "Down" | "Up"; to: Place } | undefined {
  const [start, end] = [from, wanted].map((place) => order.findIndex((each) => sameRow(each, place)));
  if (start === undefined || end === undefined || start < 0 || end < 0 || start === end) return undefined;
  const to = order[start < end ? start + 1 : start - 1];
  return to && { key: start < end ? "Down" : "Up", to };
}
