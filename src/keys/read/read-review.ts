import type { DrawnLayout } from "../../agents/capability/screen-layout.ts";
import type { Row, Screen } from "../screen.ts";

/** The last page of a form: what was answered, and whether to send it. */
export function readReview(lines: readonly string[], layout: DrawnLayout): Screen | undefined {
  const { title, ready, send, cancel } = layout.review;
  const at = lines.lastIndexOf(ready);
  const rest = lines.slice(at + 1).filter((line) => line !== "");
  if (at < 0 || rest.length !== 2) return undefined;
  const rows = rest.flatMap((line, i): Row[] => {
    const found = layout.row.exec(line);
    const label = i === 0 ? send : cancel;
    if (!found || found[2] !== String(i + 1) || found[4] !== label) return [];
    return [{ kind: i === 0 ? "send" : "cancel", number: i + 1, text: label, cursor: found[1] === layout.cursor }];
  });
  if (rows.length !== 2)
    return { type: "unknown", why: "The review page has other rows than Parley knows", remains: true };
  if (rows.filter(({ cursor }) => cursor).length !== 1)
    return { type: "unknown", why: "The review page has no cursor, or two", remains: true };
  const from = lines.slice(0, at).lastIndexOf(title);
  return { type: "review", text: withoutBars(lines.slice(from + 1, at), layout), cut: from < 0, rows };
}

function withoutBars(lines: readonly string[], { questionBar: bar }: DrawnLayout): string {
  return lines.map((line) => (bar && line.startsWith(` ${bar}`) ? line.slice(bar.length + 1) : line)).join("\n");
}
