import type { z } from "zod";
import { Config, LEAVES } from "./config.ts";
import { nearestKey } from "./config-nearest.ts";
import { asRecord } from "./record.ts";
import { safeLine } from "./text.ts";

export type Scope = "user" | "project";
/** Something wrong in a file, and the path of the key it is about. */
export type Complaint = { path: readonly (string | number)[]; message: string };
/** The keys a file sets, dotted, with their values. */
export type Settings = ReadonlyMap<string, unknown>;
export type Checked = { ok: true; settings: Settings } | { ok: false; complaints: Complaint[] };

/** A file whose every mistake was told would be as long as the file. */
const MOST_COMPLAINTS = 20;

/** Contract: a file is good as a whole or not at all; every complaint at once, in words for its author. */
export function checkConfig(data: unknown, scope: Scope): Checked {
  const set = LEAVES.filter(({ path }) => valueAt(data, path) !== undefined);
  const refused = scope === "project" ? set.filter((leaf) => !isHarmless(leaf, valueAt(data, leaf.path))) : [];
  const complaints: Complaint[] = refused.map(({ key, path, info }) => ({
    path,
    message:
      info.project === "off"
        ? `${key}: a project may only set it to false`
        : `${key} cannot be set by a project; only your own config may. A project may set: ${HARMLESS}`,
  }));
  const parsed = Config.safeParse(without(data, new Set(refused.map(({ key }) => key))));
  if (!parsed.success) complaints.push(...parsed.error.issues.slice(0, MOST_COMPLAINTS).flatMap(inWords));
  if (complaints.length > 0 || !parsed.success) return { ok: false, complaints: complaints.slice(0, MOST_COMPLAINTS) };
  return { ok: true, settings: new Map(set.map(({ key, path }) => [key, valueAt(parsed.data, path)])) };
}

export function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => {
    const table = asRecord(at);
    return table && Object.hasOwn(table, name) ? table[name] : undefined;
  }, data);
}

/** No data leaves the machine by it, nothing is allowed by it, and it cannot undo what the person has set. */
function isHarmless({ info }: (typeof LEAVES)[number], value: unknown): boolean {
  return info.project === "any" || info.project === "apart" || (info.project === "off" && value === false);
}

const HARMLESS = LEAVES.filter(({ info }) => info.project)
  .map(({ key, info }) => (info.project === "off" ? `${key} = false` : key))
  .join(", ");

function without(data: unknown, keys: ReadonlySet<string>, path: readonly string[] = []): unknown {
  const table = asRecord(data);
  if (!table || keys.size === 0) return data;
  return Object.fromEntries(
    Object.entries(table)
      .filter(([name]) => !keys.has([...path, name].join(".")))
      .map(([name, value]) => [name, without(value, keys, [...path, name])]),
  );
}

function inWords(issue: z.core.$ZodIssue): Complaint[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code !== "unrecognized_keys") return [{ path, message: `${dotted(path)}: ${issue.message}` }];
  return issue.keys.slice(0, MOST_COMPLAINTS).map((key) => ({
    path: [...path, key],
    message: `unknown key ${dotted([...path, key])}; did you mean ${nearestKey(path, key)}?`,
  }));
}

const dotted = (path: readonly (string | number)[]) => safeLine(path.join("."), { max: 80 });
