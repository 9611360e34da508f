import { existsSync, readFileSync } from "node:fs";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import type { AgentDoctor } from "../capability/doctor.ts";
import { lookInstalled } from "../installed.ts";
import { extensionFor, install } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };

const SETUP = "parley setup pi";
const PI = { name: "pi", title: "pi", program: "pi" };

/** Says nothing where pi is neither installed nor set up. */
export const doctor: AgentDoctor = async ({ env, cwd, program }) => {
  const path = install.settingsPath({ env, cwd });
  const isSetUp = existsSync(path);
  const look = await lookInstalled({
    agent: PI,
    env,
    tried: conformance,
    install: "npm install -g @earendil-works/pi-coding-agent",
  });
  if (!look.installed && !isSetUp) return { findings: [], settings: [], isSetUp: false };
  return {
    findings: [look.finding, checkExtension(path, isSetUp, program)],
    settings: [],
    isSetUp,
    ...(look.installed && { installed: look.installed }),
  };
};

function checkExtension(path: string, isSetUp: boolean, program: string): Finding {
  if (!isSetUp) return note("extension", "pi does not ask through Parley: it has no extension", SETUP);
  const text = readFileSync(path, "utf8");
  if (text === extensionFor(program)) return ok("extension", `${path} connects pi to this Parley`);
  return problem("extension", `${path} belongs to another Parley or version`, SETUP);
}
