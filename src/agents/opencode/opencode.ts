import type { Agent } from "../agent.ts";
import { remote } from "./remote.ts";
import { service } from "./service/service.ts";
import { record } from "./session-record.ts";

export const opencode: Agent = {
  name: "opencode",
  title: "opencode",
  program: "opencode",
  otherPrograms: ["opencode2"],
  // It does not tell what it starts which session that is for.
  sessionIn: (env) => (env["OPENCODE"] === "1" ? "unknown" : undefined),
  record,
  remote,
  service,
  install: async () => (await import("./install.ts")).install,
  doctor: async () => (await import("./doctor.ts")).doctor,
  lab: () => import("./lab/live.ts"),
};
