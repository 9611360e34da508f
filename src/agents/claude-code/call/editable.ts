import type { Editable } from "../../../core/ask/edit-schema.ts";
import { LONGEST_EDIT } from "../../../core/ask/edit.ts";
import { asRecord } from "../../../core/record.ts";
import { EDITED_FIELDS } from "../check-output.ts";

type Json = Record<string, unknown>;
const fieldOf = (tool: string) => (Object.hasOwn(EDITED_FIELDS, tool) ? EDITED_FIELDS[tool] : undefined);

/** What a person may change of a call: its command, or what it puts into a file. */
export function editableIn(tool: string, input: unknown): Editable | undefined {
  const [field, fields] = [fieldOf(tool), asRecord(input)];
  const text = field === undefined ? undefined : fields?.[field];
  if (typeof text !== "string" || text.length > LONGEST_EDIT) return undefined;
  const unlike = fields?.["old_string"];
  if (unlike !== undefined && (typeof unlike !== "string" || unlike.length > LONGEST_EDIT)) return undefined;
  return { what: tool === "Bash" ? "command" : "content", text, ...(unlike !== undefined && { unlike }) };
}

export function withChange(tool: string, input: Json, text: string): Json {
  const field = fieldOf(tool);
  return field === undefined ? input : { ...input, [field]: text };
}

/** The same part, as the tool's own hook says that it ran. */
export function ranText(tool: string, input: unknown): string | undefined {
  const field = fieldOf(tool);
  const text = field === undefined ? undefined : asRecord(input)?.[field];
  return typeof text === "string" ? text : undefined;
}
