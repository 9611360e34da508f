import type { ToolCall } from "../../core/ask/tool-call.ts";
import type { Call, PermissionRequest } from "./payload.ts";

const LONGEST = 8000;
const OF_COMMAND = new Set(["command", "description", "timeout"]);

/**
 * What a permission is for, where all of it is known. A command may run in another folder (`workdir`), which only the call
 * itself says; before 1.18 a permission names no more than parts of it.
 */
export function grantable(
  { permission, patterns, metadata }: PermissionRequest,
  call: Call | undefined,
): ToolCall | undefined {
  if (permission === "bash") {
    const command = text(call?.input["command"]);
    const isKnown = call !== undefined && Object.keys(call.input).every((field) => OF_COMMAND.has(field));
    const isSame = metadata["command"] === undefined || metadata["command"] === command;
    return command !== undefined && isKnown && isSame ? { type: "command", command } : undefined;
  }
  if (permission === "edit" && patterns.length === 1) {
    // A patch may move and delete files, and names them from elsewhere.
    const isOne = call !== undefined && ["edit", "write"].includes(call.tool) && metadata["files"] === undefined;
    const path = text(metadata["filepath"]);
    return isOne && path?.startsWith("/") ? { type: "write", path } : undefined;
  }
  if (permission !== "webfetch") return undefined;
  const url = text(metadata["url"]);
  return url === undefined ? undefined : { type: "fetch", url };
}

const text = (value: unknown) =>
  typeof value === "string" && value !== "" && value.length <= LONGEST ? value : undefined;
