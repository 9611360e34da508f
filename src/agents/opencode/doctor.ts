import { existsSync, readFileSync } from "node:fs";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import type { AgentDoctor } from "../doctor.ts";
import { install, pluginFor } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };
import { versionIn } from "./version.ts";

const SETUP = "parley setup opencode";
/** By the live check, newest first. */
const TESTED = conformance.filter(({ verified, terminal }) => verified && terminal).map(({ version }) => version);

/** Says nothing where opencode is neither installed nor set up. */
export const doctor: AgentDoctor = async ({ env, cwd, program }) => {
  const path = install.settingsPath({ env, cwd });
  const isSetUp = existsSync(path);
  const found = Bun.which("opencode", { PATH: env["PATH"] ?? "" });
  if (found === null && !isSetUp) return { findings: [], settings: [], isSetUp: false };
  return {
    findings: [await checkVersion(found, env), checkPlugin(path, isSetUp, program)],
    settings: checkFolder(path, isSetUp),
    isSetUp,
  };
};

async function checkVersion(found: string | null, env: Record<string, string | undefined>): Promise<Finding> {
  if (found === null) return note("opencode", "opencode is not on your PATH", "npm install -g opencode-ai");
  const child = Bun.spawn([found, "--version"], { env, stdio: ["ignore", "pipe", "ignore"], timeout: 10_000 });
  const version = versionIn(await child.stdout.text());
  if (version === undefined)
    return problem("opencode", `${found} does not report its version`, `see why: ${found} --version`);
  const name = `opencode ${version} (${found})`;
  if (TESTED.includes(version)) return ok("opencode", `${name}: tested`);
  if (!version.startsWith("1."))
    return problem("opencode", `${name}: Parley only knows 1.x`, "parley doctor --live --agent opencode");
  return note("opencode", `${name} was not tested; ${TESTED.join(", ")} were`, "parley doctor --live --agent opencode");
}

function checkPlugin(path: string, isSetUp: boolean, program: string): Finding {
  if (!isSetUp) return note("plugin", "opencode does not ask through Parley: it has no plugin", SETUP);
  const text = readFileSync(path, "utf8");
  if (text === pluginFor(program)) return ok("plugin", `${path} connects opencode to this Parley`);
  return problem("plugin", `${path} belongs to another Parley or version`, SETUP);
}

/** Seen in 1.18.33: with any plugin and without it a start without network takes 75 s with a blank screen, every time. */
function checkFolder(path: string, isSetUp: boolean): Finding[] {
  const needed = path.replace(/plugin\/parley\.js$/, "node_modules/@opencode-ai/plugin");
  if (!isSetUp || existsSync(needed)) return [];
  return [
    note("plugin", `opencode has not installed ${needed} yet: its next start needs the network`, "start opencode once"),
  ];
}
