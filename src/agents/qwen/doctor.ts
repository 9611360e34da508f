import type { AgentDoctor } from "../capability/doctor.ts";
import { kinDoctor } from "../gemini-kin/kin-doctor.ts";
import { versionIn } from "../gemini-kin/version.ts";
import { hooksFor, install, PARLEY_COMMAND } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };

export const doctor: AgentDoctor = kinDoctor({
  name: "qwen",
  title: "Qwen Code",
  program: "qwen",
  npm: "@qwen-code/qwen-code",
  versionIn,
  conformance,
  install,
  isOurs: PARLEY_COMMAND,
  hooksFor,
  isOff: (settings) => (settings["disableAllHooks"] === true ? "disableAllHooks is true" : undefined),
});
