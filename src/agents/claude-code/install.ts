import { shellWord } from "../../machine/shell-quote.ts";
import { isDeepStrictEqual } from "node:util";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import { counted } from "../../core/words/number.ts";
import { CALLING_TOOLS } from "./grantable.ts";
import type { InstallPlan, InstallRequest } from "../install.ts";

type Hook = { event: string; matcher: string | undefined; handler: unknown };

/** The tools whose dialogs Parley answers. */
const ASKING_TOOLS = ["AskUserQuestion", "ExitPlanMode"];
const [QUICK, A_DAY] = [10, 86_400];
/** Before hooks named their agent they were this one's: such a command goes on working and is not out of date. */
export const PARLEY_COMMAND =
  /^(\[ -x (.+) \] && exec \2 hook )(?:claude-code )?(\w+(?: --hold| --must-ask)?; exit 0)$/s;

/** Contract: everything outside Parley's own entries keeps its bytes; removing undoes installing exactly. */
export function planInstall({ text, program, hold, mustAsk = false, remove, file }: InstallRequest): InstallPlan {
  const found = text === undefined ? [] : parleyEntries(parse(text, file)).map(asHook);
  const hasMustAsk = mustAsk || found.some(({ handler }) => isMustAsk((handler as { command: string }).command));
  const wanted = remove ? [] : [...hooksFor(program, hold), ...(hasMustAsk ? [mustAskHook(program)] : [])];
  const upToDate = found.length === wanted.length && wanted.every((w) => found.some((f) => isDeepStrictEqual(f, w)));
  const summary = remove ? `takes ${counted(found.length, "hook")} out of` : summaryOf(found.length, wanted.length);
  if (upToDate) return { before: text, after: text, changed: false, summary };
  const cleaned = text === undefined ? undefined : withoutParley(text, file);
  return { before: text, after: wanted.reduce((so, hook) => add(so, hook, file), cleaned), changed: true, summary };
}

function summaryOf(found: number, wanted: number): string {
  return found === 0 ? `adds ${counted(wanted, "hook")} to` : `renews Parley's hooks in`;
}

export function settingsPath(at: { env: Record<string, string | undefined>; cwd: string; project?: string }): string {
  if (at.project !== undefined) return join(at.project, ".claude", "settings.json");
  const folder = at.env["CLAUDE_CONFIG_DIR"] || join(at.env["HOME"] || homedir(), ".claude");
  return resolve(at.cwd, folder, "settings.json");
}

/** Settings for a run of Parley's own: `--task` tells its hooks from those a person has installed, which stand aside. */
export function taskSettings(program: string, mustAsk = false): object {
  const hooks: Record<string, unknown[]> = {};
  const all = [...hooksFor(program, true, " --task"), ...(mustAsk ? [mustAskHook(program, " --task")] : [])];
  for (const { event, matcher, handler } of all)
    (hooks[event] ??= []).push({ ...(matcher !== undefined && { matcher }), hooks: [handler] });
  return { hooks };
}

function hooksFor(program: string, hold: boolean, mark = ""): Hook[] {
  const path = shellWord(program);
  const asking = ASKING_TOOLS.join("|");
  const hook = (event: string, timeout: number, matcher?: string, flag = ""): Hook => ({
    event,
    matcher,
    handler: {
      type: "command",
      command: `[ -x ${path} ] && exec ${path} hook claude-code ${event}${flag}${mark}; exit 0`,
      timeout,
    },
  });
  return [
    hold ? hook("PreToolUse", A_DAY, asking, " --hold") : hook("PreToolUse", QUICK, asking),
    hook("PostToolUse", QUICK, asking),
    // Every prompt of every tool: this event only comes when a dialog opens.
    hook("PermissionRequest", A_DAY),
    ...["Stop", "SessionStart", "SessionEnd", "Notification"].map((event) => hook(event, QUICK)),
    // Parley's own runs are told by the one that runs them.
    ...(mark === "" ? [hook("UserPromptSubmit", QUICK)] : []),
  ];
}

/** Before every call that a pattern can be about: silent, unless it must be asked about. */
function mustAskHook(program: string, mark = ""): Hook {
  const path = shellWord(program);
  const command = `[ -x ${path} ] && exec ${path} hook claude-code PreToolUse --must-ask${mark}; exit 0`;
  return {
    event: "PreToolUse",
    matcher: CALLING_TOOLS.join("|"),
    handler: { type: "command", command, timeout: QUICK },
  };
}

export const isMustAsk = (command: string): boolean => command.includes(" --must-ask");

/** What Parley put in, in document order. */
function parleyEntries(root: Node): { event: string; group: Node; handler: Node }[] {
  return propertiesOf(valueOf(root, "hooks")).flatMap(({ children: [name, list] = [] }) =>
    (list?.children ?? []).flatMap((group) =>
      (valueOf(group, "hooks")?.children ?? [])
        .filter((handler) => PARLEY_COMMAND.test(String(valueOf(handler, "command")?.value)))
        .map((handler) => ({ event: String(name?.value), group, handler })),
    ),
  );
}

function asHook({ event, group, handler }: { event: string; group: Node; handler: Node }): Hook {
  const matcher = valueOf(group, "matcher");
  const found = getNodeValue(handler) as { command: string };
  const command = found.command.replace(PARLEY_COMMAND, "$1claude-code $3");
  return { event, matcher: matcher && getNodeValue(matcher), handler: { ...found, command } };
}

