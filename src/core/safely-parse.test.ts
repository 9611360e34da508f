import { expect, test } from "bun:test";
import { z } from "zod";
import { safelyParse } from "./safely-parse.ts";

test("[PW12] what has a length that cannot be compared is refused like any other wrong value", () => {
  const odd = JSON.parse('{"id":{"length":{"toString":null,"valueOf":null}}}') as unknown;
  const schema = z.looseObject({ id: z.string().min(1).max(4096) });
  expect(() => schema.safeParse(odd)).toThrow();
  expect(safelyParse(schema, odd)).toMatchObject({ success: false, error: { issues: [{ message: "Invalid input" }] } });
  expect(safelyParse(schema, { id: "x" })).toEqual({ success: true, data: { id: "x" } });
});
