import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { nextStep } from "../../src/keys/drive/drive.ts";
import { readScreen } from "../../src/keys/read/read-screen.ts";
import { squeeze } from "../../src/keys/read/squeeze.ts";
import type { Job, Progress } from "../../src/keys/drive/step.ts";
import { momentsOf, RECORDINGS } from "./recordings.ts";

const moments = RECORDINGS.filter(({ stacked }) => !stacked).flatMap((recording) =>
  momentsOf(recording).map((moment) => ({ ...moment, ...recording })),
);
const lines = RECORDINGS.flatMap(({ screens }) => screens.flatMap(({ text }) => text.split("\n")));

/** What a terminal may show beside what it should: frames drawn by halves, old characters, other programs' lines. */
const Mutation = fc.oneof(
  fc.record({ type: fc.constant("delete" as const), at: fc.nat(200) }),
  fc.record({ type: fc.constant("swap" as const), at: fc.nat(200), to: fc.nat(200) }),
  fc.record({ type: fc.constant("insert" as const), at: fc.nat(200), line: fc.constantFrom(...lines) }),
  fc.record({
    type: fc.constant("overwrite" as const),
    at: fc.nat(200),
    column: fc.nat(60),
    line: fc.constantFrom(...lines),
  }),
  fc.record({ type: fc.constant("half" as const), at: fc.nat(60), other: fc.nat(moments.length - 1) }),
  fc.record({ type: fc.constant("cursor" as const), at: fc.nat(200) }),
);
type Mutation = typeof Mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(text: string, mutation: Mutation): string {
  const all = text.split("\n");
  const at = mutation.at % all.length;
  switch (mutation.type) {
    case "delete":
      return all.toSpliced(at, 1).join("\n");
    case "insert":
      return all.toSpliced(at, 0, mutation.line).join("\n");
    case "swap": {
      const to = mutation.to % all.length;
      return all
        .with(at, all[to] ?? "")
        .with(to, all[at] ?? "")
        .join("\n");
    }
    case "overwrite": {
      const line = all[at] ?? "";
      return all.with(at, line.slice(0, mutation.column) + mutation.line.slice(mutation.column)).join("\n");
    }
    case "half":
      return [...(moments[mutation.other]?.text.split("\n").slice(0, at) ?? []), ...all.slice(at)].join("\n");
    case "cursor":
      return all.map((line, i) => (i === at ? `❯${line.slice(1)}` : line.replace(/^❯/, " "))).join("\n");
  }
}

/** Said independently of the reader: does the line with the cursor, read as plain text, belong to what is meant? */
function isMeant(text: string, { at, ticked }: Progress, { questions, intent, layout }: Job, key: string): boolean {
  const cursor = squeeze(text.split("\n").findLast((line) => line.startsWith("❯")) ?? "");
  if (at === "message") return intent.type === "chat" && cursor === squeeze(`❯${intent.text}`);
  if (intent.type === "chat") return cursor.endsWith("Chataboutthis");
  if (intent.type !== "answers" || !("review" in layout)) return false;
  const [question, answer] = [questions[at], intent.answers[at]];
  if (!question || !answer) return "review" in layout && cursor === squeeze(`❯1. ${layout.review.send}`);
  const picks = answer.picks.toSorted((a, b) => a - b);
  if (key === "Enter" && question.multiSelect) return /^❯(Submit|Next)$/.test(cursor);
  const pick = picks[question.multiSelect ? ticked : 0];
  const row =
    pick === undefined
      ? ""
      : `❯${pick + 1}.${question.multiSelect ? "[]" : ""}${squeeze(question.options[pick]?.label ?? "")}`;
  const shown = cursor.replace(/[┌│├└].*$/, "");
  if (pick !== undefined) return shown.length > 3 && (row.startsWith(shown) || shown.startsWith(row));
  const own = squeeze(answer.text ?? "");
  return own !== "" && `❯${question.options.length + 1}.${own}`.startsWith(shown) && shown.length > 3;
}

test("[KY5] whatever stands on the screen, Enter and Space go only to the row that is meant", () => {
  const Case = fc.tuple(fc.nat(moments.length - 1), fc.array(Mutation, { minLength: 1, maxLength: 4 }));
  let pressed = 0;
  fc.assert(
    fc.property(Case, ([index, mutations]) => {
      const moment = moments[index];
      if (!moment) return;
      const text = mutations.reduce(mutate, moment.text);
      const step = nextStep(readScreen(text, moment.layout), moment.progress, moment.job);
      if (step.type === "stop" || !("name" in step.key) || !["Enter", "Space"].includes(step.key.name)) return;
      pressed += 1;
      if (!isMeant(text, moment.progress, moment.job, step.key.name))
        throw new Error(`${step.key.name} at ${moment.file} on\n${text}`);
    }),
    { numRuns: Number(process.env["FUZZ_RUNS"] ?? 20_000) },
  );
  // Otherwise the mutations left nothing to press on, and nothing was tried.
  expect(pressed).toBeGreaterThan(100);
});
