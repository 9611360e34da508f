import { BACK, CELL, frameOf, LINE, PAD, rowsOf, svgWith } from "./ansi-svg.ts";

/** From `at` seconds on, until `until` or the end. `typed`: its first line comes key by key, behind the prompt. */
export type Scene = { at: number; until?: number; lines: readonly string[]; row?: number; typed?: boolean };
export type Pane = { title: string; columns: number; rows: number; scenes: readonly Scene[] };

const [A_BREATH, A_KEY] = [0.4, 0.07];
/** When its last key is down. */
export const typedAt = (at: number, line: string): number => at + A_BREATH + keysOf(line) * A_KEY;
const keysOf = (line: string): number => Bun.stringWidth(Bun.stripANSI(line)) - 2;

/**
 * Panes one below the other, played again every `seconds`.
 * Contract: whoever wants no motion, or has a viewer without it, sees how it ends: every scene that has no `until`.
 */
export function animationOf(panes: readonly Pane[], seconds: number, about: string): string {
  const rules: string[] = [];
  const share = (at: number) => `${((100 * at) / seconds).toFixed(2)}%`;
  /** A class that plays this. */
  const played = (frames: string, pace: string): string => {
    const name = `p${rules.length}`;
    rules.push(`@keyframes ${name}{${frames}}.${name}{animation:${name} ${seconds}s ${pace} infinite}`);
    return name;
  };
  const width = Math.max(...panes.map(({ columns }) => columns)) * CELL + 2 * PAD;

  const sceneOf = ({ at, until, lines, row = 0, typed }: Scene, top: number): string => {
    const y = top + row * LINE;
    const end = until === undefined ? "" : `${share(until)},to{opacity:0}`;
    const name = played(`0%{opacity:${at === 0 ? 1 : 0}}${share(at)}{opacity:1}${end}`, "step-end");
    const past = until === undefined ? "" : "past ";
    return `<g class="${past}${name}">${rowsOf(lines, y)}${typed ? cover(lines[0] ?? "", y, at) : ""}</g>`;
  };
  /** Draws back to the right, a key at a time. */
  const cover = (line: string, y: number, at: number): string => {
    const [keys, wide] = [keysOf(line), (keysOf(line) * CELL + 1).toFixed(1)];
    const name = played(
      `0%{transform:none}${share(at + A_BREATH)}{transform:none;animation-timing-function:steps(${keys})}${share(typedAt(at, line))},to{transform:translateX(${wide}px)}`,
      "linear",
    );
    const at0 = `x="${(PAD + 2 * CELL).toFixed(1)}" y="${y}" width="${wide}" height="${LINE}"`;
    return `<svg ${at0} class="past"><rect width="${wide}" height="${LINE}" fill="${BACK}" class="${name}"/></svg>`;
  };

  let top = 0;
  const parts = panes.map(({ title, rows, scenes }) => {
    const frame = frameOf(title, { top, width, rows });
    top += frame.height + 14;
    return [frame.svg, ...scenes.map((scene) => sceneOf(scene, frame.textTop))].join("\n");
  });
  const motion = `@media (prefers-reduced-motion:no-preference){.past{display:inline}\n${rules.join("\n")}}`;
  const head = `<title>${about}</title>\n<style>.past{display:none}\n${motion}</style>`;
  return svgWith([head, ...parts], { width, height: top - 14 });
}
