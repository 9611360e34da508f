import { callTitle } from "../../core/ask/call-title.ts";
import type { Option, Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { DENY_AND_STOP } from "../../core/ask/answer/verdicts.ts";
import { asRecord } from "../../core/record.ts";
import { countInPatch } from "../../core/text/line-counts.ts";
import { safeLine, truncate } from "../../core/text/text.ts";
import { unifiedDiff } from "../../core/text/unified-diff.ts";
import type { Call, PermissionOption } from "./payload.ts";

/** More than a person reads before they decide; the editor has the rest. */
const MOST = 8000;
const LONGEST = 8000;
/** Fields beside a command that change nothing of what it may do. */
const OF_COMMAND = new Set(["command", "description", "timeout"]);

/** A permission as a question: the agent's own options by their own names, and the end of the turn. */
export function permissionQuestion(call: Call | undefined, options: readonly PermissionOption[]): Question {
  const detail = describe(call);
  return {
    ...detail,
    body: truncate(detail.body, MOST),
    header: call?.kind ?? "",
    multiSelect: false,
    options: [...options.map(optionOf), DENY_AND_STOP],
  };
}

const MEANS: Record<string, Pick<Option, "description" | "effect" | "takesNote"> & { stakes?: "high" }> = {
  allow_once: { description: "Allow it this once", effect: "allow" },
  allow_always: { description: "Allow it from now on, as the agent understands that", effect: "allow", stakes: "high" },
  reject_once: {
    description: "Do not allow it; this protocol carries no words to the agent",
    effect: "deny",
    takesNote: false,
  },
  reject_always: {
    description: "Never allow it, as the agent understands that",
    effect: "deny",
    takesNote: false,
    stakes: "high",
  },
};

/** Of a kind that is not known nobody can say what it does: it is an option, and neither allows nor denies. */
function optionOf({ optionId, name, kind }: PermissionOption): Option {
  const means = Object.hasOwn(MEANS, kind) ? MEANS[kind] : undefined;
  const label = safeLine(name, { max: 200 }) || optionId;
  return { label, description: means?.description ?? "", recommended: false, ...means, optionId };
}

/** What a grant can be about, where all of it is known. */
export function grantable(call: Call | undefined, cwd: string | undefined): { call?: ToolCall; about?: ToolCall } {
  const command = text(call?.rawInput["command"]);
  if (call?.kind !== "execute" || command === undefined || command.length > LONGEST) return {};
  // A command of another folder is another command.
  const isHere = (field: string) => field === "cwd" && call.rawInput[field] === cwd;
  const isAll = Object.keys(call.rawInput).every((field) => OF_COMMAND.has(field) || isHere(field));
  const wanted: ToolCall = { type: "command", command };
  return isAll ? { call: wanted } : { about: wanted };
}

type Detail = { text: string; title: string; body: string };

function describe(call: Call | undefined): Detail {
  if (!call)
    return { text: "Allow this?", title: callTitle({ type: "other", tool: "permission", about: "" }), body: "" };
  const command = text(call.rawInput["command"]);
  if (call.kind === "execute" && command !== undefined) {
    const about = text(call.rawInput["description"]);
    const body = [`$ ${command}`, ...(about === undefined ? [] : [`# ${safeLine(about, { max: 200 })}`])].join("\n");
    return { text: "Allow this command?", title: callTitle({ type: "command", command }), body };
  }
  const diffs = call.content.flatMap(diffIn);
  const [first] = diffs;
  if (first) {
    const patch = diffs.map(({ lines }) => lines).join("\n");
    const path = diffs.map((diff) => diff.path).join(", ");
    const title = callTitle({ type: "write", path, ...countInPatch(patch) });
    return { text: `Allow this edit of ${safeLine(path, { max: 500 })}?`, title, body: patch };
  }
  const url = text(call.rawInput["url"]);
  if (call.kind === "fetch" && url !== undefined)
    return {
      text: `Allow fetching ${safeLine(url, { max: 500 })}?`,
      title: callTitle({ type: "fetch", url }),
      body: url,
    };
  return other(call);
}

function other(call: Call): Detail {
  const name = safeLine(call.title || call.kind || "this call", { max: 200 });
  const isInput = Object.keys(call.rawInput).length > 0;
  const parts = [
    ...call.locations.map(({ path }) => path),
    ...textsIn(call.content),
    ...(isInput ? [JSON.stringify(call.rawInput, null, 2)] : []),
  ];
  const tool = call.kind === "" || call.kind === "other" ? "call" : call.kind;
  return {
    text: `Allow: ${name}?`,
    title: callTitle({ type: "other", tool, about: name }),
    body: [...new Set(parts.filter(Boolean))].join("\n"),
  };
}

function diffIn(raw: unknown): { path: string; lines: string }[] {
  const part = asRecord(raw);
  const [path, after] = [text(part?.["path"]), part?.["newText"]];
  if (part?.["type"] !== "diff" || path === undefined || typeof after !== "string") return [];
  const before = typeof part["oldText"] === "string" ? part["oldText"] : undefined;
  return [{ path, lines: unifiedDiff({ before, after }, path).join("\n") }];
}

/** The texts among the contents of a call. */
export function textsIn(content: readonly unknown[]): string[] {
  return content.flatMap((raw) => {
    const found = asRecord(asRecord(raw)?.["content"])?.["text"];
    return typeof found === "string" ? [found] : [];
  });
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
