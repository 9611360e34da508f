import type { AskView } from "../../../../protocol/view.ts";

/** Of the time that is shown: when it was settled. */
export function inOrder(asks: readonly AskView[]): AskView[] {
  const at = ({ outcome }: AskView) => outcome?.at ?? 0;
  return asks.filter(({ outcome }) => outcome !== undefined).toSorted((a, b) => at(b) - at(a));
}
