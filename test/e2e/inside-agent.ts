// An agent as far as its processes go: says its session through a hook, as Claude Code does, then does what it is told,
// one JSON a line. Run as: bun inside-agent.ts <session> [hook=no]
import { createInterface } from "node:readline";
import { createClient } from "../../src/client/client.ts";
import { ParleyError } from "../../src/core/error.ts";
import { homeDir, pathsIn } from "../../src/machine/home.ts";
import type { EndpointName } from "../../src/protocol/contract.ts";

export type Order =
  /** A command with nothing left in its environment that names an agent or a task; `env` is added. `deep`: through so many shells. */
  | { run: string[]; env?: Record<string, string>; stdin?: string; deep?: number }
  /** The same through an agent that this one starts, which has no hooks. */
  | { nested: Order }
  /** The endpoint, from the agent's own process. */
  | { call: EndpointName; input: object };
export type Done = { code: number | string; out: string; err: string };

const [session = "", hooks = "hook=yes"] = process.argv.slice(2);
const marks = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session };
const { BUN, COMMAND } = await import("./program.ts");
const bare = Object.fromEntries(["PATH", "HOME", "LANG", "PARLEY_HOME"].map((name) => [name, process.env[name] ?? ""]));

/** Each waits for the next one; `$0` is this text. */
const THROUGH_SHELLS = `n=$1; shift; if [ "$n" -gt 0 ]; then sh -c "$0" "$0" $((n-1)) "$@"; exit $?; fi; "$@"; exit $?`;

async function ran(command: string[], env: Record<string, string>, stdin = ""): Promise<Done> {
  const child = Bun.spawn(command, { env, stdio: ["pipe", "pipe", "pipe"] });
  void child.stdin.write(stdin);
  void child.stdin.end();
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

async function done(order: Order): Promise<Done> {
  if ("nested" in order) {
    const command = [BUN, import.meta.path, `${session}-nested`, "hook=no"];
    const { out, err } = await ran(command, { ...bare, ...marks }, `${JSON.stringify(order.nested)}\n`);
    return out === "" ? { code: "no reply", out, err } : (JSON.parse(out) as Done);
  }
  if ("run" in order) {
    const shells = order.deep === undefined ? [] : ["sh", "-c", THROUGH_SHELLS, THROUGH_SHELLS, String(order.deep)];
    const env = { ...bare, PARLEY_PORT: "0", ...order.env };
    return ran([...shells, ...COMMAND, ...order.run], env, order.stdin);
  }
  try {
    const result = await createClient(pathsIn(homeDir(process.env))).call(order.call, order.input);
    return { code: 0, out: JSON.stringify(result), err: "" };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { code: error.code, out: "", err: error.message };
  }
}

if (import.meta.main) {
  const payload = { session_id: session, hook_event_name: "SessionStart", source: "startup", cwd: process.cwd() };
  if (hooks === "hook=yes")
    await ran([...COMMAND, "hook", "SessionStart"], { ...bare, ...marks, PARLEY_PORT: "0" }, JSON.stringify(payload));
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(await done(JSON.parse(line) as Order))}\n`);
}
