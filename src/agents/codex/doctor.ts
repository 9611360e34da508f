import { existsSync, readFileSync } from "node:fs";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import type { AgentDoctor } from "../capability/doctor.ts";
import { lookInstalled } from "../installed.ts";
import { install, settingsFor } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };
import { remote } from "./remote.ts";

const SETUP = "parley setup codex";
const CODEX = { name: "codex", title: "codex", program: "codex" };

/** Says nothing where codex is neither installed nor set up. */
export const doctor: AgentDoctor = async ({ env, cwd, program }) => {
  const path = install.settingsPath({ env, cwd });
  const isSetUp = existsSync(path);
  const look = await lookInstalled({ agent: CODEX, env, tried: conformance, install: "npm install -g @openai/codex" });
  if (!look.installed && !isSetUp) return { findings: [], settings: [], isSetUp: false };
  return {
    findings: [look.finding, checkSetUp(path, isSetUp, program)],
    settings: [...checkSocket(path, isSetUp), ...checkConfig(path)],
    isSetUp,
    ...(look.installed && { installed: look.installed }),
  };
};

function checkSetUp(path: string, isSetUp: boolean, program: string): Finding {
  if (!isSetUp) return note("codex", "codex does not ask through Parley: nobody listens at its socket", SETUP);
  if (readFileSync(path, "utf8") === settingsFor(program)) return ok("codex", `${path}: this Parley listens to codex`);
  return problem("codex", `${path} belongs to another Parley or version`, SETUP);
}

/** It is there while codex's daemon runs, which a terminal of codex starts. */
function checkSocket(path: string, isSetUp: boolean): Finding[] {
  const socket = remote.socket?.pathFor(path) ?? "";
  if (!isSetUp) return [];
  if (existsSync(socket)) return [ok("codex", `codex listens at ${socket}`)];
  return [note("codex", "codex does not run, so nothing of it is seen", "start codex")];
}

/** Without its daemon a terminal is alone with its questions. */
function checkConfig(path: string): Finding[] {
  const config = path.replace(/parley\.json$/, "config.toml");
  if (!existsSync(config) || !/^\s*daemon_auto_start\s*=\s*false\b/m.test(readFileSync(config, "utf8"))) return [];
  const words = `${config} turns daemon_auto_start off: what codex asks then stays in its terminal`;
  return [problem("codex", words, "take that line out")];
}
