import type { AgentEnvironment } from "../capability/environment.ts";

export const environment: AgentEnvironment = {
  places: ["QWEN_HOME"],
  marks: [
    "QWEN_CODE",
    "QWEN_CODE_SESSION_ID",
    "QWEN_CODE_NO_RELAUNCH",
    "QWEN_CODE_LAUNCHER_PID",
    "QWEN_CODE_MESSAGING_SOCKET",
    "QWEN_CODE_MESSAGING_TOKEN",
  ],
  account: [/^(QWEN|DASHSCOPE)_(?!HOME$)[A-Z_]+$/, /^OPENAI_(API_KEY|BASE_URL|MODEL)$/],
};
