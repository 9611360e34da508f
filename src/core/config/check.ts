import { LEAVES } from "./config.ts";
import { type Complaint, type Path, repair, valueAt } from "./repair.ts";
import { asRecord } from "../record.ts";

export { valueAt } from "./repair.ts";
export type { Complaint } from "./repair.ts";
export type Scope = "user" | "project";
/** The keys a file sets, dotted, with their values. */
export type Settings = ReadonlyMap<string, unknown>;
/** `wrong`: the keys that are out of force, each with the path of the mistake; what is strictest counts instead, where there is such a thing. */
export type Checked = { ok: boolean; settings: Settings; complaints: Complaint[]; wrong: ReadonlyMap<string, Path> };

/** A file whose every mistake was told would be as long as the file. */
const MOST_COMPLAINTS = 20;

/**
 * Contract: every complaint at once, in words for its author; what is wrong is out of force and the rest holds, but
 * never so that less is left to a person. A project's file that wants what no project may set counts for nothing.
 */
export function checkConfig(data: unknown, scope: Scope): Checked {
  const set = LEAVES.filter(({ path }) => valueAt(data, path) !== undefined);
  const refused = scope === "project" ? set.filter((leaf) => !isHarmless(leaf, valueAt(data, leaf.path))) : [];
  const complaints: Complaint[] = refused.map(({ key, path, info }) => ({
    path,
    about: key,
    message:
      info.project === "off"
        ? `${key}: a project may only set it to false`
        : `${key} cannot be set by a project; only your own config may. A project may set: ${HARMLESS}`,
  }));
  const repaired = repair(without(data, new Set(refused.map(({ key }) => key))), complaints);
  const settings = refused.length > 0 ? new Map<string, unknown>() : settingsOf(repaired, scope);
  return {
    ok: complaints.length === 0,
    settings,
    complaints: complaints.slice(0, MOST_COMPLAINTS),
    wrong: repaired.wrong,
  };
}

/** What counts where a person's file cannot be read at all and nothing is known from before. */
export function strictest(): Settings {
  return new Map(LEAVES.flatMap(({ key, info }) => (info.strict === undefined ? [] : [[key, info.strict]])));
}

function settingsOf({ data, values, wrong }: ReturnType<typeof repair>, scope: Scope): Map<string, unknown> {
  const settings = new Map(
    LEAVES.flatMap(({ key, path }): [string, unknown][] =>
      valueAt(data, path) === undefined ? [] : [[key, valueAt(values, path)]],
    ),
  );
  if (scope === "project") return settings;
  for (const { key, info } of LEAVES) if (wrong.has(key) && info.strict !== undefined) settings.set(key, info.strict);
  // Where it was to keep still, and what its rules call a phase, is not known any more.
  const most = wrong.has("autopilot.projects") || wrong.has("autopilot.phases") ? "off" : "suggest";
  if (most === "suggest" && !wrong.has("autopilot.quiet")) return settings;
  const { mode, projects } = values.autopilot;
  const capped = (wanted: string) => (wanted === "on" ? most : most === "off" ? "off" : wanted);
  settings.set("autopilot.mode", capped(mode));
  settings.set(
    "autopilot.projects",
    Object.fromEntries(Object.entries(projects).map(([name, wanted]) => [name, capped(wanted)])),
  );
  return settings;
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
