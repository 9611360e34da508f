import { callTitle } from "../../core/ask/call-title.ts";
import { countInPatch } from "../../core/text/line-counts.ts";
import { safeLine, truncate } from "../../core/text/text.ts";
import type { Call, PermissionRequest } from "./payload.ts";

/** More than a person reads before they decide; the terminal has the rest. */
const MOST = 8000;
type Json = Record<string, unknown>;
type Detail = { text: string; title: string; body: string };
type Asked = { request: PermissionRequest; metadata: Json; input: Json | undefined };

/** What a permission is about: a question a person can answer, and what would be done. `call`: where it is known. */
export function describePermission(request: PermissionRequest, call: Call | undefined): Detail {
  const { permission, metadata } = request;
  const write = Object.hasOwn(DESCRIBED, permission) ? DESCRIBED[permission] : undefined;
  const detail = (write ?? describeOther)({ request, metadata, input: call?.input });
  return { ...detail, body: truncate(detail.body, MOST) };
}

const DESCRIBED: Record<string, (asked: Asked) => Detail> = {
  bash: (asked) => ({
    text: "Allow this command?",
    title: callTitle({ type: "command", command: commandOf(asked) || asked.request.patterns.join(" … ") }),
    body: command(asked),
  }),
  edit: ({ request, metadata, input }) => {
    const path = words(metadata["filepath"]) || words(input?.["filePath"]) || request.patterns.join(", ");
    const diff = words(metadata["diff"]);
    // Its patterns are paths below the project.
    const title = callTitle({ type: "write", path: request.patterns.join(", ") || path, ...countInPatch(diff) });
    return { text: `Allow this edit of ${path}?`, title, body: diff || pretty(input ?? metadata) };
  },
  webfetch: ({ request, metadata }) => {
    const url = words(metadata["url"]) || request.patterns.join(", ");
    return { text: `Allow fetching ${url}?`, title: callTitle({ type: "fetch", url }), body: url };
  },
  /** Beside it stands what wants to go there: a command, or the input of another tool. */
  external_directory: ({ request, input }) => ({
    text: "Allow access to files outside the project?",
    title: callTitle({ type: "other", tool: "access", about: request.patterns.join(", ") }),
    body: [...request.patterns, ...(input ? [shell(input) || pretty(input)] : [])].join("\n"),
  }),
  doom_loop: ({ request, metadata, input }) => {
    const tool = safeLine(words(metadata["tool"]) || request.patterns.join(", "), { max: 80 });
    const body = pretty(metadata["input"] ?? input ?? metadata);
    const text = `Allow ${tool} again? It was called three times with the same input.`;
    return { text, title: callTitle({ type: "other", tool: `again: ${tool}`, about: compact(body) }), body };
  },
  task: ({ request, metadata }) => ({
    text: `Allow the subagent ${request.patterns.join(", ")}?`,
    title: callTitle({
      type: "other",
      tool: "subagent",
      about: [request.patterns.join(", "), words(metadata["description"])].filter(Boolean).join(": "),
    }),
    body: words(metadata["description"]),
  }),
};

/** Tools of MCP servers say nothing but `*` about themselves; their input is all there is. */
function describeOther({ request, metadata, input }: Asked): Detail {
  const about = Object.keys(metadata).length > 0 ? pretty(metadata) : input ? pretty(input) : "";
  const patterns = request.patterns.filter((pattern) => pattern !== "*").join("\n");
  const title = callTitle({ type: "other", tool: request.permission, about: patterns || compact(about) });
  return { text: `Allow ${request.permission}?`, title, body: [patterns, about].filter(Boolean).join("\n") };
}

/**
 * The command first, and its description on one line: a long or clever one must not hide what would run. 1.1.11 and 1.3.2
 * name only the commands in it, without `cd` and redirections: what is written where then stands only in the call.
 */
function command({ request, metadata, input }: Asked): string {
  const whole = shell(metadata) || shell(input ?? {});
  if (whole === "") return [...request.patterns.map((part) => `$ ${part}`), "# parts of the command"].join("\n");
  const description = words(input?.["description"]);
  return [whole, ...(description ? [`# ${safeLine(description, { max: 200 })}`] : [])].join("\n");
}

const commandOf = ({ metadata, input }: Asked): string => words(metadata["command"]) || words(input?.["command"]);
const compact = (json: string): string => json.replaceAll(/\s*\n\s*/g, " ");
const shell = (fields: Json): string => (words(fields["command"]) ? `$ ${words(fields["command"])}` : "");
const words = (value: unknown): string => (typeof value === "string" ? value : "");
const pretty = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";
