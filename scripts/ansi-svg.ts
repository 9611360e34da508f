/** Terminal output with its colours as an SVG. */
export const [CELL, LINE, PAD] = [8.4, 18, 14];
const BAR = 30;
const COLOURS = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"];
const TEXT = "#d7dae0";
export const BACK = "#1e2127";
type Look = { fill: string; back: string; bold: boolean; dim: boolean };
const PLAIN: Look = { fill: TEXT, back: "", bold: false, dim: false };

/** An empty terminal window with so many rows. */
export function frameOf(title: string, { top, width, rows }: { top: number; width: number; rows: number }) {
  const height = BAR + rows * LINE + PAD;
  const dots = ["#e06c75", "#e5c07b", "#98c379"]
    .map((fill, i) => `<circle cx="${18 + i * 18}" cy="${top + 15}" r="5" fill="${fill}"/>`)
    .join("");
  const name = `<text x="${width / 2}" y="${top + 20}" fill="#8b919d" text-anchor="middle">${escape(title)}</text>`;
  const frame = `<rect x="0" y="${top}" width="${width}" height="${height}" rx="8" fill="${BACK}"/>`;
  return { svg: `${frame}${dots}${name}`, height, textTop: top + BAR };
}

export const rowsOf = (lines: readonly string[], top: number): string =>
  lines.map((line, i) => row(line, top + i * LINE + 13)).join("\n");

export function svgWith(parts: readonly string[], { width, height }: { width: number; height: number }): string {
  const style = `font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ${style}>\n${parts.join("\n")}\n</svg>\n`;
}

/** One text element for each run of one style, at its column: fonts differ in how wide they draw symbols. */
function row(line: string, y: number): string {
  let column = 0;
  let style = PLAIN;
  const parts: string[] = [];
  for (const piece of line.split(/(\u001b\[[\d;:]*m)/)) {
    const codes = /^\u001b\[([\d;:]*)m$/.exec(piece)?.[1];
    if (codes !== undefined) {
      style = apply(style, codes.split(/[;:]/).map(Number));
      continue;
    }
    const span = Bun.stringWidth(piece) * CELL;
    if (style.back && span > 0)
      parts.push(
        `<rect x="${(PAD + column * CELL).toFixed(1)}" y="${y - 13}" width="${span.toFixed(1)}" height="${LINE}" fill="${style.back}"/>`,
      );
    for (const run of piece.match(/\S+(?: \S+)*/g) ?? []) {
      const at = column + Bun.stringWidth(piece.slice(0, piece.indexOf(run)));
      const look = `${style.bold ? ' font-weight="bold"' : ""}${style.dim ? ' opacity="0.6"' : ""}`;
      const length = Bun.stringWidth(run) * CELL;
      parts.push(
        `<text x="${(PAD + at * CELL).toFixed(1)}" y="${y}" fill="${style.fill}"${look} textLength="${length.toFixed(1)}">${escape(run)}</text>`,
      );
    }
    column += Bun.stringWidth(piece);
  }
  return parts.join("");
}

function apply(style: Look, codes: number[]): Look {
  const next = { ...style };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) {
      const isRgb = codes[i + 1] === 2;
      const colour = isRgb ? `rgb(${codes.slice(i + 2, i + 5).join(",")})` : indexed(codes[i + 2] ?? 0);
      if (code === 38) next.fill = colour;
      else next.back = colour;
      i += isRgb ? 4 : 2;
    }
    if (code === 0) Object.assign(next, PLAIN);
    if (code === 1) next.bold = true;
    if (code === 2) next.dim = true;
    if (code === 22) [next.bold, next.dim] = [false, false];
    if (code === 39) next.fill = TEXT;
    if (code === 49) next.back = "";
    if (code >= 30 && code <= 37) next.fill = COLOURS[code - 30] ?? TEXT;
    if (code >= 40 && code <= 47) next.back = COLOURS[code - 40] ?? "";
    if (code >= 90 && code <= 97) next.fill = COLOURS[code - 90] ?? TEXT;
    if (code >= 100 && code <= 107) next.back = COLOURS[code - 100] ?? "";
  }
  return next;
}

function indexed(n: number): string {
  if (n < 16) return COLOURS[n % 8] ?? TEXT;
  if (n >= 232) return `rgb(${[0, 0, 0].map(() => 8 + (n - 232) * 10).join(",")})`;
  const level = (x: number) => (x === 0 ? 0 : 55 + x * 40);
  return `rgb(${level(Math.floor((n - 16) / 36))},${level(Math.floor((n - 16) / 6) % 6)},${level((n - 16) % 6)})`;
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
