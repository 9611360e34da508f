import type { ChatInput } from "./chat-form.ts";

export type Pressed = Exclude<ChatInput, { type: "words" | "sheet" }>;
/** At most 64 bytes, says Telegram. An Ask's id has 12 letters. */
const DATA = /^q\.([\w-]{1,32})\.([0-9a-z]{1,8})\.([ptudnsr])\.(\d{1,3})\.(\d{1,3})$/;

/** What a button carries: its Ask, the version it showed, and what it does. Nothing has to be remembered for it. */
export function buttonData(ask: string, version: number, input: Pressed): string {
  const at = "question" in input ? input.question : 0;
  const option = "option" in input ? input.option : 0;
  return `q.${ask}.${version.toString(36)}.${verbOf(input)}.${at}.${option}`;
}

/** Undefined: none of ours, whoever sent it. */
export function readButton(data: string): { ask: string; version: number; input: Pressed } | undefined {
  const [, ask, version, verb, at, option] = DATA.exec(data) ?? [];
  if (ask === undefined || version === undefined || verb === undefined) return undefined;
  const question = Number(at);
  const inputs: Record<string, Pressed> = {
    p: { type: "press", question, option: Number(option) },
    t: { type: "tick", question, option: Number(option), on: true },
    u: { type: "tick", question, option: Number(option), on: false },
    d: { type: "done", question },
    n: { type: "pass", question },
    s: { type: "send" },
    r: { type: "restart" },
  };
  const input = inputs[verb];
  return input && { ask, version: Number.parseInt(version, 36), input };
}

function verbOf(input: Pressed): string {
  if (input.type === "tick") return input.on ? "t" : "u";
  return { press: "p", done: "d", pass: "n", send: "s", restart: "r" }[input.type];
}
