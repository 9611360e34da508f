import { hookSide as claudeCode } from "./claude-code/hook-side.ts";
import { hookSide as copilot } from "./copilot/hook-side.ts";
import { hookSide as gemini } from "./gemini/hook-side.ts";
import type { HookSide } from "./hook-side.ts";

import { hookSide as qwen } from "./qwen/hook-side.ts";

/** Not loaded one by one: each file more costs every call half a millisecond. */
const SIDES: Record<string, HookSide> = { "claude-code": claudeCode, copilot, gemini, qwen };
/** Hooks that were installed before they named their agent are its. */
const FIRST = "claude-code";

/** `<agent> <event> …` or, from before, `<event> …`. */
export function hookSideOf([first = "", ...rest]: readonly string[]) {
  const isNamed = Object.hasOwn(SIDES, first);
  const agent = isNamed ? first : FIRST;
  const [event = "", ...flags] = isNamed ? rest : [first, ...rest];
  return { agent, event, flags, side: SIDES[agent] };
}
