import type { Option } from "../../core/ask/question.ts";
import { DENY } from "../../core/ask/answer/verdicts.ts";
import { type Asking, ONCE, STOP } from "../gemini-kin/call-question.ts";

type Json = Record<string, unknown>;

/** What a call would do. */
export function askingOf(tool: string, input: unknown, cwd?: string): Asking {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Json;
  const field = (name: string) => (typeof fields[name] === "string" ? fields[name] : "");
  const marked = (mark: string, text: string) =>
    text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => `${mark} ${line}`);
  switch (tool) {
    case "run_shell_command":
      return { type: "command", command: field("command"), description: field("description") };
    case "write_file":
      return { type: "write", path: field("file_path"), changes: marked("+", field("content")).join("\n"), cwd };
    case "edit": {
      const changes = [...marked("-", field("old_string")), ...marked("+", field("new_string"))];
      return { type: "write", path: field("file_path"), changes: changes.join("\n"), cwd };
    }
    case "web_fetch":
      return { type: "fetch", url: field("url"), prompt: field("prompt") };
    default:
      return { type: "other", tool, about: JSON.stringify(input, null, 2) ?? "" };
  }
}

/**
 * While its hook waits (hold mode) a call is allowed or denied by that, and the turn goes on; else its dialog has a row for
 * each, and no stops the turn.
 */
export const optionsFor = ({ type }: Asking, isHeld: boolean): Option[] =>
  isHeld ? [ONCE, DENY] : [ONCE, ALWAYS[type], STOP].filter((option) => option !== undefined);

const always = (label: string, description: string): Option => ({
  label,
  description,
  recommended: false,
  effect: "allow",
  target: "project",
  stakes: "high",
});
const ALWAYS: Partial<Record<Asking["type"], Option>> = {
  command: always(
    "Always allow in this project",
    "Qwen Code no longer asks for commands like this one here; how far that goes stands in its dialog alone",
  ),
  write: always("Allow all edits", "Qwen Code no longer asks for edits until the session ends"),
};
