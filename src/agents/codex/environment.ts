import type { AgentEnvironment } from "../capability/environment.ts";

export const environment: AgentEnvironment = {
  places: ["CODEX_HOME"],
  marks: ["CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_TOOL_CALL_ID", "CODEX_CI"],
  account: [/^CODEX_(?!HOME$)[A-Z_]+$/, /^OPENAI_(API_KEY|BASE_URL|ORGANIZATION|PROJECT)$/],
};
