import { projectName } from "../../core/hub-names.ts";
import { LARGEST_MESSAGE } from "../../protocol/hub/hub.ts";
import type { AskView } from "../../protocol/view.ts";
import type { AskCopy } from "../../store/hub/records.ts";

/** Lists go on behind the time and id of an Ask: with others they would not get past it. */
export const isAddressable = ({ id, createdAt }: AskView): boolean =>
  /^[a-z0-9]{1,40}$/.test(id) && Number.isSafeInteger(createdAt) && createdAt >= 0 && createdAt < 1e15;

export function copyOf(view: AskView): AskCopy {
  const { id, version, state, origin, createdAt } = view;
  return {
    id,
    version,
    state,
    project: origin.project === undefined ? null : projectName(origin.project),
    createdAt,
    view,
  };
}

/** What a machine has said and waits to be handled. `said`: undefined when nobody will handle it any more. */
export type LineLoad = { messages: number; bytes: number; said: Set<Said> | undefined };
type Said = { text: string | Buffer };

/** So much may wait for one machine to be handled; one that says more is not ours. */
const MOST_WAITING = 200;
/** Eight messages of a machine are on their way at once, and each is far below the largest. */
const MOST_BYTES = 4 * LARGEST_MESSAGE;
/** Whoever was not welcomed yet may be anybody, and a machine says no more than a beat until then. */
const MOST_BYTES_UNKNOWN = 64 * 1024;

export const newLoad = (): LineLoad => ({ messages: 0, bytes: 0, said: new Set() });

/** Kept for whoever handles it, until it is handled or forgotten. */
export function hold(load: LineLoad, text: string | Buffer, take: (text: string | Buffer) => Promise<void>) {
  const said: Said = { text };
  load.said?.add(said);
  return async (): Promise<void> => {
    const mine = said.text;
    said.text = "";
    if (load.said?.delete(said)) await take(mine);
  };
}

/** Its line is over, or ended before anybody knew whose it is: all that strangers say would stay while a database is away. */
export function forget(load: LineLoad): void {
  for (const each of load.said ?? []) each.text = "";
  load.said = undefined;
}

/** It is being ended from here. */
export function over(line: { load: LineLoad; isOver?: true }): void {
  line.isOver = true;
  forget(line.load);
}

/** May something so long wait too? */
export const hasRoom = ({ messages, bytes }: LineLoad, more: number, isKnown: boolean): boolean =>
  messages < MOST_WAITING && bytes + more <= (isKnown ? MOST_BYTES : MOST_BYTES_UNKNOWN);

/** It waits until what this gives back is called. */
export function addTo(load: LineLoad, bytes: number): () => void {
  load.messages++;
  load.bytes += bytes;
  return () => {
    load.messages--;
    load.bytes -= bytes;
  };
}
