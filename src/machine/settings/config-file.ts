import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { type Config, LEAVES } from "../../core/config/config.ts";
import { checkConfig, type Scope, type Settings, strictest } from "../../core/config/check.ts";
import { combine, type Layer } from "../../core/config/effective.ts";
import { type Path, type Place, placesIn } from "../../core/config/place.ts";
import type { ConfigProblem, ConfigView } from "../../core/config/view.ts";
import { safeLine } from "../../core/text/text.ts";
import type { Rule } from "../../core/autopilot/rule/rule.ts";
import { heldBack, narrowed, type ProjectTrust, trustOf } from "./project-trust.ts";
import type { TrustedFiles } from "./trusted-files.ts";
import { topOf } from "../git/project-top.ts";

type Env = Record<string, string | undefined>;
/**
 * `apart`: what the project's own file says beside the person's. `top`: the folder of that project. `trust`: whether the
 * person trusts that file. `held`: rules of trusted files that hold back, whatever became of them.
 */
export type Effective = ConfigView & {
  values: Config;
  apart: Settings;
  top?: string;
  trust?: ProjectTrust;
  held?: readonly Rule[];
};
export type ConfigFiles = ReturnType<typeof createConfigFiles>;
/** `text` and `digest`: what lies there now, good or not. */
type Known = { stamp: string; good: Layer | undefined; problems: ConfigProblem[]; text?: string; digest?: string };
type Deps = {
  env: Env;
  cwd: string;
  trusted?: Pick<TrustedFiles, "of" | "all">;
  problems?: (file: string, problems: readonly ConfigProblem[]) => void;
};

const NOTHING: Pick<TrustedFiles, "of" | "all"> = { of: () => undefined, all: () => new Map() };
const PROJECT_FILE = ".parley.toml";
const LARGEST = 64 * 1024;
const DEEPEST = 20;

/** `PARLEY_CONFIG`, else the XDG config directory; a relative XDG directory is no directory, says its specification. */
export function configPath(env: Env, cwd: string): string {
  if (env["PARLEY_CONFIG"]) return resolve(cwd, env["PARLEY_CONFIG"]);
  const xdg = env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(xdg) ? xdg : join(env["HOME"] || "/", ".config"), "parley", "config.toml");
}

/**
 * The settings as they are now: every use looks whether a file has changed.
 * Contract: never throws. Of a file with a mistake everything else is in force; of one that cannot be read at all the last
 * good state stays. `problems` hears of every change.
 */
export function createConfigFiles({ env, cwd, trusted = NOTHING, problems = () => {} }: Deps) {
  const user = configPath(env, cwd);
  const files = new Map<string, Known>();
  // A process has the same ones for life.
  const variables = environment(env);
  let latest = combine([]).values;
  let own: { of: Known; combined: ReturnType<typeof combine> } | undefined;

  /** With the directory an agent works in, its project's file counts too. */
  async function current(inDirectory?: string): Promise<Effective> {
    const top = inDirectory === undefined ? undefined : await topOf(inDirectory);
    const project = top === undefined ? undefined : join(top, PROJECT_FILE);
    const mine = await look(user, "user");
    const theirs = project === undefined || project === user ? undefined : await look(project, "project");
    const trust = project === undefined ? undefined : await trustOf(project, theirs?.digest, trusted);
    const good = theirs?.good && { ...theirs.good, settings: inForce(theirs.good.settings, trust) };
    const layers = [mine.good, good, variables].filter((layer) => layer !== undefined);
    const combined = theirs ? combine(layers) : ownOf(mine, layers);
    if (!theirs) latest = combined.values;
    return {
      ...combined,
      user,
      apart: theirs?.good?.settings ?? new Map(),
      ...(top !== undefined && { top }),
      ...(project !== undefined && { project }),
      ...(trust && { trust }),
      ...(inDirectory !== undefined && { held: await heldBack(inDirectory, trusted) }),
      problems: [...mine.problems, ...(theirs?.problems ?? [])],
    };
  }

  /** As long as the file is the same. */
  function ownOf(mine: Known, layers: readonly Layer[]): ReturnType<typeof combine> {
    if (own?.of !== mine) own = { of: mine, combined: combine(layers) };
    return own.combined;
  }

  async function look(file: string, scope: Scope): Promise<Known> {
    const stamp = await stampOf(file);
    const known = files.get(file);
    if (known?.stamp === stamp) return known;
    const named = scope === "user" && Boolean(env["PARLEY_CONFIG"]);
    const read = stamp === "" ? missing(file, named) : await readConfig(file, scope);
    const { layer, problems: found, ...bytes } = read;
    const good = layer ? withLast(layer, known?.good) : goodWithout(file, scope, stamp, read, known);
    const now: Known = { stamp, good, problems: found, ...bytes };
    files.set(file, now);
    if (!Bun.deepEquals(now.problems, known?.problems ?? [])) problems(file, now.problems);
    return now;
  }

  return {
    user,
    current,
    /** A project's own file as it lies there; undefined where there is no project. */
    async project(directory: string) {
      const top = await topOf(directory);
      if (top === undefined) return undefined;
      const { text, digest, good, problems: found } = await look(join(top, PROJECT_FILE), "project");
      const rules = (good?.settings.get("autopilot.rules") ?? []) as readonly Rule[];
      return { trust: await trustOf(join(top, PROJECT_FILE), digest, trusted), text, digest, rules, problems: found };
    },
    /** The person's own settings as they were at the last look. */
    latest: () => latest,
  };
}

