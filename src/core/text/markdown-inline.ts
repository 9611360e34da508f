export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "emphasis" | "deleted"; content: Inline[] }
  | { type: "link"; href: string; content: Inline[] }
  | { type: "break" };

const DEEPEST = 4;
/** Bounded and without nested repetition: a text made to be slow is read in linear time. */
const TOKEN = new RegExp(
  [
    String.raw`(?<ticks>\x60{1,3})(?<code>[^\x60\n]{1,1000})\k<ticks>`,
    String.raw`!?\[(?<label>[^\[\]\n]{0,500})\]\((?<target>[^()\s<>]{1,2000})\)`,
    String.raw`<(?<auto>https?:\/\/[^\s<>]{1,2000})>`,
    String.raw`(?<bare>https?:\/\/[^\s<>()\[\]"'\x60]{1,2000})`,
    // Neither inside a word nor beside a space: `2**3 and 4**5`, `*.js and *.ts` and `**/*.log` are to the letter.
    String.raw`(?<![\w*])\*\*(?<strong>[^\s*](?:[^*\n]{0,2000}[^\s*])?)\*\*(?![\w*])`,
    String.raw`~~(?<deleted>[^~\n]{1,2000})~~`,
    String.raw`(?<![\w*])\*(?<star>[^\s*.,;:/\\|&=<>-](?:[^*\n]{0,2000}[^\s*])?)\*(?![\w*])`,
    String.raw`(?<![\w])_(?<under>[^\s_][^_\n]{0,2000})_(?![\w])`,
    String.raw`\\(?<escaped>[\\\x60*_{}\[\]()#+.!|~<>-])`,
    String.raw`(?<line>\n)`,
  ].join("|"),
  "g",
);

export function readInline(text: string, depth = 0): Inline[] {
  if (depth > DEEPEST) return [{ type: "text", text }];
  const found: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) found.push({ type: "text", text: text.slice(end, match.index) });
    found.push(...meaning(match[0], match.groups ?? {}, depth));
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ type: "text", text: text.slice(end) });
  return found;
}

function meaning(whole: string, groups: Record<string, string | undefined>, depth: number): Inline[] {
  const { code, label, target, auto, bare, strong, deleted, star, under, escaped, line } = groups;
  const inner = (text: string) => readInline(text, depth + 1);
  if (line !== undefined) return [{ type: "break" }];
  if (escaped !== undefined) return [{ type: "text", text: escaped }];
  if (code !== undefined) return [{ type: "code", text: code.trim() === "" ? code : code.replace(/^ | $/g, "") }];
  if (strong !== undefined) return [{ type: "strong", content: inner(strong) }];
  if (deleted !== undefined) return [{ type: "deleted", content: inner(deleted) }];
  if (star !== undefined || under !== undefined) return [{ type: "emphasis", content: inner(star ?? under ?? "") }];
  if (bare !== undefined) return linkTo(bare, [{ type: "text", text: bare }], whole);
  if (auto !== undefined) return linkTo(auto, [{ type: "text", text: auto }], whole);
  return linkTo(target ?? "", label ? inner(label) : [{ type: "text", text: target ?? "" }], whole);
}

/** Only what leads to a web page or a mail; anything else (`javascript:`, `data:`, a path here) stays text. */
function linkTo(href: string, content: Inline[], whole: string): Inline[] {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (!url || !["http:", "https:", "mailto:"].includes(url.protocol)) return [{ type: "text", text: whole }];
  return [{ type: "link", href: url.href, content }];
}