/** Last one first, so that each step undoes the matching step of `add`. */
function withoutParley(text: string, file: string): string | undefined {
  const entry = parleyEntries(parse(text, file)).at(-1);
  if (!entry) return text;
  // A person may have put a command of their own into our group: then only ours leaves.
  const alone = entry.handler.parent?.children?.length === 1;
  const rest = cut(text, alone ? entry.group : entry.handler);
  return rest === undefined ? undefined : withoutParley(rest, file);
}

/**
 * An empty list or object that a person had is filled after a blank line (see `append`), one that Parley made has none:
 * so the first is left empty, with the white space it had, and the second goes. Undefined when nothing is left at all.
 */
function cut(text: string, node: Node): string | undefined {
  const container = node.parent;
  if (!container) return undefined;
  const at = container.children?.indexOf(node) ?? 0;
  const [previous, next] = [container.children?.[at - 1], container.children?.[at + 1]];
  if (previous) return splice(text, end(previous), end(node));
  if (next) return splice(text, node.offset, next.offset);
  const inside = container.offset + 1;
  const blankLine = /(\r?\n){2}[ \t]*$/.exec(text.slice(inside, node.offset));
  if (blankLine) return splice(text, inside + blankLine.index, end(container) - 1);
  return cut(text, container.parent ?? container);
}

function add(text: string | undefined, { event, matcher, handler }: Hook, file: string): string {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
  if (text === undefined) return `${JSON.stringify({ hooks: { [event]: [group] } }, null, 2)}\n`;
  const root = parse(text, file);
  const hooks = valueOf(root, "hooks");
  if (!hooks) return append(text, [root], { [event]: [group] }, "hooks");
  const list = valueOf(hooks, event);
  if (!list) return append(text, [root, hooks], [group], event);
  return append(text, [root, hooks, list], group);
}

/** Behind the last child of the innermost of `path`, in the indentation and line ends of the file. */
function append(text: string, path: [Node, ...Node[]], value: unknown, key?: string): string {
  const container = path.at(-1) ?? path[0];
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const unit = indentOf(text, path[0].children?.[0])?.slice(0, 10) || "  ";
  const last = container.children?.at(-1);
  const indent = indentOf(text, last) ?? unit.repeat(path.length);
  const json = JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
  const child = eol + indent + (key === undefined ? json : `${JSON.stringify(key)}: ${json}`);
  if (last) return splice(text, end(last), end(last), `,${child}`);
  const close = end(container) - 1;
  return splice(text, close, close, eol + child + eol + unit.repeat(path.length - 1));
}

/** Undefined when something else stands before the node on its line. */
function indentOf(text: string, node: Node | undefined): string | undefined {
  return node && /[\r\n]([ \t]*)$/.exec(text.slice(0, node.offset))?.[1];
}

/** Strict JSON with hooks of the shape Claude Code reads. */
function parse(text: string, file: string): Node {
  const errors: ParseError[] = [];
  // The parser knows no byte order mark; a space in its place keeps the offsets.
  const root = treeOf(text.replace(/^\uFEFF/, " "), errors, file);
  const [first] = errors;
  if (first || !root) {
    const reason = first ? printParseErrorCode(first.error) : "ValueExpected";
    const words = reason.replaceAll(/(?!^)[A-Z]/g, " $&").toLowerCase();
    throw problem(text, file, first?.offset ?? 0, `not valid JSON (${words})`);
  }
  const must = (type: "object" | "array", name: string, node: Node | undefined, near: Node) => {
    if (node?.type !== type) throw problem(text, file, (node ?? near).offset, `${name} must be an ${type}`);
  };
  must("object", "the top level", root, root);
  const hooks = valueOf(root, "hooks");
  if (hooks) must("object", `"hooks"`, hooks, root);
  for (const event of propertiesOf(hooks)) {
    const list = event.children?.[1];
    must("array", `"hooks.${safeLine(String(event.children?.[0]?.value), { max: 60 })}"`, list, event);
    for (const group of list?.children ?? []) {
      must("object", "an entry of a hook event", group, event);
      must("array", `"hooks" of an entry`, valueOf(group, "hooks"), group);
    }
  }
  return root;
}

function treeOf(text: string, errors: ParseError[], file: string): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    // The parser descends by recursion.
    if (!(error instanceof RangeError)) throw error;
    throw new ParleyError("settings", `${file} is nested too deeply to read. Nothing was changed.`, { cause: error });
  }
}

function problem(text: string, file: string, offset: number, what: string): ParleyError {
  const lines = text.slice(text.startsWith("\uFEFF") ? 1 : 0, offset).split(/\r?\n/);
  const place = `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
  return new ParleyError("settings", `${file}, ${place}: ${what}. Nothing was changed; fix it and run this again.`);
}

function propertiesOf(node: Node | undefined): Node[] {
  return node?.type === "object" ? (node.children ?? []) : [];
}

/** The last one of several with the same name, as JSON.parse has it. */
function valueOf(node: Node, name: string): Node | undefined {
  return propertiesOf(node).findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

function end(node: Node): number {
  return node.offset + node.length;
}

function splice(text: string, from: number, to: number, put = ""): string {
  return text.slice(0, from) + put + text.slice(to);
}
