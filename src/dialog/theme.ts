type Paint = (text: string) => string;

/** Contract: every function returns what it was given with attributes around it, and leaves its width alone. */
export type Theme = {
  title: Paint;
  text: Paint;
  /** What is asked. */
  question: Paint;
  muted: Paint;
  /** The row under the cursor. */
  selected: Paint;
  /** A mark that is set, an answer that is given. */
  ok: Paint;
  error: Paint;
  border: Paint;
  accent: Paint;
  /** The cell the next character goes to. */
  cursor: Paint;
};

export function themeFor({ color, scheme }: { color: boolean; scheme: "dark" | "light" }): Theme {
  if (!color) return { ...PLAIN };
  const shade = SHADES[scheme];
  return {
    ...PLAIN,
    title: sgr(`1;${shade.accent}`, "22;39"),
    muted: sgr(shade.muted, "39"),
    selected: sgr(`1;${shade.accent}`, "22;39"),
    ok: sgr(shade.ok, "39"),
    error: sgr(shade.error, "39"),
    border: sgr(shade.border, "39"),
    accent: sgr(shade.accent, "39"),
  };
}

export function themeOf(env: Record<string, string | undefined>, isTty: boolean): Theme {
  return themeFor({ color: hasColor(env, isTty), scheme: schemeOf(env) ?? "dark" });
}

export function hasColor(env: Record<string, string | undefined>, isTty: boolean): boolean {
  return isTty && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

/** Of what a terminal says about its background, each part 0 to 255. */
export function schemeOfColor({ r, g, b }: { r: number; g: number; b: number }): "dark" | "light" {
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "light" : "dark";
}

/** Some terminals say `foreground;background` as palette numbers; 7 and 9 to 15 are light. */
export function schemeOf(env: Record<string, string | undefined>): "dark" | "light" | undefined {
  const background = /(?:^|;)(\d+)$/.exec(env["COLORFGBG"] ?? "")?.[1];
  if (background === undefined) return undefined;
  return Number(background) === 7 || Number(background) > 8 ? "light" : "dark";
}

const sgr =
  (on: string, off: string): Paint =>
  (text) =>
    text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`;

const bold = sgr("1", "22");
const none: Paint = (text) => text;

const PLAIN: Theme = {
  title: bold,
  text: none,
  question: bold,
  muted: none,
  selected: bold,
  ok: none,
  error: bold,
  border: none,
  accent: none,
  cursor: sgr("7", "27"),
};

// From the 256 colours, not the 16: those a person's palette may turn into anything, grey on grey included.
const SHADES = {
  dark: { accent: "38;5;117", muted: "38;5;246", ok: "38;5;114", error: "38;5;210", border: "38;5;240" },
  light: { accent: "38;5;25", muted: "38;5;241", ok: "38;5;28", error: "38;5;160", border: "38;5;250" },
};
