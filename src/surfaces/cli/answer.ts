import { parseArgs } from "node:util";
import { AGENTS } from "../../agents/agents.ts";
import { ParleyError } from "../../core/error.ts";
import { describeOutcome } from "../../core/sentence.ts";
import type { CallOf } from "../../protocol/contract.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Client } from "../../client/client.ts";
import { parseAnswer } from "./parse-answer.ts";
import type { Command } from "./run.ts";
import type { Terminal } from "./terminal.ts";

const HELP = `Usage: parley answer <id> [choice …] [-m message] [--text words] [--json]

  parley answer k3x 2                 option 2
  parley answer k3x 1,3               several options
  parley answer k3x 2 1,3             one choice for each question, in order
  parley answer k3x "Option B"        a label instead of a number
  parley answer k3x 2 -m "but small"  option 2, with a note
  parley answer k3x -m "neither"      own words (option "Other"); --text is the same
  parley answer k3x 1 q3=2 -m "q2=…"  qN= names a later question
  parley answer k3x --decline [-m why] · --chat "what do you mean?" · --cancel

Waits up to 3 s for the proof that the agent received it.
`;
const RECEIPT_MS = 3000;

export const answer: Command = async (args, { terminal, client }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      message: { type: "string", short: "m", multiple: true, default: [] },
      text: { type: "string", multiple: true, default: [] },
      decline: { type: "boolean" },
      chat: { type: "string" },
      cancel: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const [id, ...choices] = positionals;
  if (id === undefined) throw new ParleyError("usage", "Which one? parley answer <id> <number>; see: parley ls");
  const ask = await client.call("getAsk", { id });
  if (ask.outcome) return finish(terminal, ask, values.json, tooLate(ask), 4);
  const settlement = readSettlement(ask, { ...values, choices });
  const session = AGENTS.map((agent) => agent.sessionIn(terminal.env)).find((found) => found !== undefined);
  const body = { ...settlement, version: ask.version, surface: "cli", ...(session !== undefined && { session }) };
  try {
    await client.call("settleAsk", { id: ask.id, body });
  } catch (error) {
    if (!(error instanceof ParleyError) || error.code !== "already_settled") throw error;
    const winner = await client.call("getAsk", { id: ask.id });
    return finish(terminal, winner, values.json, tooLate(winner), 4);
  }
  const after = await receipt(client, ask.id);
  return finish(terminal, after, values.json, after.sentence, exitOf(after));
};

type Values = {
  choices: string[];
  message: string[];
  text: string[];
  decline?: boolean;
  chat?: string;
  cancel?: boolean;
};

function readSettlement(ask: AskView, values: Values): NonNullable<CallOf<"settleAsk">["body"]> {
  const { choices, message, text, decline, chat, cancel } = values;
  const answers = choices.length + text.length > 0;
  const ways = [decline, chat !== undefined, cancel, answers].filter(Boolean).length;
  if (ways > 1) throw new ParleyError("usage", "Choose one: an answer, --decline, --chat or --cancel");
  const said = message.length > 0 ? { message: message.join("\n") } : {};
  if (decline) return { action: "decline", ...said };
  if (cancel) return { action: "cancel", ...said };
  if (chat !== undefined) return { action: "chat", message: [chat, ...message].join("\n") };
  if (!answers && message.length === 0)
    throw new ParleyError(
      "usage",
      `What is the answer? parley answer ${ask.id.slice(0, 6)} <number>; see: parley show ${ask.id.slice(0, 6)}`,
    );
  const parsed = parseAnswer(ask.questions, { choices, messages: message, texts: text });
  if (parsed.problems.length > 0)
    throw new ParleyError("invalid", parsed.problems.map((p) => p.message).join("; "), { problems: parsed.problems });
  return { action: "answer", answers: parsed.answers };
}

/** Waits until the agent's own record says what it received, or somebody has to wait longer. */
async function receipt(client: Client, id: string): Promise<AskView> {
  for (const until = performance.now() + RECEIPT_MS; ; await Bun.sleep(25)) {
    const ask = await client.call("getAsk", { id });
    if (["verified", "mismatched", "closed"].includes(ask.state) || performance.now() > until) return ask;
    const nobodyTakesIt =
      ask.state === "settled" &&
      !ask.reachable &&
      ask.deliveries.every((d) => d.channel === "fetch" || d.released !== undefined);
    if (nobodyTakesIt) return ask;
  }
}

function tooLate(ask: AskView): string {
  if (ask.outcome?.type === "overtaken") return ask.sentence;
  const answer = describeOutcome(ask, Date.now());
  return ask.outcome?.actor.surface === "terminal"
    ? `✗ the terminal was first: ${answer.replace(/^.*? ago(: )?/, "") || answer}`
    : `✗ too late: ${answer}`;
}

function exitOf(ask: AskView): number {
  if (ask.state === "mismatched") return 5;
  return ask.state === "closed" ? 4 : 0;
}

function finish(
  { out, style }: Terminal,
  ask: AskView,
  json: boolean | undefined,
  sentence: string,
  code: number,
): number {
  const paint = sentence.startsWith("✓") ? style.green : sentence.startsWith("✗") ? style.red : style.yellow;
  out(json ? `${JSON.stringify({ ...ask, result: sentence })}\n` : `${paint(sentence)}\n`);
  return code;
}
