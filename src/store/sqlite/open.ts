import { orUnwritable } from "../../core/unwritable.ts";
import { createAppendQueue } from "../append-queue.ts";
import { pruneInSteps } from "../prune-in-steps.ts";
import type { Store } from "../store.ts";
import { createPilotReader } from "./autopilot.ts";
import { createCheckpoints } from "./checkpoint.ts";
import { createCommit } from "./commit.ts";
import { openDatabase } from "./database.ts";
import { createPrunable } from "./prune.ts";
import { createReader } from "./read.ts";
import { createStanding } from "./standing.ts";
import { createWriter } from "./write.ts";

/** The embedded store. */
export function openSqlite(path: string): Store {
  const db = openDatabase(path);
  const standing = createStanding(db);
  const commit = createCommit({ db, standing, write: createWriter(db) });
  const checkpoints = createCheckpoints(db);
  const prunable = createPrunable(db);
  const explain = (error: unknown) => orUnwritable(error, path);
  const queue = createAppendQueue((changes) => {
    const steps = commit(changes);
    checkpoints.written();
    return steps;
  }, explain);
  let closed = false;

  return {
    ...createReader(db, standing),
    ...createPilotReader(db),
    append: queue.append,
    onCommit: queue.onCommit,
    async saveDraft(ask, kept) {
      if (!standing.ask(ask)) return false;
      const { by = "", at = 0, draft } = kept ?? {};
      const put = "INSERT OR REPLACE INTO drafts (ask, by, at, data) VALUES (?, ?, ?, ?)";
      try {
        if (!kept) db.query("DELETE FROM drafts WHERE ask = ?").run(ask);
        else db.query(put).run(ask, by, at, JSON.stringify(draft));
      } catch (error) {
        throw explain(error);
      }
      return true;
    },
    prune: (before) =>
      pruneInSteps(prunable, before).catch((error: unknown) => {
        throw explain(error);
      }),
    async close() {
      if (closed) return;
      closed = true;
      await queue.close();
      checkpoints.stop();
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
    },
  };
}
