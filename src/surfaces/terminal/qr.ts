import { encode } from "uqr";

/**
 * A QR code in half blocks, two rows of it a line. What is light in it is drawn, for a dark terminal; `isInverted`: what is
 * dark. Undefined: it does not fit.
 */
export function qrLines(text: string, width: number, isInverted: boolean): string[] | undefined {
  const { data, size } = encode(text, { ecc: "L", border: 2 });
  if (size > width) return undefined;
  // Beyond the last row there is no paper.
  const isDrawn = (row: number, column: number) => row < size && data[row]?.[column] === isInverted;
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (_cell, column) => {
      const [top, bottom] = [isDrawn(line * 2, column), isDrawn(line * 2 + 1, column)];
      return top ? (bottom ? "█" : "▀") : bottom ? "▄" : " ";
    }).join(""),
  );
}

/** What the terminal says of its own colours, where it does. */
export function isLightTerminal({ COLORFGBG = "" }: Record<string, string | undefined>): boolean {
  return ["7", "15"].includes(COLORFGBG.split(";").at(-1) ?? "");
}
