import { basename, join } from "node:path";
import { safeText } from "../core/text/text.ts";
import { type Base, lookInto, type Tree } from "../machine/git/git-tree.ts";
import type { Document } from "./brain.ts";

const LARGEST = 24 * 1024;
const LARGEST_TOGETHER = 64 * 1024;
const MOST = 20;
const MOST_KNOWN = 20;
/** Where workflows keep their plans, besides the top of the project. */
const PLANS = ".planning";
const PHASES = join(PLANS, "phases");

/**
 * The project's documents as they are in a commit; undefined: there is no such commit. A bare name is looked for at the top of the project, in `.planning`,
 * and there in the folder of the latest phase that has one.
 * Contract: never throws, reads nothing of the working tree and no link, and never much.
 */
export function createDocuments() {
  // A commit never changes.
  const known = new Map<string, Promise<Document[] | undefined>>();
  return (base: Base, names: readonly string[]): Promise<Document[] | undefined> => {
    const key = JSON.stringify([base.top, base.commit, names]);
    const found = known.get(key) ?? lookInto(base, (tree) => documentsIn(tree, names));
    known.delete(key);
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    // One that could not be read may be there the next time.
    void found.then((read) => read === undefined && known.delete(key));
    return found;
  };
}

async function documentsIn(tree: Tree, names: readonly string[]): Promise<Document[]> {
  const found: Document[] = [];
  let room = LARGEST_TOGETHER;
  for (const name of names.slice(0, MOST))
    for (const place of await placesOf(tree, name)) {
      const bytes = room > 0 ? await tree.read(place) : undefined;
      if (!bytes) continue;
      const document = cutTo(place, bytes, Math.min(LARGEST, room));
      found.push(document);
      room -= Buffer.byteLength(document.text);
    }
  return found;
}

async function placesOf(tree: Tree, name: string): Promise<string[]> {
  if (basename(name) !== name) return [name];
  const ofPhase = await phaseDocument(tree, name);
  return [name, join(PLANS, name), ...(ofPhase === undefined ? [] : [ofPhase])];
}

/** Workflows keep a document of each phase in its folder, as in `.planning/phases/04-answers/04-CONTEXT.md`. */
async function phaseDocument(tree: Tree, name: string): Promise<string | undefined> {
  const folders = ((await tree.list(PHASES)) ?? []).map((folder) => folder.name);
  for (const folder of folders.toSorted(BY_NUMBER.compare).toReversed().slice(0, MOST)) {
    const files = (await tree.list(join(PHASES, folder))) ?? [];
    const found = files.find((file) => file.name === name || file.name.endsWith(`-${name}`));
    if (found !== undefined) return join(PHASES, folder, found.name);
  }
  return undefined;
}

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

function cutTo(name: string, bytes: Buffer, most: number): Document {
  const cut = bytes.length > most;
  const text = bytes.subarray(0, most).toString("utf8");
  // The last character may be half there.
  return { name, text: safeText(cut ? text.replace(/\ufffd$/, "") : text).trim(), cut };
}
