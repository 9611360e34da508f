import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { headless } from "./headless.ts";
import { planInstall, settingsPath } from "./install.ts";
import { configIn, owners } from "./owners.ts";
import { QUESTION_TOOL } from "./payload.ts";
import { readHook } from "./read-hook.ts";
import { handOver, reply } from "./reply.ts";
import { screens } from "./screens/screens.ts";
import { COMMAND_MARK, readLine, versionIn } from "./transcript.ts";

export const claudeCode: Agent = {
  name: "claude-code",
  title: "Claude Code",
  sessionIn: (env) => (env["CLAUDECODE"] ? (env["CLAUDE_CODE_SESSION_ID"] ?? "unknown") : undefined),
  install: { program: "claude", settingsPath, plan: planInstall },
  headless,
  screens,
  readHook,
  reply,
  handOver,
  recordPath: (transcript, subagent) =>
    subagent === undefined ? transcript : transcript.replace(/\.jsonl$/, () => `/subagents/agent-${subagent}.jsonl`),
  recordsIn: ({ cwd, env }) => join(configIn(env), "projects", cwd.replaceAll(/[^a-zA-Z0-9]/g, "-")),
  owners,
  questionMarks: [QUESTION_TOOL, '"answers":{'],
  commandMark: COMMAND_MARK,
  readLine,
  versionIn,
};
