/** The lines of a list as one alternative; each line is a pattern of its own. */
export function anyOf(lines: string): string {
  return `(?:${lines
    .trim()
    .split(/\s*\n\s*/)
    .join("|")})`;
}

/** Of the list, at the beginning of a text and as whole words. */
export function beginsWith(lines: string): RegExp {
  return new RegExp(`^${anyOf(lines)}(?![\\p{L}\\p{N}])`, "u");
}

/** Of the list, anywhere in a text and as whole words. */
export function contains(lines: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${anyOf(lines)}(?![\\p{L}\\p{N}])`, "gu");
}
