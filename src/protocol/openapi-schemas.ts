import { z } from "zod";
import { Answer } from "../core/ask/answer/answer.ts";
import { Delivery, Origin } from "../core/ask/ask.ts";
import { LogEvent } from "../core/ask/event.ts";
import { Outcome } from "../core/ask/outcome.ts";
import { Question } from "../core/ask/question.ts";
import { Session } from "../core/ask/session.ts";
import { CONTRACT } from "./contract.ts";
import type { Endpoint } from "./endpoint.ts";
import { AskView, ErrorBody, Status } from "./view.ts";

export type Json = Record<string, unknown>;
type Schemas = Record<string, Json>;

const SHARED = {
  Ask: AskView,
  Answer,
  Delivery,
  Error: ErrorBody,
  LogEvent,
  Origin,
  Outcome,
  Question,
  Session,
  Status,
};

/** What the daemon sends: the shapes that have a name, and the result of each endpoint made of them. */
export function sentSchemas(): { shared: Schemas; results: Schemas } {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SHARED)) registry.add(schema, { id });
  // In a wrapper of its own: several endpoints may answer with the same schema, which has one name only.
  for (const [name, { result, text }] of Object.entries<Endpoint>(CONTRACT))
    if (!text) registry.add(z.object({ result }), { id: `result ${name}` });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const made = z.toJSONSchema(registry, { uri, io: "output", unrepresentable: "any" }) as { schemas: Schemas };
  const resultOf = (name: string) =>
    (made.schemas[`result ${name}`]?.["properties"] as Schemas | undefined)?.["result"];
  return {
    shared: Object.fromEntries(Object.keys(SHARED).map((id) => [id, bare(made.schemas[id] ?? {})])),
    results: Object.fromEntries(Object.keys(CONTRACT).map((name) => [name, resultOf(name) ?? { type: "string" }])),
  };
}

/** What a caller writes: defaults may be left out. */
export function inputSchema(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

/** Each as what its text is read as. */
export function querySchemas(query: z.ZodObject): Schemas {
  const { properties } = z.toJSONSchema(query, { io: "output", unrepresentable: "any" });
  return (properties ?? {}) as Schemas;
}

/** The document names the dialect, and the key the schema. */
function bare({ $schema: _dialect, $id: _id, ...schema }: Json): Json {
  return schema;
}
