import type { Engine } from "../engine.ts";
import { createAdmin } from "./admin.ts";
import { openLedger } from "./ledger.ts";
import { takeLock } from "./lock.ts";
import { openSqlite } from "./open.ts";

export const sqlite: Engine = { openStore: openSqlite, admin: createAdmin, openLedger, takeLock };
