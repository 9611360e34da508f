import { existsSync, readFileSync } from "node:fs";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import type { AgentDoctor } from "../capability/doctor.ts";
import { lookInstalled } from "../installed.ts";
import { holdIn, install, settingsFor } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };

const SETUP = "parley setup copilot";
const GET = "npm install -g @github/copilot";
const COPILOT = { name: "copilot", title: "Copilot CLI", program: "copilot" };

/** Says nothing where Copilot is neither installed nor set up. */
export const doctor: AgentDoctor = async ({ env, cwd, program }) => {
  const path = install.settingsPath({ env, cwd });
  const isSetUp = existsSync(path);
  const { finding, installed } = await lookInstalled({ agent: COPILOT, env, tried: conformance, install: GET });
  if (!installed && !isSetUp) return { findings: [], settings: [], isSetUp: false };
  return {
    findings: [finding, checkSetUp(path, isSetUp, program)],
    settings: isSetUp ? checkTerminal(env) : [],
    isSetUp,
    ...(installed && { installed }),
  };
};

function checkSetUp(path: string, isSetUp: boolean, program: string): Finding {
  if (!isSetUp) return note("Copilot CLI", "Copilot CLI does not ask through Parley", SETUP);
  const text = readFileSync(path, "utf8");
  const hold = holdIn(text);
  if (hold === undefined) return problem("Copilot CLI", `${path} is not Parley's`, "move it away, then set up again");
  if (text !== settingsFor(program, hold))
    return problem("Copilot CLI", `${path} belongs to another Parley or version`, `${SETUP}${hold ? " --hold" : ""}`);
  return ok("Copilot CLI", `${path}: Copilot CLI asks through this Parley${hold ? ", and waits for it" : ""}`);
}

/** Nothing but keys answers its dialogs, and keys need tmux. */
function checkTerminal(env: Record<string, string | undefined>): Finding[] {
  if (Bun.which("tmux", { PATH: env["PATH"] ?? "" }) !== null) return [];
  const words = "tmux is not installed: what Copilot CLI asks is seen, and answered only in its terminal";
  return [note("Copilot CLI", words, "install tmux and run copilot in it")];
}
