import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { TaskView } from "../../../protocol/task.ts";
import { hang } from "../../terminal/columns.ts";
import { counted } from "../../../core/words/number.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";
import { stateWords } from "../../../core/words/task-words.ts";
import { stateColour } from "../../terminal/state-colour.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const HELP = `Usage: parley run "prompt" [options]        parley run - < prompt.md

Gives an agent a piece of work to do unattended. When it asks something, the
task waits, without a process after a minute, and goes on with your answer.

  --cwd DIR             where it works (default: here)
  --worktree            in a git worktree and on a branch of its own, begun at
                        the commit that is checked out; your checkout stays as
                        it is, and what is not committed stays behind
  --name N              what it is called in lists, and instead of its id
  --follow              print what it does until it is over
  --gate CMD            a command that must succeed before it is done
  --budget USD          it waits for you when it has cost this much
  --review              it waits for you before it is done
  --model M             which model it uses
  --permission-mode M   the agent's own permission mode
  --priority N          higher ones are started first (default 0)
  --agent A             which agent (default claude-code)
  --json                the task as one JSON object; with --follow instead each
                        entry of its log, one JSON object a line

With --follow: exit code 0 when it is done, 1 when it failed or was cancelled.
`;
/** What an agent needs of a person's environment; nothing else is handed on, nor what says that it runs inside another one. */
const HANDED =
  /^(HOME|PATH|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TERM|XDG_.*|SSH_AUTH_SOCK|(NO|HTTPS?|ALL)_PROXY|(no|https?|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|GIT_.*|ANTHROPIC_.*|CLAUDE_(?!CODE_(SESSION_ID|SSE_PORT|ENTRYPOINT)$).*|DISABLE_.*|IS_SANDBOX|AWS_.*|GOOGLE_.*|CLOUD_ML_REGION|VERTEX_.*)$/;

export const runTask: Command = async (args, context) => {
  const { terminal, client } = context;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      cwd: { type: "string" },
      worktree: { type: "boolean" },
      name: { type: "string" },
      follow: { type: "boolean" },
      gate: { type: "string" },
      budget: { type: "string" },
      review: { type: "boolean" },
      model: { type: "string" },
      "permission-mode": { type: "string" },
      priority: { type: "string" },
      agent: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const { worktree, review, name, gate, model, agent, budget, priority } = values;
  const order = {
    ...given({ worktree, review, name, gate, model, agent }),
    ...given({ permissionMode: values["permission-mode"] }),
    ...(budget !== undefined && { budgetUsd: amountIn("--budget", budget) }),
    ...(priority !== undefined && { priority: wholeIn("--priority", priority) }),
  };
  const prompt = await promptIn(positionals);
  const cwd = resolve(terminal.cwd, values.cwd ?? ".");
  const task = await client.call("createTask", {
    body: { ...order, prompt, cwd, environment: handedOn(terminal.env) },
  });
  if (values.json && !values.follow) return (terminal.out(jsonLine(task)), 0);
  if (!values.json) terminal.out(started(task, terminal, values.follow ?? false));
  if (!values.follow) return 0;
  const { followTask } = await import("./task-logs.ts");
  return followTask(task.id, context, { json: values.json ?? false, full: false });
};

async function promptIn(positionals: string[]): Promise<string> {
  const [word = "", ...rest] = positionals;
  if (rest.length > 0) throw new ParleyError("usage", 'One prompt is needed, in quotes: parley run "prompt"');
  const prompt = (word === "-" ? await Bun.stdin.text() : word).trim();
  if (prompt === "") throw new ParleyError("usage", 'One prompt is needed: parley run "prompt"');
  return prompt;
}

/** Without what was not said. */
function given<T extends Record<string, string | boolean | undefined>>(options: T) {
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [K in keyof T]?: NonNullable<T[K]> };
}

function amountIn(option: string, text: string): number {
  const amount = Number(text);
  if (text.trim() !== "" && amount > 0 && amount < Infinity) return amount;
  throw new ParleyError("usage", `${option}: an amount in USD such as 2.50 is needed, not "${text}"`);
}

function wholeIn(option: string, text: string): number {
  if (/^-?\d{1,6}$/.test(text)) return Number(text);
  throw new ParleyError("usage", `${option}: a whole number is needed, not "${text}"`);
}

function handedOn(env: Terminal["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (HANDED.test(name) && value !== undefined ? [[name, value]] : [])),
  );
}

function started(task: TaskView, { style, width }: Terminal, follows: boolean): string {
  const id = shortId(task.id);
  const { workdir } = task;
  const left = workdir?.uncommitted ?? 0;
  const notes = [
    ...(workdir ? [`branch ${workdir.branch}`, `in ${safeLine(workdir.root)}`] : []),
    ...(left > 0 ? [`${counted(left, "file")} with uncommitted changes in your checkout: not in it`] : []),
    ...(follows ? [] : [`parley tasks · parley task logs -f ${id}`]),
  ];
  const head = `${style.bold(id)}  ${stateColour(task, style)(stateWords(task))}  ${safeLine(task.order.name, { max: 80 })}`;
  return `${[head, ...notes.flatMap((note) => hang("  ", note, width, style.dim))].join("\n")}\n`;
}
