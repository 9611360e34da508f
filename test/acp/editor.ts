import { eventually } from "../patience.ts";

type Json = Record<string, unknown>;
export type Asked = { id: string | number; method: string; params: Json };
export type EditorOptions = { cwd: string; env: Record<string, string>; command: readonly string[] };
export type Editor = ReturnType<typeof openEditor>;

/** A stand-in for an editor: speaks the Agent Client Protocol over the standard input and output of what it starts. */
export function openEditor({ cwd, env, command }: EditorOptions) {
  const child = Bun.spawn([...command], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map<unknown, (reply: Json) => void>();
  /** What the agent asks and nobody has answered here. */
  const asked: Asked[] = [];
  /** Ids whose dialogs the editor was told to take back. */
  const cancelled: unknown[] = [];
  const updates: Json[] = [];
  const lines: string[] = [];
  let [last, errors] = [0, ""];

  const write = (text: string) => {
    void child.stdin.write(text);
    void child.stdin.flush();
  };
  const send = (message: Json) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  function take(line: string): void {
    lines.push(line);
    let message: Json;
    try {
      message = JSON.parse(line) as Json;
    } catch {
      return;
    }
    const { id, method, params } = message as { id?: string | number; method?: string; params?: Json };
    if (method === undefined) return waiting.get(id)?.(message);
    if (id !== undefined && /request_permission|elicitation/.test(method))
      asked.push({ id, method, params: params ?? {} });
    else if (id !== undefined) send({ id, error: { code: -32601, message: "not here" } });
    else if (method === "$/cancel_request") cancelled.push(params?.["requestId"]);
    else if (method === "session/update") updates.push(params?.["update"] as Json);
  }

  const reading = (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) take(line);
    }
  })();
  void (async () => {
    for await (const chunk of child.stderr) errors += new TextDecoder().decode(chunk);
  })();

  function call(method: string, params: Json): Promise<Json> {
    const { promise, resolve } = Promise.withResolvers<Json>();
    const id = ++last;
    waiting.set(id, resolve);
    send({ id, method, params });
    return promise;
  }

  async function called(method: string, params: Json): Promise<Json> {
    const ended = child.exited.then((code) => Promise.reject(new Error(`ended with ${code}: ${errors}`)));
    const reply = await Promise.race([call(method, params), ended]);
    if (reply["error"] !== undefined) throw new Error(`${method}: ${JSON.stringify(reply["error"])}\n${errors}`);
    return reply["result"] as Json;
  }

  return {
    child,
    asked,
    cancelled,
    updates,
    lines,
    send,
    write,
    called,
    errors: () => errors,
    /** Ready for prompts; answers the session's id. */
    async begin(capabilities: Json = { elicitation: { form: {}, url: {} } }): Promise<string> {
      const clientCapabilities = {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        ...capabilities,
      };
      const clientInfo = { name: "stand-in", version: "0" };
      await called("initialize", { protocolVersion: 1, clientCapabilities, clientInfo });
      return String((await called("session/new", { cwd, mcpServers: [] }))["sessionId"]);
    },
    prompt: (sessionId: string, text: string) =>
      called("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    /** What the agent asks next. */
    async asks(nth = 0): Promise<Asked> {
      await eventually(() => {
        if (asked.length <= nth) throw new Error(`nothing was asked: ${lines.slice(-5).join("\n")}\n${errors}`);
      });
      return asked[nth] as Asked;
    },
    async close(): Promise<number> {
      await child.stdin.end();
      const code = await child.exited;
      await reading;
      return code;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      void child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await child.exited;
    },
  };
}
