import type { ToolCall } from "../../core/ask/tool-call.ts";
import type { FileChange } from "../../core/fact/file-change.ts";
import type { Call } from "./payload.ts";

/** What a call would make of a file. It also finds a text that differs in blanks: then only its own diff says what it does. */
export function fileChangeIn(call: Call | undefined): FileChange | undefined {
  const { filePath: path, content, oldString: before, newString: after, replaceAll: all } = call?.input ?? {};
  if (typeof path !== "string" || path === "") return undefined;
  if (call?.tool === "write") return typeof content === "string" ? { path, content } : undefined;
  const isEdit = call?.tool === "edit" && typeof before === "string" && typeof after === "string";
  return isEdit ? { path, edits: [{ before, after, all: all === true }] } : undefined;
}

/** A command, where the call says that it runs in the session's folder. */
export function commandIn(call: Call | undefined): ToolCall | undefined {
  const { command, workdir } = call?.input ?? {};
  return call?.tool === "bash" && typeof command === "string" && workdir === undefined
    ? { type: "command", command }
    : undefined;
}
