import type { Agent } from "../agent.ts";
import { headless } from "./headless.ts";
import { ran } from "./call/ran.ts";
import { readHook } from "./read-hook.ts";
import { record } from "./record.ts";
import { rehearsal } from "./rehearsal.ts";
import { handOver } from "../kept-answers.ts";
import { askFirst, reply } from "./reply.ts";
import { telling } from "./telling.ts";
import { screens } from "./screens/screens.ts";

export const claudeCode: Agent = {
  name: "claude-code",
  title: "Claude Code",
  program: "claude",
  sessionIn: (env) => (env["CLAUDECODE"] ? (env["CLAUDE_CODE_SESSION_ID"] ?? "unknown") : undefined),
  hooks: { read: readHook, reply, askFirst, ran, handOver, telling, rehearsal, isForContainers: true },
  record,
  headless,
  screens,
  install: async () => (await import("./set-up.ts")).install,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  lab: () => import("./lab/live.ts"),
};
