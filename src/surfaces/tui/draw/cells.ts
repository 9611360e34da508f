import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** One line cut and filled to exactly so many cells; it may be painted. */
export function cells(line: string, width: number): string {
  const missing = width - visibleWidth(line);
  return missing >= 0 ? line + " ".repeat(missing) : truncateToWidth(line, Math.max(0, width), "…", true);
}

/** A line with one part at each end; the right one gives way. */
export function ends(left: string, right: string, width: number): string {
  const room = width - visibleWidth(left) - visibleWidth(right);
  return room < 1 ? cells(left, width) : `${left}${" ".repeat(room)}${right}`;
}
