import { lineRecord } from "../line-record.ts";
import type { AgentRecord } from "../capability/record.ts";
import { lines } from "./chat-file.ts";

export const record = { ...lineRecord(lines), pathOf: (transcript) => transcript } satisfies AgentRecord;
