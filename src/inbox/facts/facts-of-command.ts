import { basename, dirname, join } from "node:path";
import type { Did } from "../../core/fact/command-reading.ts";
import type { Fact } from "../../core/fact/fact.ts";
import type { Touched } from "../../core/fact/undo.ts";
import { asRecord } from "../../core/record.ts";
import { safeLine } from "../../core/text/text.ts";
import { GIT_WORDS, hostOf, pathWords, touchWords } from "../../core/words/fact-words.ts";
import { byteSize, counted } from "../../core/words/number.ts";
import { type GitState, gitStates, remoteUrl, repositoryState } from "../../machine/git/git-state.ts";
import { type Look, lookAt, namesLike, textAt } from "../../machine/file/look-at.ts";
import { realPath } from "../../machine/file/real-path.ts";
import type { Place } from "./facts-place.ts";

type Touch = Did & { type: "touches" };
type At = { touch: Touch; path: string };
/** More files than that are counted, not named. */
const MOST_PATHS = 8;
const MOST_OF_PATTERN = 4;
/** Looking at what lies there may do something, or wait for it. */
const NOT_LOOKED_INTO = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** The files that a call names: what lies there, how large it is, and what git knows of it. */
export async function fileFacts(
  touches: readonly Touch[],
  place: Place,
): Promise<{ facts: Fact[]; touched: Touched[]; cannot: string[] }> {
  const cannot: string[] = [];
  const wanted: At[] = [];
  for (const touch of touches) {
    const path = place.absolute(touch.path, touch.from);
    if (!touch.star) wanted.push({ touch, path });
    else {
      const names = await namesLike(path);
      const [first, rest] = [names.slice(0, MOST_OF_PATTERN), names.slice(MOST_OF_PATTERN)];
      if (names.length === 0) cannot.push(`nothing fits “${touch.path}” now`);
      wanted.push(...first.map((name) => ({ touch, path: name })));
      if (rest.length > 0) cannot.push(`${rest.length} more files fit “${touch.path}”`);
    }
  }
  const each = new Map(wanted.map((at) => [`${at.touch.does} ${at.path}`, at]));
  const shown = [...each.values()].slice(0, MOST_PATHS);
  if (each.size > MOST_PATHS) cannot.push(`${each.size - MOST_PATHS} more files are named`);
  const places = shown.map(({ path, touch }) => placed(path, touch, place));
  const inside = [...new Set(places.filter(({ isInside }) => isInside).map(({ real }) => real))];
  const isAsked = place.isRepository && inside.length > 0;
  // Side by side: a folder without end must not take the time of the rest.
  const [looks, git] = await Promise.all([
    Promise.all(shown.map(({ path }) => looked(path, place))),
    isAsked ? gitStates(place.top, inside, place.signal) : new Map<string, GitState>(),
  ]);
  if (!git) cannot.push("git did not answer in time");
  const facts: Fact[] = [];
  const touched: Touched[] = [];
  for (const [i, { touch, path }] of shown.entries()) {
    const { real, isInside } = places[i] ?? { real: path, isInside: false };
    const look: Look = looks[i] ?? { type: "other" };
    // A word is a path only where something lies there.
    if (touch.does === "names" && look.type === "missing") continue;
    const state = git?.get(real);
    const isThere = look.type !== "missing";
    const parts = [
      ...lookWords(look, touch),
      ...(state && isThere ? [GIT_WORDS[state]] : []),
      ...(isInside ? [] : ["outside of the project"]),
    ];
    const how = [
      touch.by,
      ...(isThere ? ["what lies there"] : ["nothing lies there"]),
      ...(state ? ["git status"] : []),
    ].join("; ");
    facts.push({ about: "files", text: touchWords(touch.does, place.shown(path), parts), how });
    const known = isInside ? (place.isRepository ? state : "outside") : "outside";
    touched.push({ does: touch.does, path: place.shown(path), isThere, git: known });
  }
  return { facts, touched, cannot };
}

