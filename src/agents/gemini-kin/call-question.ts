import { basename } from "node:path";
import { callTitle } from "../../core/ask/call-title.ts";
import type { Option, Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { APPROVE, DENY_AND_STOP } from "../../core/ask/answer/verdicts.ts";
import { safeLine, truncate } from "../../core/text/text.ts";

/** More than a person reads before they decide; the terminal has the rest. */
const MOST = 8000;
/** More is not shown in full to whoever allows it. */
const LONGEST = 8000;

/** A call that waits for leave, however its agent names it. */
export type Asking =
  | { type: "command"; command: string; description?: string | undefined }
  /** `changes`: lines with `+ ` or `- ` in front. */
  | { type: "write"; path: string; changes: string; cwd?: string | undefined }
  | { type: "fetch"; url: string; prompt?: string | undefined }
  | { type: "other"; tool: string; about: string };

/** Its dialog has a row for each; no stops the turn, and words go into the input box then. */
export const ONCE: Option = { ...APPROVE, target: "once" };
export const STOP: Option = {
  ...DENY_AND_STOP,
  description: "Deny it and stop the turn, as Esc does; a note becomes your next message",
};

/** The question a person is asked, and what a grant or a key needs of it. `match` also fits what the record says of it. */
export function callQuestion(
  asking: Asking,
  options: Option[],
): { questions: Question[]; match: string; call?: ToolCall } {
  const call = callOf(asking);
  const { text, title, body } = describe(asking);
  const question = { text, title, body: truncate(body, MOST), header: asking.type, multiSelect: false, options };
  return { questions: [question], match: matchOf(asking), ...(call && { call }) };
}

/** The same from the dialog's notice and from the record: whole contents are not in both. */
export function matchOf(asking: Asking): string {
  return `${asking.type} ${new Bun.CryptoHasher("sha256").update(nameOf(asking)).digest("hex")}`;
}

function nameOf(asking: Asking): string {
  switch (asking.type) {
    case "command":
      return asking.command;
    case "write":
      return basename(asking.path);
    case "fetch":
      return asking.url;
    case "other":
      return `${asking.tool} ${asking.about}`;
  }
}

function callOf(asking: Asking): ToolCall | undefined {
  const fits = (text: string) => text !== "" && text.length <= LONGEST;
  if (asking.type === "command") return fits(asking.command) ? { type: "command", command: asking.command } : undefined;
  if (asking.type === "write")
    return fits(asking.path) && asking.changes.length <= MOST ? { type: "write", path: asking.path } : undefined;
  return asking.type === "fetch" && fits(asking.url) ? { type: "fetch", url: asking.url } : undefined;
}

function describe(asking: Asking): { text: string; title: string; body: string } {
  switch (asking.type) {
    case "command": {
      const { command, description = "" } = asking;
      const about = description === "" ? [] : [`# ${safeLine(description, { max: 200 })}`];
      // The command first: a long or clever description must not hide what would run.
      return {
        text: "Allow this command?",
        title: callTitle({ type: "command", command }),
        body: [`$ ${command}`, ...about].join("\n"),
      };
    }
    case "write": {
      const { path, changes, cwd } = asking;
      const count = (mark: string) => changes.split("\n").filter((line) => line.startsWith(mark)).length;
      return {
        text: `Allow this change of ${path}?`,
        title: callTitle({ type: "write", path, cwd, added: count("+ "), removed: count("- ") }),
        body: changes,
      };
    }
    case "fetch":
      return {
        text: `Allow fetching ${asking.url}?`,
        title: callTitle({ type: "fetch", url: asking.url }),
        body: asking.prompt ?? "",
      };
    case "other":
      return {
        text: `Allow ${asking.tool}?`,
        title: callTitle({ type: "other", tool: asking.tool, about: asking.about }),
        body: asking.about,
      };
  }
}

/** The lines of a unified patch that change something. */
export function changesInPatch(patch: string): string {
  const lines = patch.split("\n").slice(patch.split("\n").findIndex((line) => line.startsWith("@@")) + 1);
  return lines.flatMap((line) => (/^[+-]/.test(line) ? [`${line[0]} ${line.slice(1)}`] : [])).join("\n");
}
