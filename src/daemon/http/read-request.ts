import { ParleyError } from "../../core/error.ts";
import { issueWords } from "../../core/words/issue-words.ts";
import { CONTRACT, type EndpointName, MAX_BODY } from "../../protocol/contract.ts";
import type { Endpoint } from "../../protocol/endpoint.ts";
import { assertBounded } from "./json-bounds.ts";
import { safelyParse } from "../../core/safely-parse.ts";

const MINIMAL = /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i;

/** What a request brings, checked by the contract. */
export async function readRequest(name: EndpointName, request: Request, url: URL) {
  const { query, body, brief }: Endpoint = CONTRACT[name];
  const once = request.headers.get("idempotency-key") || undefined;
  if (once !== undefined && once.length > 200)
    throw new ParleyError("usage", "Idempotency-Key: at most 200 characters");
  return {
    once,
    isBrief: brief !== undefined && MINIMAL.test(request.headers.get("prefer") ?? ""),
    query: query ? checked(query, Object.fromEntries(url.searchParams), "query") : {},
    body: body ? checked(body, bodyOf(await textOf(request)), "body") : undefined,
  };
}

/** Stops reading as soon as it is too much, also when the sender did not say how much it would be. */
export function textOf(request: Request): Promise<string> {
  const tooLarge = () => new ParleyError("too_large", `A body has at most ${MAX_BODY} bytes`);
  const length = request.headers.get("content-length");
  if (Number(length) > MAX_BODY) throw tooLarge();
  // Who says how much it is can send no more; reading a stream costs more than everything else that a request does.
  return length === null ? streamed(request, tooLarge) : request.text();
}

async function streamed(request: Request, tooLarge: () => ParleyError): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

export function bodyOf(text: string): unknown {
  const value = parsedJson(text === "" ? "{}" : text);
  assertBounded(value);
  return value;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ParleyError("usage", `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function checked(schema: NonNullable<Endpoint["body"]>, value: unknown, where: string): unknown {
  const parsed = safelyParse(schema, value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => ({
    field: placeOf(issue.path) || where,
    message: issueWords(issue),
  }));
  throw new ParleyError("invalid", problems.map(({ field, message }) => `${field}: ${message}`).join("; "), {
    problems,
  });
}

/** `answers[0].picks`, as every other problem names its place. */
function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i > 0 ? "." : ""}${String(part)}`))
    .join("");
}
