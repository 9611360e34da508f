import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keepList } from "../file/kept-list.ts";

/** A settings file that Parley has written into, and whose. */
export type SetUpPlace = { agent: string; path: string };

export const setUpPlaces = (home: string): string => join(home, "set-up.json");

/** Where an agent was set up with this home, wherever that was: a project, or a folder that a variable named. */
export function readSetUpPlaces(home: string): SetUpPlace[] {
  try {
    const found = JSON.parse(readFileSync(setUpPlaces(home), "utf8")) as unknown;
    return Array.isArray(found) ? found.filter(isPlace) : [];
  } catch {
    return [];
  }
}

/** `program` is `<home>/bin/parley`. Contract: never throws: that it cannot be noted keeps nobody from setting up. */
export function noteSetUpPlace(program: string, place: SetUpPlace): void {
  const home = dirname(dirname(program));
  const known = readSetUpPlaces(home);
  if (known.some(({ agent, path }) => agent === place.agent && path === place.path)) return;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    keepList(setUpPlaces(home), [...known, place]);
  } catch {
    // A full disk: it is found where agents usually have it.
  }
}

const isPlace = (each: unknown): each is SetUpPlace => {
  const place = each as Partial<SetUpPlace> | null;
  return typeof place?.agent === "string" && typeof place.path === "string";
};
