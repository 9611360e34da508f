import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeAdminContract } from "../../../test/contract/store-admin.ts";
import { createAdmin } from "./admin.ts";
import { sqlite } from "./engine.ts";

storeAdminContract("sqlite", sqlite);

test("[SX26] what a killed restore left goes with its journals, and nothing else", () => {
  const dir = mkdtempSync(join(tmpdir(), "parley-admin-"));
  for (const end of ["", "-wal", ".restoring", ".restoring-wal", ".restoring-shm", ".restoring-journal", ".before-1"])
    writeFileSync(join(dir, `parley.db${end}`), "");
  createAdmin(join(dir, "parley.db")).removeUnfinished();
  expect(readdirSync(dir).toSorted()).toEqual(["parley.db", "parley.db-wal", "parley.db.before-1"]);
  rmSync(dir, { recursive: true });
});
