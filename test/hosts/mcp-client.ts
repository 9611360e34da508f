import { poll } from "../../src/lab/poll.ts";
import { COMMAND, type Program, UNTIL_STARTED } from "../e2e/program.ts";

export type Message = {
  id?: number;
  method?: string;
  params?: { progressToken?: unknown; progress?: number; message?: string };
  result?: { tools?: object[]; content?: { text: string }[]; isError?: boolean; structuredContent?: Structured };
  error?: { code: number; message: string };
};
export type Structured = { outcome: string; answers: object; lossless: object[]; text: string; message?: string };
export type McpClient = Awaited<ReturnType<typeof openMcp>>;

/** `parley mcp` as a client starts it, spoken to line by line, so that every byte of the protocol is seen. */
export async function openMcp(program: Program, flags: string[] = [], capabilities: object = {}) {
  const own = { HOME: program.user, PARLEY_HOME: program.home, PARLEY_PORT: "0", ...UNTIL_STARTED };
  const env = { PATH: process.env["PATH"] ?? "", ...own };
  const child = Bun.spawn([...COMMAND, "mcp", ...flags], {
    cwd: program.user,
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const messages: Message[] = [];
  const reading = read(child.stdout, messages);
  let ids = 0;

  function send(message: object): void {
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    void child.stdin.flush();
  }
  function request(method: string, params?: object): number {
    send({ id: ++ids, method, ...(params && { params }) });
    return ids;
  }
  const reply = (id: number): Promise<Message> =>
    poll(() => messages.find((message) => message.id === id && message.method === undefined), {
      failure: () => `no reply to ${id}; received ${JSON.stringify(messages)}`,
    });

  const clientInfo = { name: "a-client", version: "1" };
  await reply(request("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo }));
  send({ method: "notifications/initialized" });

  return {
    messages,
    request,
    reply,
    send,
    /** Calls the tool and answers the request's id. */
    ask: (input: object, more: object = {}) =>
      request("tools/call", { name: "ask_user_question", arguments: input, ...more }),
    /** Closes its input, as a client does that ends, and waits for its exit code. */
    async close(): Promise<number> {
      void child.stdin.end();
      await reading;
      return child.exited;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function read(stdout: ReadableStream<Uint8Array>, messages: Message[]): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) messages.push(JSON.parse(line) as Message);
  }
}
