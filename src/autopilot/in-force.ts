import type { Ask } from "../core/ask/ask.ts";
import type { BrainConfig } from "../core/autopilot/brain-config.ts";
import type { Looking } from "./look.ts";
import type { Setting } from "./setting.ts";

const MOST_PLACES = 1000;
type Origin = Ask["origin"];

/** Sees when other settings are in force for a place than those that something was judged by. */
export function createInForce(look: Pick<Looking, "setting">) {
  const known = new Map<string, { origin: Origin; settings: string }>();
  let isStale = false;

  return {
    note(origin: Origin, settings: string): void {
      const place = JSON.stringify([origin.cwd, origin.project, origin.worktree, origin.family]);
      const before = known.get(place);
      if (before && before.settings !== settings) isStale = true;
      if (!before) known.set(place, { origin, settings });
      for (const oldest of known.keys()) if (known.size > MOST_PLACES) known.delete(oldest);
    },
    /** Contract: true once for each change. */
    async hasChanged(): Promise<boolean> {
      for (const place of known.values()) {
        const settings = nameOfSetting(await look.setting(place.origin));
        if (settings !== place.settings) isStale = true;
        place.settings = settings;
      }
      const was = isStale;
      isStale = false;
      return was;
    },
  };
}

/** Short, and the same for the same settings. */
export const nameOfSetting = (setting: Setting): string => Bun.hash(JSON.stringify(setting)).toString(36);
export const nameOfBrain = (name: string, brain: BrainConfig): string =>
  Bun.hash(JSON.stringify([name, brain])).toString(36);
