import { safeLine, truncate } from "../../core/text/text.ts";

/** More than a person reads before they decide; the terminal has the rest. */
const MOST = 8000;
type Json = Record<string, unknown>;

/** What a permission prompt is about: a question a person can answer, and what would be done. */
export function describeTool(tool: string, input: unknown): { text: string; body: string } {
  const fields: Json = typeof input === "object" && input !== null ? (input as Json) : {};
  const write = Object.hasOwn(DESCRIBED, tool) ? DESCRIBED[tool] : undefined;
  const { text, body } = write ? write(fields) : { text: `Allow ${tool}?`, body: pretty(input) };
  return { text, body: truncate(body, MOST) };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const pretty = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

const DESCRIBED: Record<string, (input: Json) => { text: string; body: string }> = {
  Bash: ({ command, description }) => ({
    text: "Allow this command?",
    // The command first, and its description on one line: a long or clever one must not hide what would run.
    body: [`$ ${text(command)}`, ...(text(description) ? [`# ${safeLine(text(description), { max: 200 })}`] : [])].join(
      "\n",
    ),
  }),
  Write: ({ file_path, content }) => ({ text: `Allow writing ${text(file_path)}?`, body: marked("+", text(content)) }),
  Edit: ({ file_path, old_string, new_string }) => ({
    text: `Allow this edit of ${text(file_path)}?`,
    body: changed(text(old_string), text(new_string)),
  }),
  MultiEdit: ({ file_path, edits }) => ({
    text: `Allow these edits of ${text(file_path)}?`,
    body: (Array.isArray(edits) ? (edits as Json[]) : [])
      .map((edit) => changed(text(edit["old_string"]), text(edit["new_string"])))
      .join("\n…\n"),
  }),
  NotebookEdit: ({ notebook_path, new_source }) => ({
    text: `Allow this edit of ${text(notebook_path)}?`,
    body: marked("+", text(new_source)),
  }),
  Read: ({ file_path }) => ({ text: `Allow reading ${text(file_path)}?`, body: text(file_path) }),
  WebFetch: ({ url, prompt }) => ({ text: `Allow fetching ${text(url)}?`, body: text(prompt) }),
  WebSearch: ({ query }) => ({ text: "Allow this web search?", body: text(query) }),
};

const marked = (mark: string, lines: string) =>
  lines === ""
    ? ""
    : lines
        .split("\n")
        .map((line) => `${mark} ${line}`)
        .join("\n");
/** Each side has its share: a long old text must not hide the new one. */
const changed = (before: string, after: string) =>
  [marked("-", before), marked("+", after)]
    .filter(Boolean)
    .map((side) => truncate(side, MOST / 2))
    .join("\n");
