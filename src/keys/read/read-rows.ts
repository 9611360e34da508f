import type { DrawnLayout } from "../../agents/capability/screen-layout.ts";
import type { Row } from "../screen.ts";

type Around = { layout: DrawnLayout; chat: Row; preview: boolean; cut: boolean };

/** The rows that are on the screen, the chat last; or why they are not what Parley knows. */
export function readRows(lines: readonly string[], { layout, chat, preview, cut }: Around): Row[] | string {
  const rows: Row[] = [];
  let scrolled = cut;
  for (const line of lines) {
    const last = rows.at(-1);
    const found = layout.row.exec(line);
    const advance = preview ? null : layout.advance.exec(line);
    if (found) {
      const [, mark = "", number, box, text = ""] = found;
      const checked = box === undefined ? undefined : box === layout.checked;
      if ("↑↓".includes(mark)) scrolled = true;
      rows.push({ kind: "option", number: Number(number), text, checked, cursor: mark === layout.cursor });
    } else if (advance && last?.checked !== undefined) {
      rows.push({ kind: "advance", text: "", cursor: advance[1] === layout.cursor });
    } else if (line !== "" && last && last.kind !== "advance") {
      last.text += `\n${line.trim()}`;
    } else if (line !== "" || (last && !preview)) {
      return "Something stands between the rows of the dialog that Parley does not know";
    }
  }
  const problem = oddity(rows, { chat, preview, scrolled });
  if (problem !== undefined) return problem;
  const own = rows.find(({ number }) => !preview && number !== undefined && number + 1 === chat.number);
  if (own) {
    own.kind = "own-words";
    if (layout.ownWords.includes(own.text)) own.text = "";
  }
  // Beside the chat the list keeps the cursor it had: the one below is where a key goes.
  return [...rows.map((row) => (chat.cursor ? { ...row, cursor: false } : row)), chat];
}

function oddity(
  rows: readonly Row[],
  { chat, preview, scrolled }: { chat: Row; preview: boolean; scrolled: boolean },
): string | undefined {
  const numbered = rows.filter(({ kind }) => kind === "option");
  const numbers = numbered.flatMap(({ number }) => number ?? []);
  const [first, last] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  if (numbers.some((number, i) => number !== first + i)) return "The rows are not numbered one after the other";
  if (first !== 1 && !scrolled) return "The first row is not on the screen, although the list is not scrolled";
  if (!preview && (chat.number === undefined || last >= chat.number)) return "The chat has a number that does not fit";
  if (preview && chat.number !== undefined) return "The chat has a number beside a preview";
  const boxes = new Set(numbered.map(({ checked }) => checked !== undefined));
  if (boxes.size !== 1) return "Only some of the rows have a box";
  if (boxes.has(true) !== rows.some(({ kind }) => kind === "advance")) return "The row that continues is missing";
  if (rows.filter(({ cursor }) => cursor).length > 1) return "There are two cursors";
  return undefined;
}
