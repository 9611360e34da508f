import type { z } from "zod";
import { Match } from "../autopilot/rule/rule.ts";
import { Config, LEAVES } from "./config.ts";
import { nearestKey } from "./nearest.ts";
import { asRecord } from "../record.ts";
import { safeLine } from "../text/text.ts";

export type Path = readonly (string | number)[];
/** Something wrong in a file, and the path of the key it is about. `about`: the key of ours that it is about. */
export type Complaint = { path: Path; message: string; about?: string };
/** `wrong`: keys that are out of force, with the path of the mistake. */
export type Repaired = { data: unknown; values: Config; complaints: Complaint[]; wrong: Map<string, Path> };

const MOST_ROUNDS = 50;
/** One thing: half of it would send what was meant for another place, or in another way. */
const WHOLE = ["notify.ntfy", "notify.webhook", "notify.telegram", "notify.slack", "notify.push"];
const RULES = "autopilot.rules";

/**
 * What still holds of a file with mistakes: a wrong key is taken out and the rest counts.
 * Contract: nothing is answered, sent or spent that the file without its mistakes would leave to a person. A rule that
 * cannot be read holds what it may have matched; what limits the autopilot or tasks is replaced by the strictest.
 */
export function repair(given: unknown, complaints: Complaint[] = []): Repaired {
  const data = structuredClone(asRecord(given) ?? {});
  const wrong = new Map<string, Path>();
  const lostBrains = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parsed = Config.safeParse(data);
    if (parsed.success) return { data, values: parsed.data, complaints, wrong };
    for (const issue of parsed.error.issues) takeOut(issue);
  }
  // Every round takes something out, so that this is a file of nothing but mistakes.
  for (const { key, path } of LEAVES) wrong.set(key, path);
  return { data: {}, values: Config.parse({}), complaints, wrong };

  function takeOut(issue: z.core.$ZodIssue): void {
    const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
    const isUnknown = issue.code === "unrecognized_keys";
    const found = isUnknown ? unknownKeys(path, issue.keys) : [{ path, message: `${dotted(path)}: ${issue.message}` }];
    // A brain that is there and cannot be read was told about already.
    const isEcho = /there is no \[autopilot\.brains\.(.+)\]$/.exec(issue.message)?.[1];
    if (isEcho === undefined || !lostBrains.has(isEcho)) complaints.push(...found);
    const [section, table, name] = path;
    if (section === "autopilot" && table === "rules") return holdRule(path);
    if (section === "autopilot" && table === "brains" && name !== undefined) {
      lostBrains.add(String(name));
      return remove(data, path.slice(0, 3));
    }
    if (section === "autopilot" && table === "projects" && name !== undefined)
      return put(data, path.slice(0, 3), "off");
    if (isUnknown) {
      for (const { path: unknown, about } of found) {
        remove(data, unknown);
        if (about === RULES) holdAll(unknown);
        else if (about !== undefined) doubt(about, unknown, true);
      }
      return;
    }
    const leaf = LEAVES.find(({ path: of }) => of.every((part, i) => part === path[i]));
    doubt(leaf?.key ?? path.join("."), path);
    remove(data, leaf?.path ?? path);
  }

  function unknownKeys(path: Path, keys: readonly string[]): Complaint[] {
    return keys.map((key) => {
      const about = nearestKey(path, key);
      const message = `unknown key ${dotted([...path, key])}; did you mean ${about}?`;
      return { path: [...path, key], message, about };
    });
  }

  /** Rules under a name that is none: whatever they held is held. */
  function holdAll(at: Path): void {
    const table = asRecord(data["autopilot"]) ?? {};
    const rules = Array.isArray(table["rules"]) ? (table["rules"] as unknown[]) : [];
    data["autopilot"] = { ...table, rules: [heldRule(undefined, 0), ...rules] };
    wrong.set(RULES, at);
  }

  /** In its place, so that what comes before it still decides, and nothing behind it decides instead. */
  function holdRule([, , index]: Path): void {
    const rules: unknown = asRecord(data["autopilot"])?.["rules"];
    if (!Array.isArray(rules) || typeof index !== "number") {
      doubt(RULES, ["autopilot", "rules"]);
      return put(data, ["autopilot", "rules"], [heldRule(undefined, 0)]);
    }
    put(data, ["autopilot", "rules", index], heldRule(rules[index], index));
  }

  /** The keys that a mistake leaves open: the one it is at, or all of its table. `isNear`: only what is not set itself. */
  function doubt(key: string, at: Path, isNear = false): void {
    const table = WHOLE.find((name) => key === name || key.startsWith(`${name}.`));
    const whole = table ?? key;
    for (const { key: leaf, path } of LEAVES) {
      if (leaf !== whole && !leaf.startsWith(`${whole}.`)) continue;
      // Half of one thing would go to another place, so all of it is out of force.
      const isKept = isNear && table === undefined;
      if (isKept && valueAt(data, path) !== undefined) continue;
      if (!wrong.has(leaf)) wrong.set(leaf, at);
      if (!isKept) remove(data, path);
    }
    // Beyond this machine only with a token that a person chose.
    if (wrong.has("web.token")) {
      wrong.set("web.bind", at);
      remove(data, ["web", "bind"]);
    }
  }
}

/** What it says of questions holds, if that much can be read; else it may have been about any. */
function heldRule(rule: unknown, index: number) {
  const { name, match, ...rest } = asRecord(rule) ?? {};
  const isKnown = Object.keys(rest).every((key) => ["choose", "type", "chat", "brain", "act"].includes(key));
  const read = Match.safeParse(match ?? {});
  return {
    name: typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 80) : `rule ${index + 1}`,
    match: isKnown && match !== undefined && read.success ? match : {},
    act: "never-auto",
  };
}

export function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => {
    const table = asRecord(at);
    return table && Object.hasOwn(table, name) ? table[name] : undefined;
  }, data);
}

export const dotted = (path: Path) => safeLine(path.join("."), { max: 80 });

function remove(data: unknown, path: Path): void {
  const table = parentOf(data, path);
  const name = path.at(-1);
  if (table && name !== undefined) delete table[name];
}

function put(data: unknown, path: Path, value: unknown): void {
  const table = parentOf(data, path);
  const name = path.at(-1);
  if (table && name !== undefined) table[name] = value;
}

function parentOf(data: unknown, path: Path): Record<string | number, unknown> | undefined {
  return path.slice(0, -1).reduce<Record<string | number, unknown> | undefined>((at, part) => {
    const next = at?.[part];
    return typeof next === "object" && next !== null ? (next as Record<string | number, unknown>) : undefined;
  }, asRecord(data));
}
