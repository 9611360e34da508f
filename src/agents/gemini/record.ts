import { lineRecord } from "../line-record.ts";
import type { AgentRecord } from "../capability/record.ts";
import { lines } from "./chat-file.ts";

/** `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`; a question is in it only when it is answered. */
export const record = { ...lineRecord(lines), pathOf: (transcript) => transcript } satisfies AgentRecord;
