import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { safeText } from "../core/text.ts";
import type { Document } from "./brain.ts";
import { phaseDocument } from "./phase-document.ts";

const LARGEST = 24 * 1024;
const LARGEST_TOGETHER = 64 * 1024;
const MOST = 20;
const LONGEST_PATH = 4096;
/** Where workflows keep their plans, besides the top of the project. */
const PLANS = ".planning";

/**
 * The project's documents, of those that are there. A bare name is looked for at the top of the project, in
 * `.planning`, and there in the folder of the phase that was worked on last.
 * Contract: never throws, reads regular files inside the project only (no link leads out), and never much.
 */
export async function readDocuments(directory: string | undefined, names: readonly string[]): Promise<Document[]> {
  const top = await topOf(directory);
  if (top === undefined) return [];
  const found: Document[] = [];
  let room = LARGEST_TOGETHER;
  const places = await Promise.all(names.slice(0, MOST).map((name) => placesOf(top, name)));
  for (const name of places.flat()) {
    const read = room > 0 ? await readInside(top, name, Math.min(LARGEST, room)) : undefined;
    if (!read) continue;
    found.push(read);
    room -= Buffer.byteLength(read.text);
  }
  return found;
}

async function placesOf(top: string, name: string): Promise<string[]> {
  if (basename(name) !== name) return [name];
  const ofPhase = await phaseDocument(top, name);
  return [name, join(PLANS, name), ...(ofPhase === undefined ? [] : [ofPhase])];
}

async function readInside(top: string, name: string, most: number): Promise<Document | undefined> {
  try {
    const path = await realpath(join(top, name));
    if (!path.startsWith(top + sep)) return undefined;
    // A pipe would be waited for without NONBLOCK.
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const info = await file.stat();
    if (!info.isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    const cut = info.size > bytesRead;
    // The last character may be half there.
    const text = buffer.subarray(0, bytesRead).toString("utf8");
    return { name, text: safeText(cut ? text.replace(/\ufffd$/, "") : text).trim(), cut };
  } catch {
    return undefined;
  }
}

/** The git top level, or the directory itself. Real, so that what lies inside can be told. */
async function topOf(directory: string | undefined): Promise<string | undefined> {
  // It comes from an agent, and every part of it costs a look.
  if (directory === undefined || !isAbsolute(directory) || directory.length > LONGEST_PATH) return undefined;
  const start = await realpath(directory).catch(() => undefined);
  if (start === undefined || start === sep) return undefined;
  for (let dir = start; dir !== dirname(dir); dir = dirname(dir))
    if (
      await stat(join(dir, ".git")).then(
        () => true,
        () => false,
      )
    )
      return dir;
  return start;
}
