import { callTitle } from "../../../core/ask/call-title.ts";
import { countChanged, type LineCounts } from "../../../core/text/line-counts.ts";
import { safeLine, truncate } from "../../../core/text/text.ts";

/** More than a person reads before they decide; the terminal has the rest. */
const MOST = 8000;
type Json = Record<string, unknown>;
type Detail = { text: string; title: string; body: string };
type Cwd = string | undefined;

/** What a permission prompt is about: a question a person can answer, its name, and what would be done. */
export function describeTool(tool: string, input: unknown, cwd: Cwd): Detail {
  const fields: Json = typeof input === "object" && input !== null ? (input as Json) : {};
  const write = Object.hasOwn(DESCRIBED, tool) ? DESCRIBED[tool] : undefined;
  const detail = write ? write(fields, cwd) : describeOther(tool, input);
  return { ...detail, body: truncate(detail.body, MOST) };
}

const describeOther = (tool: string, input: unknown): Detail => ({
  text: `Allow ${tool}?`,
  title: callTitle({ type: "other", tool, about: JSON.stringify(input) ?? "" }),
  body: pretty(input),
});

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const pretty = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

const DESCRIBED: Record<string, (input: Json, cwd: Cwd) => Detail> = {
  Bash: ({ command, description }) => ({
    text: "Allow this command?",
    title: callTitle({ type: "command", command: text(command) }),
    // The command first, and its description on one line: a long or clever one must not hide what would run.
    body: [`$ ${text(command)}`, ...(text(description) ? [`# ${safeLine(text(description), { max: 200 })}`] : [])].join(
      "\n",
    ),
  }),
  Write: ({ file_path, content }, cwd) => ({
    text: `Allow writing ${text(file_path)}?`,
    title: writeTitle(file_path, cwd, countChanged("", text(content))),
    body: marked("+", text(content)),
  }),
  Edit: ({ file_path, old_string, new_string }, cwd) => ({
    text: `Allow this edit of ${text(file_path)}?`,
    title: writeTitle(file_path, cwd, countChanged(text(old_string), text(new_string))),
    body: changed(text(old_string), text(new_string)),
  }),
  MultiEdit: ({ file_path, edits }, cwd) => ({
    text: `Allow these edits of ${text(file_path)}?`,
    title: writeTitle(file_path, cwd, sum(editsIn(edits).map(({ before, after }) => countChanged(before, after)))),
    body: editsIn(edits)
      .map(({ before, after }) => changed(before, after))
      .join("\n…\n"),
  }),
  NotebookEdit: ({ notebook_path, new_source }, cwd) => ({
    text: `Allow this edit of ${text(notebook_path)}?`,
    title: writeTitle(notebook_path, cwd, countChanged("", text(new_source))),
    body: marked("+", text(new_source)),
  }),
  Read: ({ file_path }, cwd) => ({
    text: `Allow reading ${text(file_path)}?`,
    title: callTitle({ type: "read", path: text(file_path), cwd }),
    body: text(file_path),
  }),
  WebFetch: ({ url, prompt }) => ({
    text: `Allow fetching ${text(url)}?`,
    title: callTitle({ type: "fetch", url: text(url) }),
    body: text(prompt),
  }),
  WebSearch: ({ query }) => ({
    text: "Allow this web search?",
    title: callTitle({ type: "search", query: text(query) }),
    body: text(query),
  }),
};

const writeTitle = (path: unknown, cwd: Cwd, counts: LineCounts): string =>
  callTitle({ type: "write", path: text(path), cwd, ...counts });
const sum = (all: readonly LineCounts[]): LineCounts =>
  all.reduce((a, b) => ({ added: a.added + b.added, removed: a.removed + b.removed }), { added: 0, removed: 0 });
const editsIn = (edits: unknown) =>
  (Array.isArray(edits) ? (edits as (Json | null)[]) : []).map((edit) => ({
    before: text(edit?.["old_string"]),
    after: text(edit?.["new_string"]),
  }));
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
