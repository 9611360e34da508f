import type { Agent } from "../agent.ts";
import { readHook } from "./read-hook.ts";
import { record } from "./record.ts";
import { handOver, reply, typed } from "./reply.ts";
import { screens } from "./screens/screens.ts";

export const copilot: Agent = {
  name: "copilot",
  title: "Copilot CLI",
  program: "copilot",
  sessionIn: (env) => (env["COPILOT_CLI"] ? env["COPILOT_AGENT_SESSION_ID"] || "unknown" : undefined),
  hooks: { read: readHook, reply, handOver },
  record,
  screens,
  typed,
  install: async () => (await import("./install.ts")).install,
  doctor: async () => (await import("./doctor.ts")).doctor,
  lab: () => import("./lab/live.ts"),
};
