import { asRecord, asText } from "../core/record.ts";
import type { Json } from "./json-rpc.ts";

const MOST_TEXT = 20_000;
const NOTHING = { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** What one turn of an ACP agent does, as the items of a run's stream. */
export function createTurn(print: (item: Json) => void) {
  const open = new Set<string>();
  let [said, message, isOn, last] = ["", 0, false, ""];

  /** What it says comes in pieces; it is whole when it does something else. */
  function flush(): void {
    if (said === "") return;
    print({ type: "said", text: said });
    [last, said] = [said, ""];
    message++;
  }

  function call(update: Json): void {
    const key = asText(update["toolCallId"]);
    const meta = asRecord(update["_meta"]);
    const input = update["rawInput"] ?? {};
    flush();
    open.add(key);
    print({
      type: "called",
      key,
      tool: words(meta?.["toolName"]) || words(update["kind"]) || "tool",
      summary: words(update["title"]).slice(0, 120),
      message: String(message),
      input,
      asks: asRecord(input)?.["questions"] !== undefined,
    });
  }

  function came(update: Json): void {
    const [key, status] = [asText(update["toolCallId"]), update["status"]];
    if ((status !== "completed" && status !== "failed") || !open.delete(key)) return;
    print({ type: "returned", key, isError: status === "failed", text: textIn(update["content"]).slice(0, MOST_TEXT) });
  }

  return {
    began: (version: string | undefined) => print({ type: "began", ...(version !== undefined && { version }) }),
    /** What came before is a session's past, told again. */
    starts(): void {
      isOn = true;
    },
    updated(update: Json): void {
      if (!isOn) return;
      const kind = update["sessionUpdate"];
      if (kind === "agent_message_chunk") said += words(asRecord(update["content"])?.["text"]);
      if (kind === "tool_call") call(update);
      if (kind === "tool_call_update") came(update);
    },
    ended({ stopReason }: Json): void {
      flush();
      const ok = stopReason === "end_turn";
      const text = ok ? last : `it stopped: ${words(stopReason) || "without a reason"}`;
      print({ type: "ended", ok, text, usage: NOTHING, reported: { costUsd: 0, tokens: 0 } });
    },
    failed(why: string): void {
      flush();
      print({ type: "ended", ok: false, text: why, usage: NOTHING, reported: { costUsd: 0, tokens: 0 } });
    },
  };
}

const words = (value: unknown): string => (typeof value === "string" ? value : "");

function textIn(content: unknown): string {
  const parts = Array.isArray(content) ? content : [];
  return parts
    .map((part) => words(asRecord(asRecord(part)?.["content"])?.["text"]))
    .filter(Boolean)
    .join("\n");
}
