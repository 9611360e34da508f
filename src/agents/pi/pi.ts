import type { Agent } from "../agent.ts";
import { record } from "./record.ts";
import { remote } from "./remote.ts";

export const pi: Agent = {
  name: "pi",
  title: "pi",
  program: "pi",
  // It does not tell what it starts which session that is for.
  sessionIn: (env) => (env["PI_CODING_AGENT"] === "true" ? "unknown" : undefined),
  record,
  remote,
  install: async () => (await import("./install.ts")).install,
  doctor: async () => (await import("./doctor.ts")).doctor,
  lab: () => import("./lab/live.ts"),
};
