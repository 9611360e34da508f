// A program with the Claude Agent SDK and the real Claude Code.
import { query } from "@anthropic-ai/claude-agent-sdk";
import { createDaemonRef } from "parley-inbox";
import { askUserQuestionServer } from "parley-inbox/claude-agent-sdk";

const [pathToClaudeCodeExecutable] = process.argv.slice(2);
const ref = createDaemonRef({ agent: "agent-sdk-host" });
const options = {
  pathToClaudeCodeExecutable,
  mcpServers: { parley: askUserQuestionServer(ref) },
  allowedTools: ["mcp__parley__ask_user_question"],
  env: process.env,
  settingSources: [],
};
for await (const message of query({ prompt: "SCENARIO:ask", options }))
  if (message.type === "result")
    process.stdout.write(JSON.stringify({ subtype: message.subtype, result: message.result }));
