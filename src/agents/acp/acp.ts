import type { Agent } from "../agent.ts";
import { remote } from "./remote.ts";

/** Any agent that speaks the Agent Client Protocol, behind `parley acp`. */
export const acp: Agent = {
  name: "acp",
  title: "ACP agent",
  program: "parley acp",
  // Which session that is for, the protocol does not tell what an agent starts.
  sessionIn: (env) => (env["PARLEY_ACP"] === undefined ? undefined : "unknown"),
  remote,
};
