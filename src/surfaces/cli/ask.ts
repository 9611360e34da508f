import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { sessionAround } from "../../agents/agents.ts";
import { ParleyError } from "../../core/error.ts";
import { projectOf } from "../../machine/git.ts";
import type { CallOf } from "../../protocol/contract.ts";
import { jsonLine } from "./json.ts";
import type { Command } from "./run.ts";
import { timeSpan } from "./time-span.ts";
import { waitFor } from "./wait.ts";

const HELP = `Usage: parley ask "Deploy?" -o "Yes: ship it" -o "No: wait" [options]

Asks a person, waits, and prints the answer.

  -o "Label: what it means"  an option, 2 to 4 of them
  --multi             several may be chosen
  --header H          a short label, 12 characters at most
  --context FILE      what to show with the question; - for standard input
  --timeout 10m       end the wait then; --on-timeout expire (default), choose=N
  --no-wait           print the id and go on; parley wait <id> gets the answer
  --assume N          with --no-wait: what you go on with until somebody answers
  --name NAME         who asks, as people see it
  --json

Exit codes: 0 answered · 10 declined · 11 expired · 12 cancelled · 13 chat
`;
const MOST_CONTEXT = 16_000;

export const ask: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      option: { type: "string", short: "o", multiple: true, default: [] },
      multi: { type: "boolean" },
      header: { type: "string", default: "Question" },
      context: { type: "string" },
      timeout: { type: "string" },
      "on-timeout": { type: "string" },
      "no-wait": { type: "boolean" },
      assume: { type: "string" },
      name: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { terminal, client } = context;
  if (values.help) return (terminal.out(HELP), 0);
  const [question, ...rest] = positionals;
  if (question === undefined || rest.length > 0)
    throw new ParleyError("usage", 'One question is needed: parley ask "Deploy?" -o "Yes: ship it" -o "No: wait"');
  if (values.assume !== undefined && !values["no-wait"]) throw new ParleyError("usage", "--assume goes with --no-wait");
  const lastText = values.context === undefined ? undefined : await readContext(values.context);
  const inside = sessionAround(terminal.env);
  const body: CallOf<"createAsk">["body"] = {
    questions: [
      { question, header: values.header, multiSelect: values.multi ?? false, options: values.option.map(readOption) },
    ],
    origin: {
      agent: values.name ?? `${basename(terminal.env["SHELL"] ?? "shell")} script`,
      cwd: terminal.cwd,
      ...(await projectOf(terminal.cwd)),
      ...(lastText !== undefined && { lastText }),
      ...(inside !== undefined && { inside }),
    },
    ...readTimeout(values.timeout, values["on-timeout"]),
    ...(values.assume !== undefined && { assume: optionNumber(values.assume, "--assume") }),
  };
  const made = await client.call("createAsk", { body });
  if (values["no-wait"]) return (terminal.out(values.json ? jsonLine(made) : `${made.id}\n`), 0);
  if (terminal.isTty) terminal.err(terminal.style.dim(`Asked as ${made.id}; waiting …\n`));
  return waitFor(made.id, undefined, values.json ?? false, context);
};

/** `Label: what it means`; a label alone explains itself. The space matters: `10:30` and `http://x` are labels. */
function readOption(text: string): { label: string; description: string } {
  const [, label = text, description = label] = /^(.+?):\s+(.+)$/s.exec(text) ?? [];
  return { label: label.trim(), description: description.trim() };
}

function readTimeout(
  timeout: string | undefined,
  policy: string | undefined,
): Pick<NonNullable<CallOf<"createAsk">["body"]>, "timeout"> {
  if (timeout === undefined && policy !== undefined) throw new ParleyError("usage", "--on-timeout goes with --timeout");
  if (timeout === undefined) return {};
  const ms = timeSpan(timeout, "--timeout");
  if (policy === undefined || policy === "expire") return { timeout: { ms } };
  const choose = /^choose=(\d+)$/.exec(policy)?.[1];
  if (choose === undefined) throw new ParleyError("usage", `--on-timeout: expire or choose=N, not "${policy}"`);
  return { timeout: { ms, choose: optionNumber(choose, "--on-timeout") } };
}

function optionNumber(text: string, option: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number - 1;
  throw new ParleyError("usage", `${option}: the number of an option is needed, not "${text}"`);
}

/** Only the beginning is read: a log without end, or a device, must not fill the memory. */
async function readContext(file: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of file === "-" ? Bun.stdin.stream() : createReadStream(file, { end: 4 * MOST_CONTEXT })) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.length >= MOST_CONTEXT) break;
    }
  } catch (error) {
    throw new ParleyError("usage", `--context: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
  return text.slice(0, MOST_CONTEXT).toWellFormed();
}
