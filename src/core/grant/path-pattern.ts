import type { Read } from "./command-pattern.ts";
import { fitsStars } from "./star-text.ts";

/** `src/**`, `docs/*.md`: from the folder on. `*` is within one name, `**` any number of folders; neither is a hidden name. */
export type PathPattern = { segments: readonly string[] };

export function readPathPattern(text: string): Read<PathPattern> {
  if (text.startsWith("/") || text.startsWith("~")) return { refused: "it must be a path below the folder" };
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0 || segments.includes("..")) return { refused: "it must be a path below the folder" };
  if (segments.length > 50 || segments.filter((segment) => segment.includes("*")).length > 5)
    return { refused: "it has too many parts" };
  if (segments.some((segment) => segment.includes("**") && segment !== "**"))
    return { refused: "** stands for whole folders" };
  if (/[\p{C}]/u.test(text)) return { refused: "it holds a control character" };
  return { pattern: { segments } };
}

/** `relative`: the path from the folder, without links and `..`. */
export function fitsPath({ segments }: PathPattern, relative: string, { hidden = false } = {}): boolean {
  return fits(segments, relative.split("/"), hidden);
}

function fits([segment, ...others]: readonly string[], names: readonly string[], hidden: boolean): boolean {
  const isReached = (name: string) => hidden || isShown(name);
  const [name, ...below] = names;
  if (segment === undefined) return name === undefined;
  if (segment === "**") {
    const isLast = others.length === 0;
    if (isLast) return names.length > 0 && names.every(isReached);
    return (
      fits(others, names, hidden) ||
      (name !== undefined && isReached(name) && fits([segment, ...others], below, hidden))
    );
  }
  return name !== undefined && isNamed(segment, name, hidden) && fits(others, below, hidden);
}

const isShown = (name: string) => name !== "" && !name.startsWith(".");

function isNamed(segment: string, name: string, hidden: boolean): boolean {
  if (!segment.includes("*")) return segment === name;
  if (segment.startsWith("*") && !hidden && !isShown(name)) return false;
  return fitsStars(segment.split("*"), name);
}