/** A link that is taken away or moved is itself what is touched; whatever else is done is done to what it leads to. */
function placed(path: string, { does }: Touch, { top }: Place): { real: string; isInside: boolean } {
  const folder = realPath(dirname(path));
  const isItself = does === "deletes" || does === "moves";
  const real = isItself && folder !== undefined ? join(folder, basename(path)) : realPath(path);
  return { real: real ?? path, isInside: real !== undefined && (real === top || real.startsWith(`${top}/`)) };
}

const looked = async (path: string, { until }: Place): Promise<Look> =>
  NOT_LOOKED_INTO.test(realPath(path) ?? path) ? { type: "other" } : lookAt(path, until);

function lookWords(look: Look, { does }: Touch): string[] {
  switch (look.type) {
    case "file":
      return [byteSize(look.bytes), ...(look.isBinary ? ["binary"] : [])];
    case "folder":
      return [
        `a folder with ${look.isCut ? "more than " : ""}${counted(look.files, "file")}`,
        `${look.isCut ? "more than " : ""}${byteSize(look.bytes)}`,
      ];
    case "link":
      return [`a link to ${pathWords(look.to)}`];
    case "missing":
      return [["writes", "makes", "appends to"].includes(does) ? "does not exist yet" : "does not exist"];
    case "unreadable":
      return [`may not be looked at (${look.why})`];
    case "other":
      return ["no plain file"];
  }
}

/** Which hosts, by the addresses in its words and what git's settings make of a name. */
export async function talksTo(all: readonly (Did & { type: "host" | "remote" })[], place: Place): Promise<Fact[]> {
  const facts = await Promise.all(
    all.map(async (each): Promise<Fact[]> => {
      if (each.type === "host")
        return [
          {
            about: "host",
            text: `talks to ${safeLine(each.host, { max: 100 })}${each.note === undefined ? "" : `; ${each.note}`}`,
            how: each.by,
          },
        ];
      const found = place.isRepository ? await remoteUrl(place.top, each, place.signal) : undefined;
      if (!found)
        return [
          {
            about: "unknown",
            text: `Which host cannot be told: git has no remote by that name here`,
            how: "git remote get-url",
          },
        ];
      const host = hostOf(found.url);
      const where = host === undefined ? `the folder ${pathWords(found.url)}` : safeLine(host, { max: 100 });
      const name = found.name === undefined ? "an address" : `the remote ${safeLine(found.name, { max: 60 })}`;
      return [
        {
          about: "host",
          text: `${each.push ? (each.force ? "pushes by force" : "pushes") : "talks"} to ${where}, ${name}`,
          how: "git remote get-url",
        },
      ];
    }),
  );
  const known = new Map(facts.flat().map((fact) => [fact.text, fact]));
  return [...known.values()];
}

const LARGEST_PACKAGE = 1024 * 1024;
/** What a package's own file says that a name runs. */
export async function scriptFact({ name, from, by }: Did & { type: "script" }, place: Place): Promise<Fact[]> {
  const file = join(place.absolute(".", from), "package.json");
  const found = await textAt(file, LARGEST_PACKAGE);
  const line = found && "text" in found ? scriptIn(found.text, name) : undefined;
  if (typeof line !== "string") return [];
  return [{ about: "runs", text: `runs “${safeLine(line, { max: 300 })}”`, how: `${by}: scripts in package.json` }];
}

function scriptIn(text: string, name: string): unknown {
  try {
    const scripts = asRecord(asRecord(JSON.parse(text))?.["scripts"]) ?? {};
    return Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  } catch {
    return undefined;
  }
}

/** What would be lost with changes that nobody has committed. */
export async function discarded(all: readonly (Did & { type: "discards" })[], place: Place): Promise<Fact[]> {
  const [first] = all;
  if (!first || !place.isRepository) return [];
  const found = await repositoryState(place.top, place.signal);
  if (!found)
    return [
      { about: "unknown", text: "What would be lost cannot be told: git did not answer in time", how: "git status" },
    ];
  const count = first.what === "changes" ? found.changed : found.untracked;
  const what = first.what === "changes" ? "with changes that are not committed" : "that git does not know";
  const text =
    count === 0
      ? `there is nothing ${what} now`
      : `takes away what is not committed: ${counted(count, "file")} ${what}, and git cannot bring these back`;
  return [{ about: "undo", text, how: `git status; ${first.by}` }];
}
