/**
 * What one version of an agent draws that asks in a list without numbers, page by page and without a last look, as data.
 * Contract as of `Layout`: every pattern is anchored; what it does not know makes the screen unknown.
 */
export type ListLayout = {
  version: string;
  /** The line around a dialog, and around the box for own words below it. */
  rule: RegExp;
  /** First line of a question. */
  head: string;
  /** Last paragraph of a question, its lines joined by a space. */
  hint: RegExp;
  cursor: string;
  /** A row that can be picked: mark, box, label. What it does not match goes on with the row above. */
  row: RegExp;
  checked: string;
  /** The row for own words; they are typed into the box below. */
  ownRow: RegExp;
  /** In that box: what is typed. */
  ownText: RegExp;
  /** A field for words alone: the lines around it, and what is typed into it. */
  fieldRule: RegExp;
  fieldText: RegExp;
  /** What stands there while nothing is typed. */
  ownWords: readonly string[];
  /** What stands where a dialog was. */
  settled: RegExp;
  /** The dialog for a call that waits for leave: it stands in a frame. */
  leave: {
    top: RegExp;
    bottom: RegExp;
    line: RegExp;
    hint: RegExp;
    /** Mark, number, label. */
    row: RegExp;
    /** The last row takes words: what it says without any, and behind them. */
    empty: RegExp;
    behind: RegExp;
  };
};
