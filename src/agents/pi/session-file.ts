import { z } from "zod";
import type { LineFormat, RecordItem } from "../capability/record.ts";
import { type Ended, Entry, questionOf } from "./payload.ts";
import { receivedIn } from "./received.ts";

const ENTRY = "parley-dialog";
const text = z.string().optional().catch(undefined);
const Message = z.looseObject({ role: text, content: z.unknown().optional(), toolCallId: text });
const Line = z.looseObject({
  type: text,
  customType: text,
  name: text,
  data: z.unknown().optional(),
  message: Message.optional().catch(undefined),
});

/**
 * A line of `sessions/<folder>/<time>_<id>.jsonl`. What a dialog gave back stands there before what came of the call that
 * asked: only that line is the receipt, and what it says is what the model reads.
 */
export function sessionFile(): LineFormat {
  /** Dialogs that have ended inside a call that has not, by that call. */
  const ended = new Map<string, Ended[]>();

  function dialogIn(data: unknown): RecordItem[] {
    const entry = Entry.safeParse(data).data;
    if (!entry) return [];
    const { name: key, call } = entry;
    if (entry.state === "asked") return [{ type: "asked", key, questions: [questionOf(entry)], at: entry.at }];
    if (call === undefined) return [{ type: "result", key, read: (questions) => receivedIn(entry, questions) }];
    ended.set(call, [...(ended.get(call) ?? []), entry]);
    return [];
  }

  function messageIn({ role, content, toolCallId: call = "" }: z.infer<typeof Message>): RecordItem[] {
    const said = textOf(content);
    if (role === "assistant") return said === "" ? [] : [{ type: "said", text: said }];
    if (role === "user")
      return [
        { type: "prompt", text: said },
        { type: "told", text: said },
      ];
    if (role !== "toolResult") return [];
    const dialogs = ended.get(call) ?? [];
    ended.delete(call);
    return dialogs.map((dialog) => ({
      type: "result",
      key: dialog.name,
      read: (questions) => receivedIn(dialog, questions, said),
    }));
  }

  return {
    marks: {
      question: [ENTRY],
      asked: [`"${ENTRY}"`],
      call: '"toolCall"',
      result: '"toolResult"',
      said: '"role":"assistant"',
      told: '"role":"user"',
      // Its own commands are not written down.
      command: '"type":"command"',
      prompt: '"role":"user"',
      title: ['"session_info"'],
      version: '"pi_version"',
    },
    read(raw) {
      const line = Line.safeParse(parsed(raw)).data;
      if (line?.type === "custom" && line.customType === ENTRY) return dialogIn(line.data);
      if (line?.type === "session_info" && line.name) return [{ type: "title", text: line.name, isOwn: true }];
      return line?.type === "message" && line.message ? messageIn(line.message) : [];
    },
    // It writes none down; its connection says it.
    versionIn: () => undefined,
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((part: unknown) => (part as { text?: unknown } | null)?.text);
  return texts.filter((each) => typeof each === "string").join("\n");
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
