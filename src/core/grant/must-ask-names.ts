import { forEachChild, parse, type SyntaxNode, type Word } from "unbash";
import type { Read } from "./command-pattern.ts";
import type { Place } from "./match.ts";
import { fitsPath, type PathPattern, readPathPattern } from "./path-pattern.ts";
import { staticValue } from "./shell-words.ts";
import { fitsStars } from "./star-text.ts";

/** `top`: of the project where it is asked. `topsOf`: those of the projects that a file lies in. */
export type NamingPlace = Place & { top: string; topsOf?(file: string): readonly string[] };

/** `example.com`, `*.example.com`, also as an address. Any way to get there counts. */
export function readHost(text: string): Read<(url: string) => boolean> {
  const wanted = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!wanted?.hostname) return { refused: "it must be a host, such as example.com" };
  const pieces = plainHost(wanted).split("*");
  return {
    pattern(url) {
      const found = URL.parse(url);
      if (!found) return true;
      return fitsStars(pieces, plainHost(found)) && (wanted.port === "" || [wanted.port, ""].includes(found.port));
    },
  };
}

const plainHost = ({ hostname }: URL): string => hostname.toLowerCase().replace(/\.$/, "");

/** A command that names the host, as an address or by itself. */
export function namesHost(isHost: (url: string) => boolean, command: string): boolean {
  const texts = [command, ...wordsIn(command).flatMap((word) => staticValue(word) ?? [])];
  const hosts = texts.flatMap(
    (text) => text.match(/[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+|localhost|\[[\da-f:.]+\]/giu) ?? [],
  );
  return [...new Set(hosts)].some((host) => URL.canParse(`http://${host}`) && isHost(`http://${host}`));
}

/** More names than that are not looked up, and asked about. */
const MOST_NAMES = 500;
/** What stands behind these is a text for people. */
export const MESSAGE = /^(?:-[a-z]*m|--(?:message|title|body|subject|description|notes?))$/i;

/**
 * A command that names such a file, or the folder that the pattern is about: as a word, a part of one, or where its output goes. What
 * a variable holds is not known, and not taken for it.
 */
export function namesFile(pattern: PathPattern, command: string, place: NamingPlace): boolean {
  const words = wordsIn(command);
  const values = words.map((word) => staticValue(word) ?? word.text.replace(/["'\\]/g, ""));
  const folders = values.filter((_, i) => /^(?:cd|pushd|-C)$/.test(values[i - 1] ?? ""));
  const from = [...new Set([place.cwd, place.top, ...folders.map((folder) => absolute(folder, place.cwd))])];
  const parts = values.flatMap((value, i) =>
    MESSAGE.test(values[i - 1] ?? "") ? [] : [value, value.replace(/^-\w/, ""), ...value.split(/[\s=:,@;|&<>"'`()]/)],
  );
  const names = [...new Set(parts)].filter((part) => part !== "" && part.length < 4096);
  if (names.length * from.length > MOST_NAMES * 3) return true;
  const head = fixedHead(pattern);
  return names.some((name) => from.some((folder) => isNamed(pattern, head, absolute(name, folder), place)));
}

function isNamed(pattern: PathPattern, head: string | undefined, path: string, place: NamingPlace): boolean {
  const found = place.real(path);
  if (found === undefined) return false;
  return topsFor(found, place).some((top) => {
    const below = found.startsWith(`${top}/`) ? found.slice(top.length + 1) : "";
    if (below === "") return false;
    if (below.toLowerCase() === head || isFile(pattern, below)) return true;
    // As a shell reads it: `.e*` may be `.env`.
    const glob = /[*?]/.test(below)
      ? readPathPattern(below.toLowerCase().replaceAll("?", "*").replace(/\*+/g, "*"))
      : undefined;
    return head !== undefined && glob !== undefined && "pattern" in glob && fitsPath(glob.pattern, head);
  });
}

/** It, or what lies in it. Some disks know no case, and several ways to write one letter. */
export function isFile({ segments }: PathPattern, below: string): boolean {
  const wanted = segments.map(folded);
  return [wanted, [...wanted, "**"]].some((each) => fitsPath({ segments: each }, folded(below), { hidden: true }));
}
export const topsFor = (file: string, { top, topsOf }: NamingPlace): string[] => [top, ...(topsOf?.(file) ?? [])];

const folded = (text: string): string => text.normalize("NFC").toLowerCase();
const absolute = (path: string, folder: string): string => (path.startsWith("/") ? path : `${folder}/${path}`);

/** The folder or file that the pattern begins with, without any star. */
function fixedHead({ segments }: PathPattern): string | undefined {
  const open = segments.findIndex((segment) => segment.includes("*"));
  const fixed = open < 0 ? segments : segments.slice(0, open);
  return fixed.length === 0 ? undefined : folded(fixed.join("/"));
}

function wordsIn(command: string): Word[] {
  const words: Word[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Word") words.push(node);
    forEachChild(node, visit);
  };
  visit(parse(command));
  return words;
}
