// An agent of the Agent Client Protocol that does what its prompt says: a list of messages to send, and `"reply"` where it
// waits for the editor to answer. Every line that it hears is written to the file in STUB_HEARD, as it came.
import { appendFileSync } from "node:fs";

type Json = Record<string, unknown>;
const heard = process.env["STUB_HEARD"] ?? "/dev/null";
const write = (text: string) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
const send = (message: Json) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const replies: ((reply: Json) => void)[] = [];
const early: Json[] = [];
let sessions = 0;

function answered(): Promise<Json> {
  const come = early.shift();
  return come ? Promise.resolve(come) : new Promise((resolve) => replies.push(resolve));
}

async function perform(id: unknown, steps: (Json | string)[]): Promise<void> {
  for (const step of steps) {
    if (step === "reply") await answered();
    else if (typeof step === "string") await write(step);
    else await send(step);
  }
  await send({ id, result: { stopReason: "end_turn" } });
}

function take(line: string): void {
  appendFileSync(heard, `${line}\n`);
  let message: Json;
  try {
    message = JSON.parse(line) as Json;
  } catch {
    return;
  }
  const { id, method, params } = message as { id?: unknown; method?: string; params?: Json };
  if (method === "initialize")
    void send({ id, result: { protocolVersion: 1, agentInfo: { name: "stub", title: "Stub", version: "1.0" } } });
  else if (method === "session/new") void send({ id, result: { sessionId: `stub-${process.pid}-${++sessions}` } });
  else if (method === "session/prompt") {
    const [first] = (params?.["prompt"] as { text: string }[] | undefined) ?? [];
    void perform(id, JSON.parse(first?.text ?? "[]") as Json[]);
  } else if (method === undefined && id !== undefined) {
    const next = replies.shift();
    if (next) next(message);
    else early.push(message);
  }
}

let rest = "";
for await (const chunk of process.stdin) {
  const lines = (rest + String(chunk)).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) take(line);
}
