import type { Client } from "../../client/client.ts";
import type { Paths } from "../../machine/home.ts";
import type { Terminal } from "../terminal/terminal.ts";

export type Contents = { bytes: number; asks: number; events: number; schema: number };
export type Health =
  | { type: "empty" }
  | { type: "sound"; asks: number; events: number; newestAt: number }
  | { type: "damaged"; detail: string };
export type Backups = {
  checkStore(paths: Paths): Promise<Health>;
  saveBackup(paths: Paths, file: string, options: { force: boolean }): Promise<Contents>;
  saveToSend(paths: Paths): Promise<Contents & { file: string }>;
  inspectBackup(paths: Paths, file: string): Promise<Contents>;
  restoreBackup(paths: Paths, file: string): Promise<Contents & { before?: string }>;
};

/** Runs the daemon in this process until it ends; `up` is called once it answers. Undefined: another one runs already. */
export type Serve = (options: {
  detached: boolean;
  byHand: boolean;
  up: (url: string) => void;
}) => Promise<number | undefined>;
/** What `main.ts` lends: surfaces themselves know neither daemon nor database. */
export type Lent = { serve: Serve; backups: () => Promise<Backups> };
/** What every command gets. `client` starts the daemon when it is first used. */
export type Context = Lent & {
  terminal: Terminal;
  client: Client;
  paths: Paths;
  version: string;
};
