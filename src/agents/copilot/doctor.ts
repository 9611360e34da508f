import { existsSync, readFileSync } from "node:fs";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import type { AgentDoctor } from "../doctor.ts";
import { holdIn, install, settingsFor } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };
import { versionIn } from "./version.ts";

const SETUP = "parley setup copilot";
const LIVE = "parley doctor --live --agent copilot";
const GET = "npm install -g @github/copilot";
/** By the live check, newest first. */
const TESTED = conformance.filter(({ verified, terminal }) => verified && terminal).map(({ version }) => version);

/** Says nothing where Copilot is neither installed nor set up. */
export const doctor: AgentDoctor = async ({ env, cwd, program }) => {
  const path = install.settingsPath({ env, cwd });
  const isSetUp = existsSync(path);
  const found = Bun.which("copilot", { PATH: env["PATH"] ?? "" });
  if (found === null && !isSetUp) return { findings: [], settings: [], isSetUp: false };
  return {
    findings: [await checkVersion(found, env), checkSetUp(path, isSetUp, program)],
    settings: isSetUp ? checkTerminal(env) : [],
    isSetUp,
  };
};

async function checkVersion(found: string | null, env: Record<string, string | undefined>): Promise<Finding> {
  if (found === null) return note("Copilot CLI", "copilot is not on your PATH", GET);
  const child = Bun.spawn([found, "--version"], { env, stdio: ["ignore", "pipe", "ignore"], timeout: 10_000 });
  const version = versionIn(await child.stdout.text());
  if (version === undefined)
    return problem("Copilot CLI", `${found} does not report its version`, `see why: ${found} --version`);
  const name = `copilot ${version} (${found})`;
  if (TESTED.includes(version)) return ok("Copilot CLI", `${name}: tested`);
  if (conformance.some((each) => each.version === version))
    return problem("Copilot CLI", `${name} was tried and does not work with Parley`, GET);
  return note("Copilot CLI", `${name} was not tested; ${TESTED.join(", ")} were`, LIVE);
}

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
