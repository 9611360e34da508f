// What is read by hand, so that no schema library is loaded for it, is what a schema would read.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { z } from "zod";
import { isRecommended } from "../../core/ask/is-recommended.ts";
import { questionsOf } from "./question-input.ts";
import { toolResultOf } from "./received.ts";

const words = z.string().catch("");
const text = z.string().optional().catch(undefined);
const ToolOption = z.looseObject({ label: words, description: words, preview: text });
const ToolQuestion = z.looseObject({
  question: words,
  header: words,
  multiSelect: z.boolean().catch(false),
  options: z.array(ToolOption).catch([]),
});
const ToolInput = z.looseObject({ questions: z.array(ToolQuestion) });
const ToolResult = z.looseObject({
  answers: z.record(z.string(), z.unknown()),
  annotations: z.record(z.string(), z.looseObject({ notes: z.string().optional() })).optional(),
  afkTimeoutMs: z.number().optional(),
});

const json = fc.jsonValue({ maxDepth: 2 });
const key = fc.constantFrom("Which?", "__proto__", "constructor", "toString", "");
const option = fc.record(
  {
    label: fc.oneof(fc.constantFrom("A", "B (Recommended)"), json),
    description: json,
    preview: json,
    recommended: json,
  },
  { requiredKeys: [] },
);
const question = fc.record(
  {
    question: json,
    header: json,
    multiSelect: json,
    options: fc.oneof(json, fc.array(fc.oneof(option, option, json))),
  },
  { requiredKeys: [] },
);
const input = fc.oneof(json, fc.record({ questions: fc.oneof(json, fc.array(fc.oneof(question, question, json))) }));
/** Of any names, also such as an object has without having been given them. */
const fields = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(key, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
const notes = fc.record({ notes: fc.oneof(fc.string(), json) }, { requiredKeys: [] });
const result = fc.record(
  {
    answers: fc.oneof(fields(json), json),
    annotations: fc.oneof(fields(fc.oneof(notes, notes, json)), json),
    afkTimeoutMs: fc.oneof(fc.nat(), json),
  },
  { requiredKeys: [] },
);

test("[K30] questions are read as a schema reads them", () => {
  const bySchema = (value: unknown) => {
    const { data } = ToolInput.safeParse(value);
    if (!data || data.questions.length === 0) return undefined;
    return data.questions.map(({ question: asked, header, multiSelect, options }) => ({
      text: asked,
      header,
      multiSelect,
      options: options.map(({ label, description, preview, ...rest }) => ({
        label,
        description,
        recommended: isRecommended(label, rest["recommended"]),
        ...(preview !== undefined && { preview }),
      })),
    }));
  };
  fc.assert(
    fc.property(input, (value) => expect(questionsOf(value)).toEqual(bySchema(value))),
    { numRuns: 2000 },
  );
});

test("[K30] so is the result of a question", () => {
  const bySchema = (value: unknown) => {
    const { data } = ToolResult.safeParse(value);
    if (!data) return undefined;
    const { answers, annotations = {}, afkTimeoutMs } = data;
    const noted = Object.entries(annotations).flatMap(([asked, each]): [string, string][] =>
      each.notes === undefined ? [] : [[asked, each.notes]],
    );
    return { answers, notes: new Map(noted), afkTimeoutMs };
  };
  fc.assert(
    fc.property(fc.oneof(result, json), (value) => {
      // As it comes from a record: there a name is only a name.
      const read: unknown = JSON.parse(JSON.stringify(value));
      expect(toolResultOf(read)).toEqual(bySchema(read));
    }),
    { numRuns: 2000 },
  );
  const endless: unknown = JSON.parse('{"answers":{},"afkTimeoutMs":1e999}');
  expect([toolResultOf(endless), bySchema(endless)]).toEqual([undefined, undefined]);
});
