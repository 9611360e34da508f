import type { Agent } from "../agent.ts";
import { handOver } from "../kept-answers.ts";
import { headless } from "./headless.ts";
import { readHook } from "./read-hook.ts";
import { record } from "./record.ts";
import { reply } from "./reply.ts";
import { screens } from "./screens/screens.ts";

export const qwen: Agent = {
  name: "qwen",
  title: "Qwen Code",
  program: "qwen",
  sessionIn: (env) => env["QWEN_CODE_SESSION_ID"] || (env["QWEN_CODE"] ? "unknown" : undefined),
  hooks: { read: readHook, reply, handOver, isTyped: true },
  record,
  headless,
  screens,
  install: async () => (await import("./install.ts")).install,
  doctor: async () => (await import("./doctor.ts")).doctor,
  lab: () => import("./lab/live.ts"),
};
