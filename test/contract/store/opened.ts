import type { Ask } from "../../../src/core/ask/ask.ts";
import type { Appended, AskQuery, Store } from "../../../src/store/store.ts";

/** `reopen` closes the store and opens the same one again; from then on it is the `store`. */
export type Opened = { store: Store; reopen(): Promise<Store>; dispose(): Promise<void> };

export const idsIn = async (store: Store, query: AskQuery) => (await store.list(query)).map(({ id }) => id);
export const typesIn = async (store: Store, ask?: string) =>
  (await store.events(ask ? { ask } : {})).map(({ type }) => type);

export function askOf(result: Appended | undefined): Ask {
  if (result?.type !== "done" || !result.ask) throw new Error(`not done: ${result?.type}`);
  return result.ask;
}
