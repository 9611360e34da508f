import { existsSync, readFileSync } from "node:fs";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import type { AgentDoctor } from "../doctor.ts";
import { install, settingsFor } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };
import { remote } from "./remote.ts";
import { versionIn } from "./version.ts";

const SETUP = "parley setup codex";
const LIVE = "parley doctor --live --agent codex";
/** By the live check, newest first. */
const TESTED = conformance.filter(({ verified, terminal }) => verified && terminal).map(({ version }) => version);

/** Says nothing where codex is neither installed nor set up. */
export const doctor: AgentDoctor = async ({ env, cwd, program }) => {
  const path = install.settingsPath({ env, cwd });
  const isSetUp = existsSync(path);
  const found = Bun.which("codex", { PATH: env["PATH"] ?? "" });
  if (found === null && !isSetUp) return { findings: [], settings: [], isSetUp: false };
  return {
    findings: [await checkVersion(found, env), checkSetUp(path, isSetUp, program)],
    settings: [...checkSocket(path, isSetUp), ...checkConfig(path)],
    isSetUp,
  };
};

async function checkVersion(found: string | null, env: Record<string, string | undefined>): Promise<Finding> {
  if (found === null) return note("codex", "codex is not on your PATH", "npm install -g @openai/codex");
  const child = Bun.spawn([found, "--version"], { env, stdio: ["ignore", "pipe", "ignore"], timeout: 10_000 });
  const version = versionIn(await child.stdout.text());
  if (version === undefined)
    return problem("codex", `${found} does not report its version`, `see why: ${found} --version`);
  const name = `codex ${version} (${found})`;
  if (TESTED.includes(version)) return ok("codex", `${name}: tested`);
  if (conformance.some((each) => each.version === version))
    return problem("codex", `${name} was tried and does not work with Parley`, "npm install -g @openai/codex");
  return note("codex", `${name} was not tested; ${TESTED.join(", ")} were`, LIVE);
}

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
