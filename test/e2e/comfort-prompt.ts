import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { payloadsOf, recording } from "../recorded.ts";
import { holds, type Program } from "./program.ts";

const real = recording("2.1.325", "single-select");
const [dialog] = payloadsOf(real, "PermissionRequest");
type Prompt = {
  tool: string;
  input: object;
  suggestions?: unknown[];
  said?: string;
  env?: Record<string, string>;
  edits?: true;
};
type Decision = {
  behavior: string;
  message?: string;
  interrupt?: boolean;
  updatedPermissions?: unknown[];
  updatedInput?: unknown;
};
let calls = 0;

/** As Claude Code 2.1.325 suggests it with `touch` outside of the project. */
export const SUGGESTED = [
  { type: "addDirectories", directories: ["/home/dev"], destination: "session" },
  {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "npm test:*" }],
    behavior: "allow",
    destination: "localSettings",
  },
  { type: "setMode", mode: "acceptEdits", destination: "session" },
];
export const TOUCH: Prompt = {
  tool: "Bash",
  input: { command: "touch /home/dev/touched", description: "Makes a file" },
  suggestions: SUGGESTED,
};

/** A permission prompt of Claude Code on the line: its dialog is open, its one hook waits. */
export async function prompt(program: Program, { tool, input, suggestions, said, env = {}, edits }: Prompt = TOUCH) {
  const session = crypto.randomUUID();
  const key = `toolu_prompt${++calls}`;
  const transcript = join(program.user, ".claude/projects/project", `${session}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  const write = (type: "assistant" | "user", block: object, more: object = {}) => {
    const line = {
      type,
      message: { content: [block] },
      version: "2.1.325",
      timestamp: new Date().toISOString(),
      ...more,
    };
    appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  };
  if (said !== undefined) write("assistant", { type: "text", text: said });
  write("assistant", { type: "tool_use", id: key, name: tool, input });
  const facts = { session_id: session, transcript_path: transcript, cwd: program.user, prompt_id: key };
  const { permission_suggestions: _none, ...recorded }: Record<string, unknown> = dialog ?? {};
  const payload = {
    ...recorded,
    ...facts,
    tool_name: tool,
    tool_input: input,
    ...(suggestions && { permission_suggestions: suggestions }),
  };
  const words = edits ? ["claude-code", "PermissionRequest", "--edits"] : ["PermissionRequest"];
  const hook = program.spawn(["hook", ...words], { stdin: JSON.stringify(payload), env });
  const output = hook.stdout.text();
  const human = program.client();
  let id = "";
  const isHeld = await holds(async () => {
    const { asks } = await human.call("listAsks", { query: { session, state: "open" } });
    id = asks[0]?.id ?? "";
    return asks[0]?.reachable ?? false;
  });
  if (!isHeld) throw new Error(`the prompt is not on the line: ${JSON.stringify(payload)}`);
  const result = (text: string, isError: boolean, more: object = {}) =>
    write("user", { type: "tool_result", tool_use_id: key, content: text, is_error: isError }, more);
  return {
    id,
    session,
    key,
    transcript,
    output,
    result,
    /** Claude Code does what the hook printed, and writes it down. */
    async takes(): Promise<Decision> {
      const { decision } = (JSON.parse(await output) as { hookSpecificOutput: { decision: Decision } })
        .hookSpecificOutput;
      const permissionDecision = { decision: decision.behavior === "allow" ? "accept" : "reject", source: "hook" };
      if (decision.behavior === "allow") result("done", false, { permissionDecision });
      else if (decision.interrupt) result(ESCAPED, true);
      else result(decision.message ?? "", true, { permissionDecision });
      return decision;
    },
    async hangsUp(): Promise<void> {
      hook.kill("SIGKILL");
      await hook.exited;
    },
  };
}

/** A notice about a dialog that no hook can answer. */
export async function notice(
  program: Program,
  message: string,
  type = "elicitation_dialog",
  env: Record<string, string> = {},
) {
  const session = crypto.randomUUID();
  const payload = {
    session_id: session,
    cwd: program.user,
    hook_event_name: "Notification",
    message,
    notification_type: type,
  };
  await program.parley(["hook", "Notification"], { stdin: JSON.stringify(payload), env });
  const { asks } = await program.client().call("listAsks", { query: { session } });
  if (!asks[0]) throw new Error("the notice is not in the inbox");
  return { ...asks[0], payload };
}

const ESCAPED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
