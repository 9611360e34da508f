import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

// An MCP server on standard input and output whose one tool asks its client for what it is given to ask, if anything.

type Message = {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
};
const waiting = new Map<number | string, (message: Message) => void>();
let last = 0;
const send = (message: object) => void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

async function call(params: Record<string, unknown>): Promise<object> {
  const { request, quiet } = params["arguments"] as { request?: Record<string, unknown>; quiet?: boolean };
  if (!request) return { content: [{ type: "text", text: "SERVER WAS CALLED" }] };
  const id = `e${++last}`;
  const { promise, resolve } = Promise.withResolvers<Message>();
  waiting.set(id, resolve);
  send({ id, method: "elicitation/create", params: request });
  const { result, error } = await promise;
  // As a server does that is told a secret: it keeps it.
  if (quiet) return { content: [{ type: "text", text: `SERVER GOT ${digest(result)}` }] };
  return { content: [{ type: "text", text: `SERVER GOT ${JSON.stringify(result ?? error)}` }] };
}

const digest = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  const { id, method, params = {} } = message;
  if (id === undefined) continue;
  if (method === undefined) waiting.get(id)?.(message);
  else if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "lab", version: "1" },
      },
    });
  else if (method === "tools/list")
    send({ id, result: { tools: [{ name: "ask", description: "Asks the user", inputSchema: { type: "object" } }] } });
  else if (method === "tools/call") void call(params).then((result) => send({ id, result }));
  else send({ id, error: { code: -32601, message: "unknown" } });
}
