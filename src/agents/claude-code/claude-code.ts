import type { Agent } from "../agent.ts";
import { readHook } from "./read-hook.ts";
import { handOver, reply } from "./reply.ts";
import { readLine, versionIn } from "./transcript.ts";

export const claudeCode: Agent = {
  name: "claude-code",
  title: "Claude Code",
  sessionIn: (env) => (env["CLAUDECODE"] ? (env["CLAUDE_CODE_SESSION_ID"] ?? "unknown") : undefined),
  readHook,
  reply,
  handOver,
  readLine,
  versionIn,
};
