import type { AgentEnvironment } from "../capability/environment.ts";

export const environment: AgentEnvironment = {
  places: ["GEMINI_CLI_HOME"],
  marks: ["GEMINI_CLI", "GEMINI_SESSION_ID", "GEMINI_CLI_NO_RELAUNCH"],
  account: [/^(GEMINI|GOOGLE)_(?!CLI_HOME$)[A-Z_]+$/],
};
