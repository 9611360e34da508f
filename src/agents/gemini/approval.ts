import { z } from "zod";
import type { Option } from "../../core/ask/question.ts";
import { type Asking, changesInPatch, ONCE, STOP } from "../gemini-kin/call-question.ts";

const text = z.string().catch("");
const Details = z.looseObject({
  type: text,
  command: text,
  filePath: text,
  fileDiff: text,
  urls: z.array(z.string()).catch([]),
  prompt: text,
  serverName: text,
  toolName: text,
  title: text,
});

/** What its dialog is about. Of an MCP tool it says the name and not the input: that is only in its terminal. */
export function askingIn(raw: unknown, cwd: string | undefined): Asking | undefined {
  const { data } = Details.safeParse(raw);
  if (!data) return undefined;
  switch (data.type) {
    case "exec":
      return { type: "command", command: data.command };
    case "edit":
      return { type: "write", path: data.filePath, changes: changesInPatch(data.fileDiff), cwd };
    case "info": {
      const [url, ...others] = data.urls;
      if (url !== undefined && others.length === 0) return { type: "fetch", url, prompt: data.prompt };
      return { type: "other", tool: data.title, about: [data.prompt, ...data.urls].join("\n") };
    }
    case "mcp":
      return {
        type: "other",
        tool: data.toolName,
        about: `of the MCP server ${data.serverName}; what it would be given is only in Gemini CLI's terminal`,
      };
    default:
      return undefined;
  }
}

export const OPTIONS: Option[] = [
  ONCE,
  {
    label: "Allow for this session",
    description: "Gemini CLI no longer asks for this kind of call until the session ends; for edits, all of them",
    recommended: false,
    effect: "allow",
    target: "session",
    stakes: "high",
  },
  STOP,
];
