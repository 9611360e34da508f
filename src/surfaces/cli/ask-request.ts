import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { sessionAround } from "../../agents/agents.ts";
import { ParleyError } from "../../core/error.ts";
import { shortId } from "../../core/id.ts";
import { endsAsQuestion } from "../../core/ask/strict.ts";
import { safeLine } from "../../core/text/text.ts";
import { projectOf } from "../../machine/git/git.ts";
import type { CallOf } from "../../protocol/contract.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { timeSpan } from "../terminal/time-span.ts";

type Body = NonNullable<CallOf<"createAsk">["body"]>;
/** What every command that asks a person takes. */
export const REQUEST_OPTIONS = {
  header: { value: "H", description: "a short label, 12 characters at most" },
  context: { value: "FILE", of: "file", description: "what to show with it; - for standard input" },
  timeout: { value: "TIME", description: "stop waiting after 90s, 10m or 2h" },
  "on-timeout": {
    value: "WHAT",
    of: ["expire", "choose=1"],
    description: "what happens then: expire (default) or choose=N",
  },
  name: { value: "NAME", description: "who asks, as people see it" },
} as const;
type Given = { context?: string; timeout?: string; "on-timeout"?: string; name?: string };
const MOST_CONTEXT = 16_000;

/** For who looks on: Ctrl-C ends the waiting alone, and somebody may answer it later. */
export const waitingLine = (id: string): string =>
  `Asked as ${id}; waiting … Ctrl-C leaves the question open: parley wait ${shortId(id)}\n`;

/** What a command asks of a person, with where it comes from. */
export async function askRequest(
  questions: readonly { question: string }[],
  given: Given,
  { env, cwd }: Pick<Terminal, "env" | "cwd">,
): Promise<Body> {
  for (const { question } of questions) refuseText(question);
  const lastText = given.context === undefined ? undefined : await readContext(given.context);
  const inside = sessionAround(env);
  return {
    questions,
    script: true,
    origin: {
      agent: given.name ?? `${basename(env["SHELL"] ?? "shell")} script`,
      cwd,
      ...(await projectOf(cwd)),
      ...(lastText !== undefined && { lastText }),
      ...(inside !== undefined && { inside }),
    },
    ...readTimeout(given.timeout, given["on-timeout"]),
  };
}

/** The commonest mistake, in the words of the command line. */
function refuseText(question: string): void {
  const text = question.trim();
  if (text === "") throw new ParleyError("usage", "The question is empty");
  if (!endsAsQuestion(text))
    throw new ParleyError("usage", `A question ends with a question mark: "${safeLine(text, { max: 60 })}?"`);
}

function readTimeout(timeout: string | undefined, policy: string | undefined): Pick<Body, "timeout"> {
  if (timeout === undefined && policy !== undefined) throw new ParleyError("usage", "--on-timeout needs --timeout");
  if (timeout === undefined) return {};
  const ms = timeSpan(timeout, "--timeout");
  if (policy === undefined || policy === "expire") return { timeout: { ms } };
  const choose = /^choose=(\d+)$/.exec(policy)?.[1];
  if (choose === undefined) throw new ParleyError("usage", `--on-timeout: expire or choose=N, not "${policy}"`);
  return { timeout: { ms, choose: optionNumber(choose, "--on-timeout") } };
}

export function optionNumber(text: string, option: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number - 1;
  throw new ParleyError("usage", `${option}: expected the number of an option, not "${text}"`);
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
