import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { asRecord, asText } from "../core/record.ts";
import { selfCommand } from "../machine/self-command.ts";
import { createLineCutter } from "../machine/file/lines.ts";
import { type Id, type Json, lineOf, messageIn } from "./json-rpc.ts";
import { createTurn } from "./turn.ts";

/** What a run is told on its standard input, in one line. */
export type AcpOrder = { session: string; isNew: boolean; prompt: string; meta: Json };
const [UNKNOWN_METHOD, LAST_MS] = [-32601, 5000];
/** They wait for somebody: `parley acp` in between takes the answer. */
const ASKS = new Set(["session/request_permission", "elicitation/create"]);
const ABLE = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

/**
 * One turn of an agent that speaks the Agent Client Protocol, without an editor: prints what it does as lines of JSON.
 * Whatever it asks goes to the inbox, by the same way as behind an editor.
 */
export async function acpTask(command: readonly string[]): Promise<number> {
  const [program = "", ...self] = selfCommand();
  const child = spawn(program, [...self, "acp", "--", ...command], { stdio: ["pipe", "pipe", "inherit"] });
  const over = once(child, "exit") as Promise<[number | null]>;
  child.stdin.on("error", () => undefined);
  const waiting = new Map<Id, PromiseWithResolvers<unknown>>();
  const turn = createTurn((item) => void writeSync(1, `${JSON.stringify(item)}\n`));
  let last = 0;

  const tell = (message: Json) => void child.stdin.write(lineOf(message));
  function request(method: string, params: Json): Promise<unknown> {
    const asked = Promise.withResolvers<unknown>();
    waiting.set(++last, asked);
    tell({ id: last, method, params });
    return asked.promise;
  }

  const lines = createLineCutter((bytes) => {
    const message = messageIn(bytes);
    if (message?.type === "reply") {
      const { error, id, result } = message;
      if (error === undefined) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(asText(asRecord(error)?.["message"]) || "it says no"));
    }
    if (message?.type === "notice" && message.method === "session/update")
      turn.updated(asRecord(message.params["update"]) ?? {});
    if (message?.type === "request" && !ASKS.has(message.method))
      tell({ id: message.id, error: { code: UNKNOWN_METHOD, message: "nobody is here" } });
  });
  child.stdout.on("data", (chunk: Buffer) => lines.write(chunk));

  const work = async () => {
    const { session: sessionId, isNew, prompt, meta } = await order();
    const about = asRecord(await request("initialize", { protocolVersion: 1, clientCapabilities: ABLE }));
    const version = asRecord(about?.["agentInfo"])?.["version"];
    turn.began(typeof version === "string" ? version : undefined);
    const place = { cwd: process.cwd(), mcpServers: [] };
    const made = isNew
      ? asRecord(await request("session/new", { ...place, _meta: meta }))
      : await request("session/load", { ...place, sessionId });
    if (isNew && asRecord(made)?.["sessionId"] !== sessionId)
      throw new Error("it does not take the name of its session");
    turn.starts();
    const end = asRecord(await request("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] }));
    turn.ended(end ?? {});
  };
  const failed = await Promise.race([
    work().then(
      () => "",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    ),
    over.then(() => undefined),
  ]);
  // It has died: nothing is said of an end that nobody saw.
  if (failed === undefined) return (await over)[0] || 1;
  if (failed !== "") turn.failed(failed);
  child.stdin.end();
  const late = setTimeout(() => child.kill(), LAST_MS);
  await over;
  clearTimeout(late);
  return failed === "" ? 0 : 1;
}

async function order(): Promise<AcpOrder> {
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return JSON.parse(text) as AcpOrder;
}
