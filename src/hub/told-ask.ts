import type { AskView } from "../protocol/view.ts";
import type { AskCopy } from "../store/hub/records.ts";

/** Lists go on behind the time and id of an Ask: with others they would not get past it. */
export const isAddressable = ({ id, createdAt }: AskView): boolean =>
  /^[a-z0-9]{1,40}$/.test(id) && Number.isSafeInteger(createdAt) && createdAt >= 0 && createdAt < 1e15;

export function copyOf(view: AskView): AskCopy {
  const { id, version, state, origin, createdAt } = view;
  return { id, version, state, project: origin.project ?? null, createdAt, view };
}
