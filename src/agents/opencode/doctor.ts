import { existsSync, readFileSync } from "node:fs";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import type { AgentDoctor } from "../doctor.ts";
import { lookInstalled } from "../installed.ts";
import { install, pluginFor } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };

const SETUP = "parley setup opencode";
const OPENCODE = { name: "opencode", title: "opencode", program: "opencode" };

/** Says nothing where opencode is neither installed nor set up. */
export const doctor: AgentDoctor = async ({ env, cwd, program, mustAsk = [] }) => {
  const path = install.settingsPath({ env, cwd });
  const isSetUp = existsSync(path);
  const look = await lookInstalled({
    agent: OPENCODE,
    env,
    tried: conformance,
    install: "npm install -g opencode-ai",
    refuse: (version) => (version.startsWith("1.") ? undefined : "Parley only knows 1.x"),
  });
  if (!look.installed && !isSetUp) return { findings: [], settings: [], isSetUp: false };
  return {
    findings: [look.finding, checkPlugin(path, isSetUp, program), ...(isSetUp ? checkMustAsk(mustAsk) : [])],
    settings: checkFolder(path, isSetUp),
    isSetUp,
    ...(look.installed && { installed: look.installed }),
  };
};

function checkPlugin(path: string, isSetUp: boolean, program: string): Finding {
  if (!isSetUp) return note("plugin", "opencode does not ask through Parley: it has no plugin", SETUP);
  const text = readFileSync(path, "utf8");
  if (text === pluginFor(program)) return ok("plugin", `${path} connects opencode to this Parley`);
  return problem("plugin", `${path} belongs to another Parley or version`, SETUP);
}

/** A plugin hears of a call only when opencode asks about it. */
function checkMustAsk(patterns: readonly string[]): Finding[] {
  if (patterns.length === 0) return [];
  const words = "What approvals.must_ask names is asked about only where opencode's own permission settings ask";
  return [note("must-ask", words, 'say "ask" for it under "permission" in opencode.json')];
}

/** Seen in 1.18.33: with any plugin and without it a start without network takes 75 s with a blank screen, every time. */
function checkFolder(path: string, isSetUp: boolean): Finding[] {
  const needed = path.replace(/plugin\/parley\.js$/, "node_modules/@opencode-ai/plugin");
  if (!isSetUp || existsSync(needed)) return [];
  return [
    note("plugin", `opencode has not installed ${needed} yet: its next start needs the network`, "start opencode once"),
  ];
}
