import { afterEach, beforeEach, describe, test } from "bun:test";
import type { Store } from "../../src/store/store.ts";
import { appendContract } from "./store/append.ts";
import { askContract } from "./store/asks.ts";
import { autopilotContract } from "./store/autopilot.ts";
import { grantContract } from "./store/grants.ts";
import { lifeContract, reopenContract } from "./store/life.ts";
import { listenContract } from "./store/listen.ts";
import { logContract } from "./store/log.ts";
import type { Opened } from "./store/opened.ts";
import { pruneContract } from "./store/prune.ts";
import { sessionContract } from "./store/sessions.ts";
import { taskContract } from "./store/tasks.ts";

/** `gaps`: what this store does not do, and why. */
type Options = { open: () => Store | Promise<Store>; gaps?: { reopen?: string } };

/** What every store must do. `open` opens the one of this test: the first time it is new and empty. */
export function storeContract(name: string, { open, gaps = {} }: Options): void {
  describe(name, () => {
    let current: Opened;
    const opened = () => current;
    beforeEach(async () => {
      current = {
        store: await open(),
        async reopen() {
          await current.store.close();
          return (current.store = await open());
        },
        dispose: () => current.store.close(),
      };
    });
    afterEach(() => current.dispose());

    lifeContract(opened);
    appendContract(opened);
    listenContract(opened);
    askContract(opened);
    logContract(opened);
    sessionContract(opened);
    taskContract(opened);
    grantContract(opened);
    autopilotContract(opened);
    pruneContract(opened);
    if (gaps.reopen === undefined) reopenContract(opened);
    else test.skip(`[ST16] what is kept outlives the process (skipped: ${name}: ${gaps.reopen})`, () => undefined);
  });
}
