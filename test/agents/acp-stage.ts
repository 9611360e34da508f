import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { claudeEnvironment, createClaudeHome } from "../../src/agents/claude-code/lab/home.ts";
import { codexEnvironment, createCodexHome } from "../../src/agents/codex/lab/home.ts";
import { createOpencodeHome, opencodeEnvironment } from "../../src/agents/opencode/lab/home.ts";
import { createScriptedModel, type Say } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { openEditor } from "../acp/editor.ts";
import { COMMAND, createProgram } from "../e2e/program.ts";
import { eventually } from "../patience.ts";
import { codexProgram } from "./codex-stage.ts";
import { opencodeProgram } from "./opencode-stage.ts";
import { programOf } from "./stage.ts";

const installed = join(import.meta.dir, "versions-acp/node_modules");
/** Bun: two of them want a newer Node than there is. */
const bun = join(import.meta.dir, "../../node_modules/.bin/bun");
const asked = {
  question: "Which database should I use?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "PostgreSQL", description: "Relational" },
    { label: "SQLite", description: "Embedded" },
  ],
};
const command = { command: "touch labfile.txt", description: "Create a file" };

type Place = { home: string; project: string; env: Record<string, string> };
/** `mode`: in which it asks. `alsoSetUp`: its name for `parley setup`. `isTold`: it says afterwards what it was answered. */
export type AcpAgent = {
  command: readonly string[];
  script: { bash: Say; ask?: Say };
  mode?: string;
  isTold: boolean;
  alsoSetUp?: string;
  place(modelUrl: string): Promise<Place>;
};

export const ACP_AGENTS: Record<string, AcpAgent> = {
  "opencode 1.18.33": {
    command: [opencodeProgram("1.18.33"), "acp"],
    script: { bash: { tool: "bash", id: "call_bash", input: command } },
    isTold: true,
    alsoSetUp: "opencode",
    async place(modelUrl) {
      const made = await createOpencodeHome({ version: "1.18.33", modelUrl });
      return { ...made, env: opencodeEnvironment(made.home) };
    },
  },
  "claude-agent-acp 0.99.1": {
    command: [bun, join(installed, "@agentclientprotocol/claude-agent-acp/dist/index.js")],
    script: {
      bash: { tool: "Bash", id: "call_bash", input: command },
      ask: { tool: "AskUserQuestion", id: "call_ask", input: { questions: [asked] } },
    },
    isTold: true,
    alsoSetUp: "claude-code",
    async place(modelUrl) {
      const made = await createClaudeHome();
      const env = { ...claudeEnvironment(made.home, modelUrl), CLAUDE_CODE_EXECUTABLE: programOf("2.1.325") };
      return { ...made, env };
    },
  },
  "qwen-code 0.24.4": {
    command: [
      bun,
      join(import.meta.dir, "versions-gemini/node_modules/qwen-0.24.4/cli-entry.js"),
      "--acp",
      "--approval-mode",
      "default",
    ],
    script: {
      bash: { tool: "run_shell_command", id: "call_bash", input: { ...command, is_background: false } },
      ask: { tool: "ask_user_question", id: "call_ask", input: { questions: [asked] } },
    },
    isTold: true,
    async place(modelUrl) {
      const made = await createClaudeHome();
      await mkdir(join(made.home, ".qwen"));
      const settings = { security: { auth: { selectedType: "openai" } }, privacy: { usageStatisticsEnabled: false } };
      await writeFile(join(made.home, ".qwen/settings.json"), JSON.stringify(settings));
      const model = { OPENAI_API_KEY: "dummy-local", OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: "scripted" };
      return { ...made, env: { ...opencodeEnvironment(made.home), ...model } };
    },
  },
  "codex-acp 2.6.0": {
    command: [bun, join(installed, "@agentclientprotocol/codex-acp/dist/index.js")],
    script: {
      bash: {
        tool: "exec_command",
        id: "call_bash",
        input: { cmd: command.command, sandbox_permissions: "require_escalated", justification: "to try it" },
      },
      ask: { tool: "request_user_input", id: "call_ask", input: { questions: [{ id: "database", ...asked }] } },
    },
    mode: "read-only",
    isTold: false,
    async place(modelUrl) {
      const made = await createCodexHome({ modelUrl });
      return { ...made, env: { ...codexEnvironment(made.home), CODEX_PATH: codexProgram("0.166.0") } };
    },
  },
};

const scriptOf = ({ script: { bash, ask } }: AcpAgent): Record<string, Say[]> => ({
  bash: [bash],
  ...(ask && { ask: [ask] }),
});

/** The real agent behind `parley acp`, a stand-in for the editor, and a Parley of its own. */
export async function openAcpStage(
  given: AcpAgent,
  { alsoSetUp = false, script = scriptOf(given) }: { alsoSetUp?: boolean; script?: Record<string, Say[]> } = {},
) {
  const { command: agent, mode, place } = given;
  const model = createScriptedModel({ script });
  const program = createProgram();
  await program.start();
  const at = await place(model.url);
  const env = { ...at.env, PARLEY_HOME: program.home, PARLEY_PORT: "0" };
  if (alsoSetUp) {
    const { code, err } = await program.parley(["setup", given.alsoSetUp ?? "", "--yes"], { env, cwd: at.project });
    if (code !== 0) throw new Error(err);
  }
  const editor = openEditor({ cwd: at.project, env, command: [...COMMAND, "acp", "--", ...agent] });
  const session = await editor.begin();
  if (mode !== undefined) await editor.called("session/set_mode", { sessionId: session, modeId: mode });
  return {
    ...editor,
    model,
    program,
    project: at.project,
    tell: (text: string) => editor.prompt(session, text),
    prompt: (scenario: string) => editor.prompt(session, `SCENARIO:${scenario}`),
    ask: (ready: (ask: AskView) => boolean) =>
      eventually(async () => {
        const { asks } = await program.client("human").call("listAsks", { query: { state: "all", limit: 500 } });
        const found = asks.find(ready);
        if (!found) throw new Error(JSON.stringify(asks));
        return found;
      }),
    async [Symbol.asyncDispose]() {
      await editor[Symbol.asyncDispose]();
      await program.dispose();
      await model[Symbol.asyncDispose]();
      await rm(at.home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
