import { question, request } from "../e2e/api-request.ts";
import { ask as askHeld, type Asking } from "../e2e/cli-asker.ts";
import { holds, type Program } from "../e2e/program.ts";
import { payloadsOf, recording } from "../recorded.ts";
import { ALL, TEXTS } from "./corpus.ts";

/** Every place that a model, a script or a person can fill, filled with everything hostile; Asks in every state. */
export type Horrors = { ids: string[]; held: Asking; script: string };

const options = [1, 2].map((n) => ({ label: `L${n} ${ALL}`, description: `D ${ALL}`, preview: `P ${ALL}\n${ALL}` }));
export const HOSTILE_QUESTIONS = [
  { question: `Q ${ALL}?`, header: `H ${ALL}`, options },
  { question: `R ${ALL}?`, header: ALL, multiSelect: true, options },
];

export async function fill(program: Program): Promise<Horrors> {
  const held = await askHeld(program, HOSTILE_QUESTIONS, { said: `S ${ALL}\n${TEXTS.join("\n")}` });
  const taken = await askHeld(program, [{ ...HOSTILE_QUESTIONS[0], question: `T ${ALL}?` }], { said: ALL });
  const answers = [{ picks: [0], note: `N ${ALL.replaceAll("\0", "")}` }];
  await program.client().call("settleAsk", { id: taken.id, body: { action: "answer", answers } });
  await taken.takes();
  const overtaken = await askHeld(program, [{ ...HOSTILE_QUESTIONS[0], question: `O ${ALL}?` }]);
  await overtaken.picksInTerminal(ALL);
  const scripts = await Promise.all([create(program), create(program), create(program)]);
  const [open, declined, chat] = scripts;
  const surface = "s\u001b]0;PWNED\u0007\u202e";
  await program.client().call("settleAsk", { id: declined, body: { action: "decline", message: ALL, surface } });
  await program.client().call("settleAsk", { id: chat, body: { action: "chat", message: ALL, surface } });
  const approvals = await tools(program);
  const ids = [held.id, taken.id, overtaken.id, ...scripts, ...approvals];
  return { ids, held, script: open };
}

async function create(program: Program): Promise<string> {
  const origin = {
    agent: `agent ${ALL}`,
    project: `project ${ALL}`,
    branch: ALL,
    session: ALL,
    mode: ALL,
    cwd: `/w/${ALL}`,
    lastText: ALL,
    pane: { server: ALL, id: ALL },
    [ALL]: ALL,
  };
  const body = { questions: [{ ...question(), question: `A ${ALL}?`, context: ALL }], origin };
  const made = await request(program, "socket", "POST /api/asks", { token: program.tokens().agent, body });
  if (made.status !== 200) throw new Error(JSON.stringify(made.error));
  return String(made.body["id"]);
}

/** Permission prompts, a plan and a notice of a session whose every field is hostile. */
async function tools(program: Program): Promise<string[]> {
  const [real] = payloadsOf(recording("2.1.325", "single-select"), "PermissionRequest");
  const safe = ALL.replaceAll("\0", "");
  const session_id = `s ${safe}`;
  const inputs: Record<string, object> = {
    Bash: { command: `ls ${ALL}`, description: ALL },
    Edit: { file_path: ALL, old_string: ALL, new_string: `${ALL}!` },
    Write: { file_path: ALL, content: ALL },
    WebFetch: { url: ALL, prompt: ALL },
    ExitPlanMode: { plan: `# ${ALL}\n${ALL}` },
    [`mcp ${safe}`]: { [ALL]: ALL, list: [ALL] },
  };
  const rules = [{ toolName: ALL, ruleContent: ALL }];
  const permission_suggestions = [{ type: "addRules", behavior: "allow", destination: ALL, rules }];
  const facts = { ...real, session_id, cwd: `/x ${safe}`, prompt_id: "p", permission_suggestions, agent_type: safe };
  for (const [tool_name, tool_input] of Object.entries(inputs))
    await hook(program, { ...facts, hook_event_name: "PermissionRequest", tool_name, tool_input });
  await hook(program, {
    ...facts,
    session_id: "noticed",
    hook_event_name: "Notification",
    message: ALL,
    notification_type: safe,
  });
  let ids: string[] = [];
  await holds(async () => {
    const pages = await Promise.all(
      [session_id, "noticed"].map((session) => program.client().call("listAsks", { query: { session, state: "all" } })),
    );
    ids = pages.flatMap(({ asks }) => asks.map(({ id }) => id));
    return ids.length === Object.keys(inputs).length + 1;
  });
  return ids;
}

async function hook(program: Program, payload: object): Promise<void> {
  const facts = { tmux: `${ALL},1,2`, pane: "%1\u202e" };
  const body = { agent: "claude-code", call: crypto.randomUUID(), waits: false, facts, payload };
  const { status, error } = await request(program, "socket", "POST /hook/call", {
    token: program.tokens().agent,
    body,
  });
  if (status !== 200) throw new Error(JSON.stringify(error));
}
