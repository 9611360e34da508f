import { lineRecord } from "../line-record.ts";
import type { AgentRecord, RecordReading } from "../capability/record.ts";
import { sessionFile } from "./session-file.ts";

/** A call's dialogs are remembered until its result comes: for each reader apart, as long as it reads. */
const reader = () => lineRecord(sessionFile());

/** pi has no subagents of its own. */
export const record = {
  get lines() {
    return sessionFile();
  },
  open: (path: string, reading?: RecordReading) => reader().open(path, reading),
  versionOf: (path) => reader().versionOf(path),
  before: (path, key) => reader().before(path, key),
  lastSaid: (path) => reader().lastSaid(path),
  pathOf: (transcript) => transcript,
} satisfies AgentRecord;
