import { createAskUserQuestionServer, type McpServerOptions } from "./mcp-server.ts";
import type { AskUserQuestionRef } from "./tool.ts";

/** `never`, because the SDK names a class of the protocol's older library there; what it calls is `connect`, which ours has. */
export type AgentSdkServer = { type: "sdk"; name: string; instance: never };

/**
 * For the Claude Agent SDK: `mcpServers: { parley: askUserQuestionServer(ref) }` and
 * `allowedTools: ["mcp__parley__ask_user_question"]`.
 */
export function askUserQuestionServer(ref: AskUserQuestionRef, options?: McpServerOptions): AgentSdkServer {
  return { type: "sdk", name: "parley", instance: createAskUserQuestionServer(ref, options) as never };
}
