import type { AgentEnvironment } from "../capability/environment.ts";

export const environment: AgentEnvironment = {
  places: ["COPILOT_HOME"],
  marks: ["COPILOT_CLI", "COPILOT_PROJECT_DIR", "COPILOT_AGENT_SESSION_ID", "COPILOT_LOADER_PID"],
  account: [/^COPILOT_(?!HOME$)[A-Z_]+$/, /^(?:GH|GITHUB)_TOKEN$/],
};
