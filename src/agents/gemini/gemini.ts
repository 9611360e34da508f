import type { Agent } from "../agent.ts";
import { handOver } from "../kept-answers.ts";
import { readHook } from "./read-hook.ts";
import { record } from "./record.ts";
import { reply } from "./reply.ts";
import { screens } from "./screens/screens.ts";

export const gemini: Agent = {
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  sessionIn: (env) => (env["GEMINI_CLI"] ? (env["GEMINI_SESSION_ID"] ?? "unknown") : undefined),
  hooks: { read: readHook, reply, handOver, isTyped: true },
  record,
  screens,
  install: async () => (await import("./install.ts")).install,
  doctor: async () => (await import("./doctor.ts")).doctor,
  lab: () => import("./lab/live.ts"),
};
