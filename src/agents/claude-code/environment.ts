import type { AgentEnvironment } from "../capability/environment.ts";

export const environment: AgentEnvironment = {
  places: ["CLAUDE_CONFIG_DIR"],
  marks: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_ENTRYPOINT"],
  account: [/^(ANTHROPIC|CLAUDE|DISABLE|AWS|GOOGLE|VERTEX)_.*$/, /^(IS_SANDBOX|CLOUD_ML_REGION)$/],
};
