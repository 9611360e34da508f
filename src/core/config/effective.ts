import { Config, type KeyInfo, LEAVES } from "./config.ts";
import { type Settings, valueAt } from "./check.ts";
import type { Entry, Source } from "./view.ts";

/** `wrong`: what its file says of these cannot be read. */
export type Layer = {
  settings: Settings;
  source: (key: string) => Source;
  isProject?: boolean;
  wrong?: ReadonlySet<string>;
};

/** Contract: the settings of every layer were checked; a later layer wins. */
export function combine(layers: readonly Layer[]): { values: Config; entries: Entry[] } {
  const values = Config.parse({});
  const entries = LEAVES.map(({ key, path, info }) => {
    const layer = layers.findLast(
      ({ settings, isProject }) => settings.has(key) && !(isProject && info.project === "apart"),
    );
    if (layer) put(values, path, layer.settings.get(key));
    const source: Source = layer?.source(key) ?? { from: "default" };
    return { key, value: masked(valueAt(values, path), info), about: info.about, source };
  });
  return { values, entries };
}

function put(values: object, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  const table = values as Record<string, unknown>;
  if (rest.length === 0) table[name] = value;
  else put(table[name] as object, rest, value);
}

function masked(value: unknown, { hide }: KeyInfo): unknown {
  if (hide === undefined || typeof value !== "string" || value === "") return value;
  return hide === "path" ? `${new URL(value).origin}/…` : "(set)";
}
