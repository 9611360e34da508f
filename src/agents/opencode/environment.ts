import type { AgentEnvironment } from "../capability/environment.ts";

export const environment: AgentEnvironment = {
  places: ["OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"],
  marks: ["OPENCODE", "OPENCODE_PID", "AGENT"],
  account: [/^OPENCODE_(?!PID$).*$/],
};
