import * as fc from "fast-check";
import { z } from "zod";
import { oddValue } from "./fuzz.ts";

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
};

/** Values of the shape a schema asks for, each part of which may be something odd instead. */
export function fromSchema(schema: z.ZodType): fc.Arbitrary<unknown> {
  return valueOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Schema);
}

function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: fitting(schema) }, { weight: 1, arbitrary: oddValue });
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueOf));
  if (schema.allOf?.[0]) return valueOf(schema.allOf[0]);
  switch (schema.type) {
    case "object":
      return objectOf(schema);
    case "array":
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 5 });
    case "string":
      return fc.string({ unit: "binary", maxLength: 40 });
    case "integer":
    case "number":
      return fc.oneof(fc.integer(), fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 0, 2 ** 53 - 1));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case undefined:
    default:
      return oddValue;
  }
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valueOf(inner)]));
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
}
