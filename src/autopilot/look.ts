import type { Document } from "../brain/brain.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { Climb } from "../core/autopilot/ladder/ladder.ts";
import { keysOf } from "../core/autopilot/ladder/precedent.ts";
import type { Subject } from "../core/autopilot/category/subject.ts";
import type { Phases } from "../core/autopilot/rule/phase.ts";
import type { LadderStep } from "../core/ask/proposal.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import type { Store } from "../store/store.ts";
import type { createClimb } from "./climb.ts";
import { phasesWith } from "./workflows.ts";
import { createSettings, idleRules, type Setting } from "./setting.ts";

const MOST_PRECEDENTS = 50;
export type Look = {
  setting: Setting;
  subject: Subject;
  documents: readonly Document[];
  climbed: Omit<Climb, "steps"> & { steps: LadderStep[] };
};
export type Looking = ReturnType<typeof createLook>;
type Deps = { store: Store; config: ConfigFiles; userHome: string };

/** What holds for an Ask, and how far the ladder without brains leads. */
export function createLook({ store, config, userHome }: Deps) {
  const settingOf = createSettings(userHome);
  /** Its tables of words are large: read when the first question is judged, which most never are. */
  let climb: ReturnType<typeof createClimb> | undefined;

  async function setting(origin: Ask["origin"]): Promise<Setting> {
    return settingOf(await config.current(origin.cwd), origin);
  }

  return {
    setting,
    precedents: precedentsOf,
    /** Where a rule in force says what to do when a task names its next step: the commands that begin one. */
    async workflows(cwd: string): Promise<Phases | undefined> {
      const { mode, rules, values } = await setting({ agent: "", cwd });
      const isRuled = mode !== "off" && rules.some(({ match }) => match.kind?.includes("next") === true);
      return isRuled ? phasesWith(values.phases) : undefined;
    },
    async runLadder(ask: Ask, known?: Setting): Promise<Look> {
      const found = known ?? (await setting(ask.origin));
      const ladder = await import("./climb.ts");
      climb ??= ladder.createClimb(store);
      const precedents = await precedentsOf(ask);
      const { unread, climbed, ...seen } = await climb(ask, found, precedents);
      const steps = [...idleRules(found), ...unread, ...climbed.steps];
      return { setting: found, ...seen, climbed: { ...climbed, steps } };
    },
  };

  /** Of what was answered before it was asked: history is judged as it was. */
  async function precedentsOf(ask: Ask): Promise<Ask[]> {
    const { project } = ask.origin;
    if (project === undefined) return [];
    const found = await store.precedents(project, keysOf(ask), MOST_PRECEDENTS);
    return found.filter(({ id, outcome }) => id !== ask.id && (outcome?.at ?? 0) <= ask.createdAt);
  }
}
