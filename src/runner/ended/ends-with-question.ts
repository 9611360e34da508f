/** So many paragraphs at the end are looked at. */
const LAST = 3;
const ITEM = /^\s*([-*+•]|\d+[.)]|\(?[a-zA-Z][.)])\s/;
/** Unless it speaks to somebody. */
const HEADING = /^\s{0,3}#{1,6}\s(?!.*\b(I|we|you|your|shall|should)\b)/i;
/** Closed by a quote it ends a sentence only where nothing of that sentence follows: 'Why?' and the like are names. */
const MARK = /[？؟]|(?<!\?)\?+[*_)!]*(?=[\s\p{Lo}]|$)|\?["'”’»`*_)]+(?=\s+[^\p{Ll}\s]|\s*$)/mu;
const AT_END = /[?？؟]["'”’»`*_)!]*\s*$/;
const REQUEST =
  /\blet me know\b|\bplease (confirm|choose|decide|advise|clarify)\b|\btell me (which|what|how|where|whether|if)\b/i;
/** What is said in parting asks nothing. */
const COURTESY =
  /\blet me know if (there(['’]s| is) |you(['’]d| would)? (have |need |want |like )?)?(any|anything|something)\b(?! preference)/gi;

/**
 * It stopped with a question in prose: nobody may take that for a finished task.
 * In doubt it is one: a false alarm costs a click, a miss the task.
 */
export function endsWithQuestion(said: string): boolean {
  const blocks = blocksOf(withoutCode(said)).slice(-LAST);
  const last = blocks.at(-1) ?? "";
  return (
    MARK.test(last) ||
    blocks.some((block) => AT_END.test(block)) ||
    blocks.some((block) => REQUEST.test(block.replace(COURTESY, "")))
  );
}

/** Paragraphs without headings; a list is one of its own, also with empty lines between its items. */
function blocksOf(text: string): string[] {
  const blocks: { isList: boolean; lines: string[] }[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const isText = line.trim() !== "" && !HEADING.test(line);
    const isItem = ITEM.test(line);
    const last = blocks.at(-1);
    const goesOn = last?.isList ? isOpen || isItem || /^\s/.test(line) : isOpen && !isItem;
    if (isText && last && goesOn) last.lines.push(line);
    else if (isText) blocks.push({ isList: isItem, lines: [line] });
    isOpen = isText;
  }
  return blocks.map(({ lines }) => lines.join("\n"));
}

/** Without closed fences, and without code in a line unless the question mark is its end. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: { mark: string; at: number } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
    kept.push(line);
    if (mark === undefined || (fence && fence.mark !== mark)) continue;
    if (fence) kept.length = fence.at;
    fence = fence ? undefined : { mark, at: kept.length - 1 };
  }
  return kept.join("\n").replaceAll(/`[^`\n]*`/g, (code) => (code.endsWith("?`") ? code : "x"));
}
