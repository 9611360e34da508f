import type { FileChange } from "../../../core/fact/file-change.ts";
import { asRecord } from "../../../core/record.ts";

/** What a call would make of a file, where its input says all of it. */
export function fileChangeIn(tool: string, input: unknown): FileChange | undefined {
  const fields = asRecord(input);
  const path = fields?.["file_path"];
  if (!fields || typeof path !== "string" || path === "") return undefined;
  if (tool === "Write") return typeof fields["content"] === "string" ? { path, content: fields["content"] } : undefined;
  const list = tool === "Edit" ? [fields] : tool === "MultiEdit" ? fields["edits"] : undefined;
  if (!Array.isArray(list)) return undefined;
  const edits = list.map(editIn);
  return edits.length > 0 && edits.every((edit) => edit !== undefined) ? { path, edits } : undefined;
}

function editIn(raw: unknown): { before: string; after: string; all: boolean } | undefined {
  const { old_string: before, new_string: after, replace_all: all } = asRecord(raw) ?? {};
  return typeof before === "string" && typeof after === "string" ? { before, after, all: all === true } : undefined;
}
