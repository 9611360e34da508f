import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ParleyError } from "../../core/error.ts";
import { shortId } from "../../core/id.ts";
import { jsonLine } from "./json.ts";
import type { Command } from "./run.ts";

const HELP = `Usage: parley run "prompt" [options]

Gives an agent a piece of work to do unattended. When it asks something, the
task waits, without a process after a minute, and goes on with your answer.

  --cwd DIR               where it works (default: here)
  --name N                what it is called in lists
  --model M               which model it uses
  --permission-mode M     the agent's own permission mode
  --priority N            higher ones are started first (default 0)
  --agent A               which agent (default claude-code)
  --json                  the task as one JSON object
`;
/** What an agent needs of a person's environment; nothing else is handed on. */
const HANDED =
  /^(HOME|PATH|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TERM|XDG_.*|SSH_AUTH_SOCK|(NO|HTTPS?|ALL)_PROXY|(no|https?|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|GIT_.*|ANTHROPIC_.*|CLAUDE_.*|DISABLE_.*|IS_SANDBOX|AWS_.*|GOOGLE_.*|CLOUD_ML_REGION|VERTEX_.*)$/;

export const runTask: Command = async (args, { terminal, client }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      cwd: { type: "string" },
      name: { type: "string" },
      model: { type: "string" },
      "permission-mode": { type: "string" },
      priority: { type: "string", default: "0" },
      agent: { type: "string", default: "claude-code" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const [prompt, ...rest] = positionals;
  if (!prompt || rest.length > 0) throw new ParleyError("usage", 'One prompt is needed: parley run "prompt"');
  const { env } = terminal;
  const environment = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (HANDED.test(name) && value !== undefined ? [[name, value]] : [])),
  );
  const task = await client.call("createTask", {
    body: {
      prompt,
      cwd: resolve(terminal.cwd, values.cwd ?? "."),
      agent: values.agent,
      priority: Number(values.priority),
      environment,
      ...(values.name !== undefined && { name: values.name }),
      ...(values.model !== undefined && { model: values.model }),
      ...(values["permission-mode"] !== undefined && { permissionMode: values["permission-mode"] }),
    },
  });
  terminal.out(values.json ? jsonLine(task) : `${shortId(task.id)}  ${task.state}  ${task.order.name}\n`);
  return 0;
};
