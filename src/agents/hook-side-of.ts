import type { HookSide } from "./capability/hook-side.ts";

/** Only the one that is called is loaded: each file more costs every call half a millisecond. */
const SIDES: Record<string, () => Promise<{ hookSide: HookSide }>> = {
  "claude-code": () => import("./claude-code/hook-side.ts"),
  copilot: () => import("./copilot/hook-side.ts"),
  gemini: () => import("./gemini/hook-side.ts"),
  qwen: () => import("./qwen/hook-side.ts"),
};
/** Hooks that were installed before they named their agent are its. */
const FIRST = "claude-code";

/** `<agent> <event> …` or, from before, `<event> …`. */
export async function hookSideOf([first = "", ...rest]: readonly string[]) {
  const isNamed = Object.hasOwn(SIDES, first);
  const agent = isNamed ? first : FIRST;
  const [event = "", ...flags] = isNamed ? rest : [first, ...rest];
  return { agent, event, flags, side: (await SIDES[agent]?.())?.hookSide };
}
