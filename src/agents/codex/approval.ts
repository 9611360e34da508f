import { callTitle } from "../../core/ask/call-title.ts";
import type { Option, Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { safeLine, truncate } from "../../core/text/text.ts";
import { asRecord } from "../../core/record.ts";
import type { CommandRequest, FileRequest } from "./payload.ts";
import type { FileChange } from "./file-change.ts";

/** More than a person reads before they decide; the terminal has the rest. */
const MOST = 8000;

export function commandQuestion(request: CommandRequest): Question {
  const { command, reason, cwd, kind, networkApprovalContext: network, availableDecisions } = request;
  const shown = unwrapped(command);
  const lines = [
    ...(network ? [`${network.protocol} ${network.host}`] : []),
    ...(shown === "" ? [] : [`$ ${shown}`]),
    ...(reason === "" ? [] : [`# ${safeLine(reason, { max: 200 })}`]),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
  ];
  return {
    text: network ? `Allow the network access to ${network.host}?` : (TEXTS[kind] ?? "Allow this command?"),
    title: network
      ? callTitle({ type: "fetch", url: `${network.protocol}://${network.host}` })
      : callTitle({ type: "command", command: shown }),
    body: truncate(lines.join("\n"), MOST),
    header: "command",
    multiSelect: false,
    options: optionsFor(availableDecisions.length > 0 ? availableDecisions : ["accept", "cancel"]),
  };
}

/** What it would do, where it runs in the session's own folder: its paths mean something else in another one. */
export function commandAbout(
  { command, cwd, kind, networkApprovalContext: network }: CommandRequest,
  folder: string | undefined,
): ToolCall | undefined {
  if (network) return { type: "fetch", url: `${network.protocol}://${network.host}` };
  const isHere = cwd === undefined || cwd === folder;
  return command === "" || !isHere || Object.hasOwn(TEXTS, kind)
    ? undefined
    : { type: "command", command: unwrapped(command) };
}

const TEXTS: Record<string, string> = { stdin: "Allow this input to a running command?" };

/** `changes`: what codex would write, as its record has it; undefined where that could not be read. */
export function fileQuestion({ reason, grantRoot }: FileRequest, changes: FileChange | undefined): Question {
  const { files, patch, added, removed } = changes ?? { files: [], patch: "", added: 0, removed: 0 };
  const named = files.join(", ");
  const lines = [
    ...(patch === "" ? ["The change itself is only in codex's terminal."] : [patch]),
    ...(reason === "" ? [] : [`# ${safeLine(reason, { max: 200 })}`]),
  ];
  return {
    text: grantRoot === undefined ? `Allow this edit of ${named || "files"}?` : `Allow writing below ${grantRoot}?`,
    title: callTitle({ type: "write", path: named || grantRoot || "files", added, removed }),
    body: truncate(lines.join("\n"), MOST),
    header: "edit",
    multiSelect: false,
    options: optionsFor(["accept", "acceptForSession", "cancel"], "these files"),
  };
}

/**
 * What codex offers, in its order, then a refusal with which its turn goes on: it takes that one always.
 * Contract: `decision` is what is sent, as codex gave it.
 */
function optionsFor(decisions: readonly unknown[], what = "this command"): Option[] {
  const offered = decisions.flatMap((decision) => optionOf(decision, what));
  const stop = offered.filter(({ effect }) => effect === "cancel");
  const isThere = offered.some(({ decision }) => decision === "decline");
  return [
    ...offered.filter(({ effect }) => effect !== "cancel"),
    ...(isThere ? [] : optionOf("decline", what)),
    ...stop,
  ];
}

function optionOf(decision: unknown, what: string): Option[] {
  const option = (label: string, description: string, effect: NonNullable<Option["effect"]>): Option => ({
    label,
    description,
    recommended: false,
    effect,
    decision,
  });
  if (decision === "accept") return [option("Approve", "Allow it this once", "allow")];
  if (decision === "acceptForSession")
    return [option(`Approve for the session`, `Allows ${what} until this session ends`, "allow")];
  if (decision === "decline")
    return [option("Deny", "Do not allow it; codex goes on, and a note tells it why", "deny")];
  if (decision === "cancel") return [option("Cancel", "Deny it and stop the turn, as Esc does", "cancel")];
  return alwaysOption(decision).map(({ label, description }) => ({
    ...option(label, description, "allow"),
    stakes: "high" as const,
  }));
}

/** They change codex's own rules, and say what they let through: `touch *` for `touch notes.txt`. */
function alwaysOption(decision: unknown): { label: string; description: string }[] {
  const record = asRecord(decision);
  const prefix = asRecord(record?.["acceptWithExecpolicyAmendment"])?.["execpolicy_amendment"];
  if (Array.isArray(prefix) && prefix.every((part) => typeof part === "string")) {
    const what = prefix.join(" ");
    const label = `Always allow ${safeLine(what, { max: 60 })} …`;
    return [{ label, description: truncate(`codex no longer asks for commands that start with ${what}`, 500) }];
  }
  const network = asRecord(asRecord(record?.["applyNetworkPolicyAmendment"])?.["network_policy_amendment"]);
  if (network?.["action"] === "allow" && typeof network["host"] === "string") {
    const host = safeLine(network["host"], { max: 60 });
    return [{ label: `Always allow ${host}`, description: `codex no longer asks for the network access to ${host}` }];
  }
  // What this Parley does not know it does not offer: the terminal does.
  return [];
}

const SHELL = String.raw`^\S*\b(?:ba|z|da)?sh -l?c `;
const BARE = new RegExp(String.raw`${SHELL}([\w./:=@%+-]+)$`);
const SINGLE = new RegExp(String.raw`${SHELL}'([^']*)'$`);
const DOUBLE = new RegExp(String.raw`${SHELL}"((?:[^"\\$\x60]|\\["\\$\x60])*)"$`);

/** `/bin/bash -lc 'touch x'` is what runs; what the model wrote is `touch x`. What is quoted in another way is shown whole. */
function unwrapped(command: string): string {
  const plain = BARE.exec(command)?.[1] ?? SINGLE.exec(command)?.[1];
  return plain ?? DOUBLE.exec(command)?.[1]?.replaceAll(/\\(["\\$`])/g, "$1") ?? command;
}
