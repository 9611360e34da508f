import type { Agent } from "../agent.ts";
import { headless } from "./headless.ts";
import { record } from "./record.ts";
import { remote } from "./remote.ts";

export const codex: Agent = {
  name: "codex",
  title: "codex",
  program: "codex",
  sessionIn: (env) => env["CODEX_THREAD_ID"] || undefined,
  record,
  remote,
  headless,
  install: async () => (await import("./install.ts")).install,
  doctor: async () => (await import("./doctor.ts")).doctor,
  lab: () => import("./lab/live.ts"),
};
