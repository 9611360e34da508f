import type { StoreAdmin } from "./admin.ts";
import type { Ledger } from "./ledger.ts";
import type { Store } from "./store.ts";

/** One way to keep things on this machine, in files. Which one is chosen where the program is put together. */
export interface Engine {
  openStore(path: string): Store;
  admin(path: string): StoreAdmin;
  /** Contract: never throws. What cannot be opened is made anew, and if that cannot be, kept in memory. */
  openLedger(path: string): Ledger;
  /** Had by one process until it lets go or ends, however that ends. Undefined: another one has it. */
  takeLock(path: string): (() => void) | undefined;
}
