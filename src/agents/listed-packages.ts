import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findNodeAtLocation, getNodeValue, type Node, parseTree } from "jsonc-parser";
import { readExact } from "../machine/file/atomic-file.ts";

/** A package of Parley's in a list of an agent's own settings. `after`: the file without it, all else to the byte. */
export type Listed = { path: string; text: string; after: string; names: string[] };
type Wanted = { files: readonly string[]; key: string; name: string };

/** In whichever of these files the list under `key` names the package, by its name or by the folder it lies in. */
export async function listedPackages({ files, key, name }: Wanted): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const path of files) {
    const text = await readExact(path).catch(() => undefined);
    const listed = text === undefined ? undefined : await withoutPackage(text, { path, key, name });
    if (listed) found.push(listed);
  }
  return found;
}

async function withoutPackage(
  text: string,
  { path, key, name }: { path: string; key: string; name: string },
): Promise<Listed | undefined> {
  let after = text;
  const names: string[] = [];
  for (let at = 0; ;) {
    const tree = parseTree(after);
    const list = tree && findNodeAtLocation(tree, [key]);
    const items = list?.type === "array" ? (list.children ?? []) : [];
    const item = items[at];
    if (!item) break;
    const source = sourceOf(getNodeValue(item));
    if (source === undefined || !(await isPackage(source, name, path))) {
      at++;
      continue;
    }
    names.push(source);
    after = cut(after, items, at);
  }
  return names.length === 0 ? undefined : { path, text, after, names };
}

/** An item with the comma after it, or where it is the last one with the comma before it. */
function cut(text: string, items: readonly Node[], at: number): string {
  const [before, item, next] = [items[at - 1], items[at], items[at + 1]];
  if (!item) return text;
  const from = next || !before ? item.offset : before.offset + before.length;
  return text.slice(0, from) + text.slice(next ? next.offset : item.offset + item.length);
}

/** `"name"`, `["name", options]` or `{ "source": "name" }`. */
function sourceOf(entry: unknown): string | undefined {
  const [first] = Array.isArray(entry) ? (entry as unknown[]) : [entry];
  const source = typeof first === "object" && first !== null ? (first as { source?: unknown }).source : first;
  return typeof source === "string" ? source : undefined;
}

async function isPackage(source: string, name: string, file: string): Promise<boolean> {
  const bare = source.replace(/^npm:/, "");
  if (bare === name || bare.startsWith(`${name}@`)) return true;
  const folder = source.startsWith("file://") ? fileURLToPath(source) : resolve(file, "..", source);
  const about = await readExact(join(folder, "package.json")).catch(() => undefined);
  try {
    return about !== undefined && (JSON.parse(about) as { name?: unknown }).name === name;
  } catch {
    return false;
  }
}
