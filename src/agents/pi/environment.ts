import type { AgentEnvironment } from "../capability/environment.ts";

export const environment: AgentEnvironment = {
  places: ["PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"],
  marks: ["PI_CODING_AGENT"],
  account: [/^PI_(?!CODING_AGENT$).*$/],
};
