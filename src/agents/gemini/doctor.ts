import type { AgentDoctor } from "../capability/doctor.ts";
import { kinDoctor } from "../gemini-kin/kin-doctor.ts";
import { hooksFor, install, PARLEY_COMMAND } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };
import { versionIn } from "../gemini-kin/version.ts";

export const doctor: AgentDoctor = kinDoctor({
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  npm: "@google/gemini-cli",
  versionIn,
  conformance,
  install,
  isOurs: PARLEY_COMMAND,
  hooksFor,
  isOff: (settings) =>
    settings["hooksConfig"] !== undefined && (settings["hooksConfig"] as { enabled?: unknown }).enabled === false
      ? "hooksConfig.enabled is false"
      : undefined,
});
