import type { LineFormat } from "./capability/record.ts";

/** One that is loaded when a line holds a mark of its questions: to load them all takes longer than to look through 100 MB. */
export type FormatToLoad = { question: LineFormat["marks"]["question"]; load(): Promise<LineFormat> };

/** Those of all agents whose record is a file of lines, with the marks that each of them has itself ([LZ7]). */
export const LINE_FORMATS: readonly FormatToLoad[] = [
  {
    question: ["AskUserQuestion", '"answers":{'],
    load: async () => (await import("./claude-code/transcript.ts")).lines,
  },
  { question: ["request_user_input"], load: async () => (await import("./codex/rollout.ts")).rollout },
  { question: ['"toolName":"ask_user"'], load: async () => (await import("./copilot/events.ts")).events },
  { question: ['"ask_user"'], load: async () => (await import("./gemini/chat-file.ts")).lines },
  { question: ['"ask_user_question"'], load: async () => (await import("./qwen/chat-file.ts")).lines },
  { question: ["parley-dialog"], load: async () => (await import("./pi/session-file.ts")).sessionFile() },
];