const inForce = (settings: Settings, trust: ProjectTrust | undefined) =>
  trust?.state === "trusted" ? settings : narrowed(settings);

/** Without what is only for the daemon itself. */
export const shownOf = ({ user, project, entries, problems }: Effective): ConfigView => ({
  user,
  ...(project !== undefined && { project }),
  entries,
  problems,
});

type Read = { layer?: Layer; problems: ConfigProblem[]; text?: string; digest?: string };

/** What a wrong key said before stays, where it switches nothing on that a person may have wanted off. */
function withLast(layer: Layer, last: Layer | undefined): Layer {
  const settings = new Map(layer.settings);
  for (const key of layer.wrong ?? [])
    if (!settings.has(key) && !key.startsWith("autopilot.") && last?.settings.has(key))
      settings.set(key, last.settings.get(key));
  return { ...layer, settings };
}

/** Of a file that cannot be read: what it said before; of one that never could be, the strictest. */
function goodWithout(file: string, scope: Scope, stamp: string, { problems }: Read, known: Known | undefined) {
  if (stamp === "") return undefined;
  if (known?.good || scope === "project") return known?.good;
  const { line = 1, column = 1 } = problems[0] ?? {};
  const settings = strictest();
  return {
    settings,
    wrong: new Set(settings.keys()),
    source: () => ({ from: scope, file, line, column, wrong: true }),
  };
}

function missing(file: string, named: boolean): Read {
  return { problems: named ? [{ file, message: "PARLEY_CONFIG names a file that does not exist" }] : [] };
}

async function readConfig(file: string, scope: Scope): Promise<Read> {
  const read: { text?: string; digest?: string } = {};
  const unreadable = (message: string, place?: Place): Read => ({ ...read, problems: [{ file, ...place, message }] });
  let data: unknown;
  let text: string;
  try {
    // How one says that there is to be no file.
    if (file === "/dev/null")
      return { layer: { settings: new Map(), source: () => ({ from: "default" }) }, problems: [] };
    const info = await stat(file);
    // Reading a pipe or a device would not end.
    if (!info.isFile()) return unreadable("is not a regular file");
    if (info.size > LARGEST) return unreadable(`has ${info.size} bytes; at most ${LARGEST} are read`);
    const bytes = await Bun.file(file).bytes();
    read.digest = createHash("sha256").update(bytes).digest("hex");
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    read.text = text;
    data = parse(text, { maxDepth: DEEPEST, unsafeKeyBehaviour: "throw" });
  } catch (error) {
    if (error instanceof TomlError) return unreadable(reasonOf(error), { line: error.line, column: error.column });
    const { code } = error as NodeJS.ErrnoException;
    return unreadable(code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "is not UTF-8 text" : `cannot be read (${code})`);
  }
  const checked = checkConfig(data, scope);
  const placeOf = placesIn(text);
  const wrong = checked.wrong;
  const source: Layer["source"] = (key) => {
    const mistake = wrong.get(key);
    const place = nearest(placeOf, mistake ?? key.split("."));
    return { from: scope, file, ...place, ...(mistake && { wrong: true }) };
  };
  const problems = checked.complaints.map(({ path, about, message }) => ({
    file,
    ...nearest(placeOf, path),
    key: about ?? path.join("."),
    message,
  }));
  return {
    ...read,
    layer: { settings: checked.settings, wrong: new Set(wrong.keys()), source, isProject: scope === "project" },
    problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}

/** Something that is missing has no place of its own: its table has. */
function nearest(placeOf: (path: Path) => Place | undefined, path: Path): Place {
  for (let n = path.length; n > 0; n--) {
    const place = placeOf(path.slice(0, n));
    if (place) return place;
  }
  return { line: 1, column: 1 };
}

/** The first line only: below it stands a piece of the file, which may hold a secret. */
function reasonOf({ message }: TomlError): string {
  const [first = ""] = message.replace("Invalid TOML document: ", "").split("\n");
  return `is not TOML: ${safeLine(first, { max: 200 })}`;
}

/** A variable with a wrong value is not for here to judge: the daemon does not start with it, or says so in its log. */
function environment(env: Env): Layer {
  const set = LEAVES.flatMap(
    ({ key, path, info: { env: name = "" } }): { key: string; name: string; value: unknown }[] => {
      const text = env[name] ?? "";
      if (text === "") return [];
      if (/^\d+$/.test(text)) return [{ key, name, value: Number(text) }];
      const nested = path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), text);
      const checked = checkConfig(nested, "user");
      return checked.ok ? [{ key, name, value: checked.settings.get(key) }] : [];
    },
  );
  const settings = new Map(set.map(({ key, value }) => [key, value]));
  const source: Layer["source"] = (key) => {
    const { name = "" } = set.find((found) => found.key === key) ?? {};
    return { from: "environment", name };
  };
  return { settings, source };
}

/** Empty: there is no file. */
async function stampOf(file: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino, mode } = await stat(file, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino, mode].join(" ");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "" : String(code);
  }
}
