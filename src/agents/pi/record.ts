import { lineRecord } from "../line-record.ts";
import type { AgentRecord, RecordReading } from "../record.ts";
import { sessionFile } from "./session-file.ts";

/** pi has no subagents of its own. */
export const record = {
  ...lineRecord(sessionFile()),
  // A call's dialogs are remembered until its result comes: for each reader apart.
  open: (path: string, reading?: RecordReading) => lineRecord(sessionFile()).open(path, reading),
  pathOf: (transcript) => transcript,
} satisfies AgentRecord;
