import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { sessionAround } from "../../../../agents/agents.ts";
import { createDaemonRef } from "../../../../tool/daemon-ref.ts";
import type { ShowDialog } from "../../../../tool/dialog-ref.ts";
import { createAskUserQuestionServer } from "../../../../tool/mcp-server.ts";
import { defineCommand } from "../../command-line/define.ts";
import { timeSpan } from "../../../terminal/time-span.ts";

/** For taking back what was asked by a client that has gone. */
const LEAVE_MS = 3000;

export const command = defineCommand({
  about:
    "Gives an agent the tool ask_user_question over MCP (standard input and output). Its questions come into the inbox; the call waits until somebody answers.",
  options: {
    timeout: { value: "TIME", description: "a question that nobody answered by then expires: 90s, 10m, 8h" },
    name: { value: "NAME", description: "who asks, as people see it; else what the client calls itself" },
  },
  noJson: true,
  examples: [["claude mcp add parley -- parley mcp", "for Claude Code"]],
  async run({ timeout, name: given }, { terminal, version }) {
    const timeoutMs = timeout === undefined ? undefined : timeSpan(timeout, "--timeout");
    let client = "an MCP client";
    const agent = () => given ?? client;
    const { env, cwd } = terminal;
    const inside = sessionAround(env);
    const options = { agent, env, cwd, inside, timeoutMs, startsDaemon: true };
    const ref = createDaemonRef(options);
    const refs = new Set([ref]);
    const alsoIn = (show: ShowDialog) => {
      const both = createDaemonRef({ ...options, show });
      refs.add(both);
      return both;
    };

    const onClient = (name: string) => void (client = name);
    const serving = serveStdio(() =>
      // An agent whose own hooks tell of its forms would ask twice.
      createAskUserQuestionServer(ref, { version, onClient, ...(inside === undefined && { alsoIn }) }),
    );
    await ended();
    await serving.close();
    await Promise.race([Promise.all([...refs].map((each) => each.idle())), Bun.sleep(LEAVE_MS)]);
    return 0;
  },
});

/** The client closed our input, or told us to go. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
