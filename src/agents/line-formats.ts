import { lines as claudeCode } from "./claude-code/transcript.ts";
import { rollout } from "./codex/rollout.ts";
import { events } from "./copilot/events.ts";
import { lines as gemini } from "./gemini/chat-file.ts";
import { sessionFile } from "./pi/session-file.ts";
import { lines as qwen } from "./qwen/chat-file.ts";
import type { LineFormat } from "./record.ts";

/** Those of all agents whose record is a file of lines, without the rest of them: to load that takes longer than to look through 100 MB. */
export const lineFormats = (): LineFormat[] => [claudeCode, rollout, events, gemini, qwen, sessionFile()];
