import { lineRecord } from "../line-record.ts";
import type { AgentRecord } from "../capability/record.ts";
import { events } from "./events.ts";

export const record: AgentRecord = { ...lineRecord(events), pathOf: (transcript) => transcript };
