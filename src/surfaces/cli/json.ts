import type { ParleyError } from "../../core/error.ts";
import { jsonLine } from "../../core/text/json-line.ts";

export { jsonLine };

export function errorLine({ code, message, problems, details }: ParleyError): string {
  return jsonLine({ error: { code, message, problems, details } });
}
