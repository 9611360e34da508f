import { open } from "node:fs/promises";
import type { Agent } from "../agents/agent.ts";
import { canonicalQuestions, type Question } from "../core/question.ts";
import type { Received } from "../core/received.ts";
import { tailText } from "../core/text.ts";

const CHUNK = 1024 * 1024;
const LONGEST_LINE = 16 * CHUNK;
const TAIL = 256 * 1024;
const LAST_TEXT_BYTES = 4000;

type Tail = { lastText?: string; version?: string };
export type Transcript = {
  /** Reads what was written since the last call. */
  refresh(): Promise<void>;
  received(key: string, questions: readonly Question[]): Received | undefined;
  /** Tool calls that asked exactly these questions since that time, oldest first. */
  keysOf(questions: readonly Question[], since: number): string[];
  mentions(text: string): boolean;
};

/** An agent's own record of a session, read as it grows. A missing or broken file is an empty one. */
export function openTranscript(path: string, agent: Agent): Transcript {
  const results = new Map<string, (questions: readonly Question[]) => Received>();
  const asked = new Map<string, { canonical: string; at: number }>();
  let contexts = "";
  let offset = 0;
  let carry = Buffer.alloc(0);

  function take(line: string): void {
    // Only such lines can matter; parsing all of a long session would cost seconds.
    if (!line.includes("tool_result") && !line.includes("AskUserQuestion") && !line.includes("[parley ")) return;
    for (const item of agent.readLine(line)) {
      if (item.type === "asked") asked.set(item.key, { canonical: canonicalQuestions(item.questions), at: item.at });
      if (item.type === "result") results.set(item.key, item.read);
      if (item.type === "context") contexts += `${item.text}\n`;
    }
  }

  async function refresh(): Promise<void> {
    const file = await open(path, "r").catch(() => undefined);
    if (!file) return;
    try {
      const { size } = await file.stat();
      // Shorter than what we read: the file was replaced.
      if (size < offset) [offset, carry] = [0, Buffer.alloc(0)];
      while (offset < size) {
        const { bytesRead, buffer } = await file.read(
          Buffer.alloc(Math.min(CHUNK, size - offset)),
          0,
          undefined,
          offset,
        );
        if (bytesRead === 0) break;
        offset += bytesRead;
        carry = lines(Buffer.concat([carry, buffer.subarray(0, bytesRead)]), take);
      }
    } finally {
      await file.close();
    }
  }

  let turn = Promise.resolve();
  return {
    refresh: () => (turn = turn.then(refresh, refresh)),
    received: (key, questions) => results.get(key)?.(questions),
    keysOf(questions, since) {
      const wanted = canonicalQuestions(questions);
      return [...asked].filter(([, { canonical, at }]) => canonical === wanted && at >= since).map(([key]) => key);
    },
    mentions: (text) => contexts.includes(text),
  };
}

/** The end of a transcript: what the agent said last, and its version. */
export async function transcriptTail(path: string, agent: Agent): Promise<Tail> {
  const file = Bun.file(path);
  const text = await file
    .slice(Math.max(0, file.size - TAIL))
    .text()
    .catch(() => "");
  const tail: Tail = {};
  for (const line of text.split("\n").toReversed()) {
    if (tail.version === undefined) {
      const version = line.includes('"version"') ? agent.versionIn(line) : undefined;
      if (version !== undefined) tail.version = version;
    }
    const said = line.includes('"assistant"')
      ? agent.readLine(line).findLast((item) => item.type === "said")
      : undefined;
    if (said?.type === "said") tail.lastText = tailText(said.text, LAST_TEXT_BYTES);
    if (tail.version !== undefined && tail.lastText !== undefined) break;
  }
  return tail;
}

/** Hands over whole lines; what is left of an unfinished one comes back, unless it is too long to be one. */
function lines(bytes: Buffer, take: (line: string) => void): Buffer<ArrayBuffer> {
  let start = 0;
  for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
    take(bytes.toString("utf8", start, end));
    start = end + 1;
  }
  const rest = bytes.length - start > LONGEST_LINE ? Buffer.alloc(0) : Buffer.from(bytes.subarray(start));
  return rest;
}
