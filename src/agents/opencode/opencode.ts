import type { Agent } from "../agent.ts";
import { install } from "./install.ts";
import { remote } from "./remote.ts";
import { record } from "./session-record.ts";

export const opencode: Agent = {
  name: "opencode",
  title: "opencode",
  program: "opencode",
  // It does not tell what it starts which session that is for.
  sessionIn: (env) => (env["OPENCODE"] === "1" ? "unknown" : undefined),
  record,
  remote,
  install,
  doctor: async () => (await import("./doctor.ts")).doctor,
  lab: () => import("./lab/live.ts"),
};
