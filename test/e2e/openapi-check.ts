export type Json = Record<string, unknown>;
export type Operation = {
  operationId: string;
  summary: string;
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
};
export type Document = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
};

/** What does not say anything about which values fit. */
const REMARKS = new Set(["description", "default", "title"]);
const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/**
 * Why a value does not fit a schema; empty when it fits. Knows the part of JSON Schema that the document uses, and
 * throws at a word it does not know: what it does not check must not look checked.
 */
export function misfits(document: Document, schema: Json, value: unknown, at = "$"): string[] {
  return Object.entries(schema).flatMap(([word, rule]) => misfitsOf(word, rule));

  function misfitsOf(word: string, rule: unknown): string[] {
    const wrong = (is: boolean) => (is ? [] : [`${at}: ${word} ${JSON.stringify(rule)}, not ${JSON.stringify(value)}`]);
    const object = typeOf(value) === "object" ? (value as Json) : {};
    switch (word) {
      case "$ref":
        return misfits(document, resolve(document, String(rule)), value, at);
      case "type": {
        const types = new Set([rule].flat());
        return wrong(types.has(typeOf(value)) || (types.has("number") && typeOf(value) === "integer"));
      }
      case "enum":
        return wrong((rule as unknown[]).includes(value));
      case "const":
        return wrong(rule === value);
      case "anyOf":
      case "oneOf":
        return wrong((rule as Json[]).some((option) => misfits(document, option, value, at).length === 0));
      case "required":
        return wrong(typeOf(value) !== "object" || (rule as string[]).every((name) => name in object));
      case "properties":
        return Object.entries(rule as Record<string, Json>).flatMap(([name, inner]) =>
          name in object ? misfits(document, inner, object[name], `${at}.${name}`) : [],
        );
      case "additionalProperties": {
        const known = Object.keys(schema["properties"] ?? {});
        const others = Object.keys(object).filter((name) => !known.includes(name));
        if (rule === false) return wrong(others.length === 0);
        return others.flatMap((name) => misfits(document, rule as Json, object[name], `${at}.${name}`));
      }
      case "propertyNames":
        return Object.keys(object).flatMap((name) => misfits(document, rule as Json, name, `${at}.${name}`));
      case "items":
        return (Array.isArray(value) ? value : []).flatMap((item, i) =>
          misfits(document, rule as Json, item, `${at}[${i}]`),
        );
      case "minimum":
        return wrong(typeof value !== "number" || value >= Number(rule));
      case "maximum":
        return wrong(typeof value !== "number" || value <= Number(rule));
      case "maxLength":
        return wrong(typeof value !== "string" || value.length <= Number(rule));
      case "maxItems":
        return wrong(!Array.isArray(value) || value.length <= Number(rule));
      case "minItems":
        return wrong(!Array.isArray(value) || value.length >= Number(rule));
      case "minLength":
        return wrong(typeof value !== "string" || value.length >= Number(rule));
      case "pattern":
        return wrong(typeof value !== "string" || new RegExp(String(rule), "u").test(value));
      default:
        if (REMARKS.has(word)) return [];
        throw new Error(`${at}: the check does not know ${word}`);
    }
  }
}

/** What is wrong with the document itself. */
export function faults(document: Document): string[] {
  const found: string[] = [];
  if (!/^3\.1\.\d+$/.test(document.openapi)) found.push(`openapi ${document.openapi}`);
  if (!document.info.title || !document.info.version) found.push("info");
  const ids = operations(document).map(({ operation }) => operation.operationId);
  found.push(...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `operationId ${id} twice`));
  for (const { path, line, operation } of operations(document)) {
    const { parameters = [], responses, security } = operation;
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    if (!path.startsWith("/")) found.push(`${line}: the path`);
    if (named.join() !== inPath.map(({ name }) => name).join()) found.push(`${line}: path parameters`);
    if (!inPath.every(({ required }) => required)) found.push(`${line}: a path parameter that is not required`);
    if (Object.keys(responses).length === 0) found.push(`${line}: no responses`);
    if (!Object.entries(responses).every(([status, { description }]) => /^[1-5]\d\d$/.test(status) && description))
      found.push(`${line}: a response`);
    const schemes = security.flatMap((one) => Object.keys(one));
    if (!schemes.every((name) => name in document.components.securitySchemes)) found.push(`${line}: security`);
  }
  return [...found, ...schemaFaults(document, document, "#")];
}

export function operations(document: Document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      line: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

/** Every reference leads somewhere, every type is one, every object of rules is made of rules. */
function schemaFaults(document: Document, part: unknown, at: string): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]: [string, unknown]) => {
    const here = `${at}/${name}`;
    if (name === "$ref") return resolvable(document, String(inner)) ? [] : [`${here}: ${String(inner)}`];
    const isTypeWord = name === "type" && typeof inner === "string" && !at.endsWith("/properties");
    if (isTypeWord && !TYPES.has(inner) && !at.includes("/securitySchemes/")) return [`${here}: ${inner}`];
    return schemaFaults(document, inner, here);
  });
}

function resolvable(document: Document, ref: string): boolean {
  return ref.startsWith("#/components/schemas/") && ref.slice(21) in document.components.schemas;
}

function resolve(document: Document, ref: string): Json {
  const found = document.components.schemas[ref.replace("#/components/schemas/", "")];
  if (!found) throw new Error(`${ref} leads nowhere`);
  return found;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}
