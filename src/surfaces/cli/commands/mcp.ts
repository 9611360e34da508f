import { parseArgs } from "node:util";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { sessionAround } from "../../../agents/agents.ts";
import { createDaemonRef } from "../../../tool/daemon-ref.ts";
import { createAskUserQuestionServer } from "../../../tool/mcp-server.ts";
import type { Command } from "../run.ts";
import { timeSpan } from "../../terminal/time-span.ts";

const HELP = `Usage: parley mcp [--timeout 8h] [--name NAME]

Gives an agent the tool ask_user_question over MCP (standard input and output).
Its questions come into the inbox; the call waits until somebody answers.

  claude mcp add parley -- parley mcp      for Claude Code

  --timeout 8h   a question that nobody answered by then expires
  --name NAME    who asks, as people see it; else what the client calls itself
`;
/** For taking back what was asked by a client that has gone. */
const LEAVE_MS = 3000;

export const mcp: Command = async (args, { terminal, version }) => {
  const { values } = parseArgs({
    args,
    options: { timeout: { type: "string" }, name: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const timeoutMs = values.timeout === undefined ? undefined : timeSpan(values.timeout, "--timeout");
  let client = "an MCP client";
  const agent = () => values.name ?? client;
  const { env, cwd } = terminal;
  const ref = createDaemonRef({ agent, env, cwd, inside: sessionAround(env), timeoutMs, startsDaemon: true });

  const onClient = (name: string) => void (client = name);
  const serving = serveStdio(() => createAskUserQuestionServer(ref, { version, onClient }));
  await ended();
  await serving.close();
  await Promise.race([ref.idle(), Bun.sleep(LEAVE_MS)]);
  return 0;
};

/** The client closed our input, or told us to go. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
