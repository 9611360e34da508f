import { resolve } from "node:path";
import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { ADDRESS, type SandboxNetwork } from "../../../../core/task/sandbox.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { hang } from "../../../terminal/columns.ts";
import { counted } from "../../../../core/words/number.ts";
import { jsonLine } from "../../json.ts";
import { isAccount } from "../../../../agents/environments.ts";
import { defineCommand } from "../../command-line/define.ts";
import { sandboxWords } from "../../../../core/words/sandbox-words.ts";
import { stateWords } from "../../../../core/words/task-words.ts";
import { stateColour } from "../../../terminal/state-colour.ts";
import type { Terminal } from "../../../terminal/terminal.ts";

/** What an agent needs of a person's environment; nothing else is handed on, nor what says that it runs inside another one. */
const HANDED =
  /^(HOME|PATH|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TERM|XDG_.*|SSH_AUTH_SOCK|(NO|HTTPS?|ALL)_PROXY|(no|https?|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|GIT_.*)$/;

export const command = defineCommand({
  usage: ['"prompt" [options]', "- [options] < prompt.md"],
  about: "Gives an agent work to do unattended; when it asks, it waits for your answer.",
  options: {
    cwd: { value: "DIR", of: "file", description: "where it works (default: here)" },
    worktree: { description: "in its own git worktree, from the current commit" },
    sandbox: { description: "in a sandbox that sees its worktree and little else" },
    "no-sandbox": { description: "without one, whatever tasks.sandbox says" },
    network: { value: "N", description: "what a sandbox reaches: agent, none, host, HOST:PORT" },
    name: { value: "N", description: "what it is called in lists, and instead of its id" },
    follow: { description: "print what it does until it ends" },
    gate: { value: "CMD", description: "a command that must succeed before it is done" },
    budget: { value: "USD", description: "wait for you once it has cost this much" },
    review: { description: "wait for your review before it is done" },
    model: { value: "M", description: "which model it uses" },
    "permission-mode": { value: "M", description: "the agent's own permission mode" },
    priority: { value: "N", description: "higher starts first (default 0)" },
    agent: { value: "A", description: "which agent (default claude-code)" },
    hub: { description: "on a machine of your hub that allows it" },
    machine: { value: "NAME", description: "with --hub: which one" },
    project: { value: "NAME", description: "with --hub: in which of its projects" },
    json: {
      description: "as JSON; with --follow: its log, one object a line",
    },
  },
  positionals: { prompt: { optional: true } },
  needs: 'Give one prompt, in quotes: parley run "prompt"',
  notes: "With --follow: exit code 0 when it is done, 1 when it failed or was cancelled.",
  async run({ prompt: typed, ...values }, context) {
    const { terminal, client } = context;
    const { name, gate, model, agent, budget, priority } = values;
    if (values.hub || values.machine !== undefined || values.project !== undefined) {
      const { hub, machine, project, json, ...rest } = values;
      const { giveInHub } = await import("../hub/hub-task.ts");
      const others = Object.entries(rest).filter(([option, value]) => option !== "name" && isGiven(value));
      if (!hub) throw new ParleyError("usage", "--machine and --project are of a hub: add --hub");
      if (others.length > 0) throw new ParleyError("usage", OF_A_HUB);
      return giveInHub({ prompt: await promptIn(typed), machine, project, name, json }, context);
    }
    const order = {
      ...given({ name, gate, model, agent, permissionMode: values["permission-mode"] }),
      ...(values.worktree && { worktree: true }),
      ...(values.sandbox && { sandbox: true }),
      ...(values["no-sandbox"] && { sandbox: false }),
      ...(values.network !== undefined && { network: networkIn(values.network) }),
      ...(values.review && { review: true }),
      ...(budget !== undefined && { budgetUsd: amountIn("--budget", budget) }),
      ...(priority !== undefined && { priority: wholeIn("--priority", priority) }),
    };
    const prompt = await promptIn(typed);
    const cwd = resolve(terminal.cwd, values.cwd ?? ".");
    const task = await client.call("createTask", {
      body: { ...order, prompt, cwd, environment: handedOn(terminal.env) },
    });
    if (values.json && !values.follow) return (terminal.out(jsonLine(task)), 0);
    if (!values.json) terminal.out(started(task, terminal, values.follow));
    if (!values.follow) return 0;
    const { followTask } = await import("./task-logs.ts");
    return followTask(task.id, context, { json: values.json, full: false });
  },
});

/** How it is done is for the machine that does it. */
const OF_A_HUB = "With --hub: --machine, --project and --name; its machine's own settings say the rest";
const isGiven = (value: unknown): boolean => value !== undefined && value !== false;

function networkIn(text: string): SandboxNetwork {
  if (text === "agent" || text === "none" || text === "host") return text;
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !ADDRESS.test(name));
  if (wrong === undefined) return names;
  throw new ParleyError(
    "usage",
    `--network: expected agent, none, host, or addresses such as registry.npmjs.org:443, not "${wrong}"`,
  );
}

async function promptIn(word = ""): Promise<string> {
  const prompt = (word === "-" ? await Bun.stdin.text() : word).trim();
  if (prompt === "") throw new ParleyError("usage", 'Give one prompt: parley run "prompt"');
  return prompt;
}

/** Without what was not said. */
function given<T extends Record<string, string | undefined>>(options: T) {
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [K in keyof T]?: NonNullable<T[K]> };
}

function amountIn(option: string, text: string): number {
  const amount = Number(text);
  if (text.trim() !== "" && amount > 0 && amount < Infinity) return amount;
  throw new ParleyError("usage", `${option}: expected an amount in USD such as 2.50, not "${text}"`);
}

function wholeIn(option: string, text: string): number {
  if (/^-?\d{1,6}$/.test(text)) return Number(text);
  throw new ParleyError("usage", `${option}: expected a whole number, not "${text}"`);
}

function handedOn(env: Terminal["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      (HANDED.test(name) || isAccount(name)) && value !== undefined ? [[name, value]] : [],
    ),
  );
}

function started(task: TaskView, { style, width }: Terminal, follows: boolean): string {
  const id = shortId(task.id);
  const { workdir } = task;
  const left = workdir?.uncommitted ?? 0;
  const notes = [
    ...(task.order.sandbox ? [`in a sandbox: ${sandboxWords(task.order.sandbox)}`] : []),
    ...(workdir ? [`branch ${workdir.branch}`, `in ${safeLine(workdir.root)}`] : []),
    ...(left > 0 ? [`${counted(left, "file")} with uncommitted changes in your checkout: not included`] : []),
    ...(follows ? [] : [`parley tasks · parley task logs -f ${id}`]),
  ];
  const head = `${style.bold(id)}  ${stateColour(task, style)(stateWords(task))}  ${safeLine(task.order.name, { max: 80 })}`;
  return `${[head, ...notes.flatMap((note) => hang("  ", note, width, style.dim))].join("\n")}\n`;
}
