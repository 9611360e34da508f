import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { ParleyError } from "../core/error.ts";
import { safeLine } from "../core/text/text.ts";
import { counted } from "../core/words/number.ts";
import { readExact } from "../machine/file/atomic-file.ts";
import { FIND_PROGRAM, type Hook } from "./hook-lines.ts";
import type { InstallPlan } from "./capability/install.ts";

/** Whether the plugin in this folder is one that Parley made. */
export async function isParleyPlugin(folder: string): Promise<boolean> {
  const text = await readExact(join(folder, "hooks", "hooks.json")).catch(() => undefined);
  return text?.includes(JSON.stringify(FIND_PROGRAM).slice(1, -1)) ?? false;
}

type Settings = {
  text: string | undefined;
  file: string;
  /** Contract: only commands that Parley wrote. */
  isOurs: RegExp;
  /** The agent reads comments and commas at the end, too. */
  isLoose?: boolean;
};

/**
 * Hooks of Parley's in the settings file of an agent.
 * Contract: everything outside Parley's own entries keeps its bytes; taking them out undoes putting them in exactly.
 */
export function planHooks(
  settings: Settings,
  { wanted, remove, renew = (hook) => hook }: { wanted: Hook[]; remove: boolean; renew?: (hook: Hook) => Hook },
): InstallPlan {
  const { text } = settings;
  const found = hooksIn(settings).map(renew);
  const upToDate = found.length === wanted.length && wanted.every((w) => found.some((f) => isDeepStrictEqual(f, w)));
  const summary = remove ? `takes ${counted(found.length, "hook")} out of` : summaryOf(found.length, wanted.length);
  if (upToDate) return { before: text, after: text, changed: false, summary };
  const cleaned = text === undefined ? undefined : withoutParley(text, settings);
  return { before: text, after: wanted.reduce((so, hook) => add(so, hook, settings), cleaned), changed: true, summary };
}

/** What Parley has put there. */
export const hooksIn = (settings: Settings): Hook[] =>
  settings.text === undefined ? [] : parleyEntries(parse(settings.text, settings), settings).map(asHook);

function summaryOf(found: number, wanted: number): string {
  return found === 0 ? `adds ${counted(wanted, "hook")} to` : `renews Parley's hooks in`;
}

/** What Parley put in, in document order. */
function parleyEntries(root: Node, { isOurs }: Settings): { event: string; group: Node; handler: Node }[] {
  return propertiesOf(valueOf(root, "hooks")).flatMap(({ children: [name, list] = [] }) =>
    (list?.children ?? []).flatMap((group) =>
      (valueOf(group, "hooks")?.children ?? [])
        .filter((handler) => isOurs.test(String(valueOf(handler, "command")?.value)))
        .map((handler) => ({ event: String(name?.value), group, handler })),
    ),
  );
}

function asHook({ event, group, handler }: { event: string; group: Node; handler: Node }): Hook {
  const matcher = valueOf(group, "matcher");
  return { event, matcher: matcher && getNodeValue(matcher), handler: { ...(getNodeValue(handler) as object) } };
}

/** Last one first, so that each step undoes the matching step of `add`. */
function withoutParley(text: string, settings: Settings): string | undefined {
  const entry = parleyEntries(parse(text, settings), settings).at(-1);
  if (!entry) return text;
  // A person may have put a command of their own into our group: then only ours leaves.
  const alone = entry.handler.parent?.children?.length === 1;
  const rest = cut(text, alone ? entry.group : entry.handler);
  return rest === undefined ? undefined : withoutParley(rest, settings);
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

function add(text: string | undefined, { event, matcher, handler }: Hook, settings: Settings): string {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
  if (text === undefined) return `${JSON.stringify({ hooks: { [event]: [group] } }, null, 2)}\n`;
  const root = parse(text, settings);
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

/** Strict JSON with hooks of the shape that these agents read. */
function parse(text: string, { file, isLoose = false }: Settings): Node {
  const errors: ParseError[] = [];
  // The parser knows no byte order mark; a space in its place keeps the offsets.
  const root = treeOf(text.replace(/^\uFEFF/, " "), errors, { file, isLoose });
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

function treeOf(
  text: string,
  errors: ParseError[],
  { file, isLoose }: { file: string; isLoose: boolean },
): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: !isLoose, allowTrailingComma: isLoose });
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
