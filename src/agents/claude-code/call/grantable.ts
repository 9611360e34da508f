import type { ToolCall } from "../../../core/ask/tool-call.ts";

/** More is not shown in full to whoever allows it. */
const LONGEST = 8000;
type Json = Record<string, unknown>;
type Known = { fields: readonly string[]; call: (input: Json) => ToolCall | undefined };

/**
 * What a call does, where its input holds nothing but what is known: a field such as `dangerouslyDisableSandbox` makes it another
 * thing.
 */
export function grantable(tool: string, input: unknown): ToolCall | undefined {
  const known = Object.hasOwn(KNOWN, tool) ? KNOWN[tool] : undefined;
  const isKnown = Object.keys(input ?? {}).every((field) => known?.fields.includes(field));
  const call = isKnown ? callIn(tool, input) : undefined;
  return call && Object.values(call).every((value) => String(value).length <= LONGEST) ? call : undefined;
}

/** The same whatever else stands there, and however long: good enough to ask, never to allow. */
export function callIn(tool: string, input: unknown): ToolCall | undefined {
  const known = Object.hasOwn(KNOWN, tool) ? KNOWN[tool] : undefined;
  return known && typeof input === "object" && input !== null ? known.call(input as Json) : undefined;
}

/** The tools whose calls must-ask patterns can be about. */
export const CALLING_TOOLS = ["Bash", "Write", "Edit", "MultiEdit", "NotebookEdit", "Read", "WebFetch"];

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const file = (type: "read" | "write", path: unknown): ToolCall | undefined => {
  const found = text(path);
  return found === undefined ? undefined : { type, path: found };
};
const write = (...fields: string[]): Known => ({
  fields: ["file_path", ...fields],
  call: ({ file_path }) => file("write", file_path),
});

const KNOWN: Record<string, Known> = {
  Bash: {
    fields: ["command", "description", "timeout", "run_in_background"],
    call({ command }) {
      const found = text(command);
      return found === undefined ? undefined : { type: "command", command: found };
    },
  },
  Write: write("content"),
  Edit: write("old_string", "new_string", "replace_all"),
  MultiEdit: write("edits"),
  NotebookEdit: {
    fields: ["notebook_path", "new_source", "cell_id", "cell_type", "edit_mode"],
    call: ({ notebook_path }) => file("write", notebook_path),
  },
  Read: { fields: ["file_path", "offset", "limit", "pages"], call: ({ file_path }) => file("read", file_path) },
  WebFetch: {
    fields: ["url", "prompt"],
    call({ url }) {
      const found = text(url);
      return found === undefined ? undefined : { type: "fetch", url: found };
    },
  },
};
