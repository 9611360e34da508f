import { askTitle } from "../../../core/ask/title.ts";
import { safeLine } from "../../../core/text/text.ts";
import { counted } from "../../../core/words/number.ts";
import { describeOutcome } from "../../../core/words/outcome/sentence.ts";
import { createKeyReader } from "../../../dialog/keys.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { ApprovalRow } from "../../../protocol/grant.ts";
import type { AskView } from "../../../protocol/view.ts";
import { hang } from "../../terminal/columns.ts";
import { type Box, framed } from "../draw/box.ts";
import { cells } from "../draw/cells.ts";
import { firstShown, GUARD_MS } from "../cursor.ts";
import { sentenceNow, toneOf } from "../draw/status-line.ts";

export type Verdict = "approve" | "deny";
type BulkBox = {
  rows: readonly ApprovalRow[];
  /** As it is now. */
  ask: (id: string) => AskView | undefined;
  isMine: (id: string) => boolean;
  decide: (rows: readonly ApprovalRow[], verdict: Verdict) => void;
  close: () => void;
  now: () => number;
  awake: () => number;
};
const WIDEST = 110;
const NAMES: Record<Verdict, string> = { approve: "Approve", deny: "Deny" };

/**
 * Approvals in one table: tick, one confirmation, each receipt in its row. Contract: what is held back is ticked only by itself, while
 * the cursor is on it and all of it is shown.
 */
export function createBulkBox(theme: Theme, { rows, ask, isMine, decide, close, now, awake }: BulkBox): Box {
  const read = createKeyReader();
  const ticked = new Set(rows.filter(({ held }) => held === undefined).map((row) => row.ask.id));
  let row = 0;
  let first = 0;
  let sure: { verdict: Verdict; at: number } | undefined;

  const current = (each: ApprovalRow) => ask(each.ask.id) ?? each.ask;
  const isOpen = (each: ApprovalRow) => current(each).outcome === undefined;
  const chosen = () => rows.filter((each) => ticked.has(each.ask.id) && isOpen(each));

  function press(key: string): void {
    if (sure) return confirmed(key, sure);
    if (key === "down" || key === "j") row = Math.min(row + 1, rows.length - 1);
    else if (key === "up" || key === "k") row = Math.max(0, row - 1);
    else if (key === "space") toggle(rows[row]);
    else if (key === "a") toggleAll();
    else if (key === "enter" || key === "y") confirm("approve");
    else if (key === "d") confirm("deny");
    else if (key === "escape" || key === "q" || key === "n") close();
  }

  function confirm(verdict: Verdict): void {
    if (chosen().length > 0) [sure, first] = [{ verdict, at: awake() }, 0];
  }

  function confirmed(key: string, { verdict, at }: { verdict: Verdict; at: number }): void {
    const step = { down: 1, j: 1, pageDown: 10, up: -1, k: -1, pageUp: -10 }[key];
    if (step !== undefined) return void (first = Math.max(0, first + step));
    if (awake() - at < GUARD_MS) return;
    [sure, first] = [undefined, 0];
    if (key !== "enter" && key !== "y") return;
    const meant = chosen();
    ticked.clear();
    decide(meant, verdict);
  }

  function toggle(each: ApprovalRow | undefined): void {
    if (each && isOpen(each) && !ticked.delete(each.ask.id)) ticked.add(each.ask.id);
  }

  function toggleAll(): void {
    const free = rows.filter((each) => each.held === undefined && isOpen(each));
    const isAll = free.every((each) => ticked.has(each.ask.id));
    for (const each of free)
      if (isAll) ticked.delete(each.ask.id);
      else ticked.add(each.ask.id);
  }

  function line(each: ApprovalRow, i: number, width: number): string[] {
    const shown = current(each);
    const pointer = i === row && !sure ? theme.selected("❯") : " ";
    const project = safeLine(shown.origin.project ?? shown.agentTitle, { max: 16 });
    if (!isOpen(each)) {
      const said = isMine(shown.id) ? sentenceNow(shown, now()) : describeOutcome(shown, now());
      const words = safeLine(said, { max: 300 });
      return [
        cells(`${pointer}     ${project}  ${askTitle(shown, { max: 200 })}`, width),
        ...hang("        ", words, width, theme[toneOf(words)]),
      ];
    }
    const mark = ticked.has(shown.id) ? theme.accent("[x]") : "[ ]";
    const lead = `${pointer} ${mark} ${project}  `;
    const isHeld = each.held !== undefined;
    // What is held back is seen in full before it is ticked.
    const title = isHeld && i === row ? hang(lead, askTitle(shown, { max: 4000 }), width) : undefined;
    const why = isHeld
      ? hang("        ", `held back: ${safeLine(each.held ?? "", { max: 200 })}`, width, theme.error)
      : [];
    return [...(title ?? [cells(`${lead}${askTitle(shown, { max: 300 })}`, width)]), ...why];
  }

  return {
    render(size) {
      const width = Math.min(size.columns, WIDEST) - 4;
      const count = chosen().length;
      if (sure) {
        const lines = chosen().flatMap((each) => hang("", askTitle(current(each), { max: 4000 }), width));
        const room = Math.max(1, size.rows - 4);
        first = Math.min(first, Math.max(0, lines.length - room));
        const more = lines.length > room ? `↑↓: ${first + 1}-${first + room} of ${lines.length}   ` : "";
        const hint = theme.muted(`${more}Enter or y: do it   Esc or n: leave it`);
        const title = `${NAMES[sure.verdict]} ${counted(count, "call")}?`;
        return framed(title, [...lines.slice(first, first + room), "", hint], theme, size);
      }
      const drawn = rows.map((each, i) => line(each, i, width));
      const height = Math.max(1, size.rows - 4);
      const starts = drawn.map((_, i) => drawn.slice(0, i).flat().length);
      const end = (starts[row] ?? 0) + (drawn[row]?.length ?? 1) - 1;
      first = Math.min(firstShown(first, end, height, drawn.flat().length), starts[row] ?? 0);
      const keys =
        count > 0
          ? `Enter approve ${count}   d deny   Space tick   a all not held back   Esc`
          : "Space tick   a all   Esc";
      return framed(
        "What will happen",
        [...drawn.flat().slice(first, first + height), "", theme.muted(keys)],
        theme,
        size,
      );
    },
    point(mouse) {
      if (mouse.type === "wheel") row = Math.max(0, Math.min(rows.length - 1, row + mouse.by));
    },
    handleInput(data) {
      for (const pressed of read(data)) if (pressed.type === "key" && !pressed.repeat) press(pressed.name);
    },
  };
}
