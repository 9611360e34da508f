import type { Row } from "../agents/capability/screen.ts";

export type { ApprovalScreen, QuestionScreen, ReviewScreen, Row, Screen, Tab } from "../agents/capability/screen.ts";

export function cursorRow(rows: readonly Row[]): Row | undefined {
  return rows.find(({ cursor }) => cursor);
}
