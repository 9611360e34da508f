import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import type { AgentDoctor } from "../capability/doctor.ts";
import { lookInstalled } from "../installed.ts";
import { install, pluginFor } from "./install.ts";
import conformance from "./lab/conformance.json" with { type: "json" };
import { isIt, places, registered } from "./service/registration.ts";
import { isSecond } from "./version.ts";

const SETUP = "parley setup opencode";
const OPENCODE = { name: "opencode", title: "opencode", program: "opencode" };
const SECOND = { name: "opencode2", title: "opencode", program: "opencode2" };
const LOOK_MS = 5000;

/** Says nothing where opencode is neither installed nor set up. */
export const doctor: AgentDoctor = async ({ env, cwd, program, mustAsk = [] }) => {
  const path = install.settingsPath({ env, cwd });
  const isSetUp = existsSync(path);
  const looked = await Promise.all([look(OPENCODE, env), look(SECOND, env)]);
  const found = looked.filter(({ installed }) => installed !== undefined);
  const [first = looked[0]] = found;
  if (!first.installed && !isSetUp) return { findings: [], settings: [], isSetUp: false };
  const versions = found.map(({ installed }) => installed?.version ?? "");
  const hasSecond = versions.some(isSecond);
  const hasFirst = found.length === 0 || versions.some((version) => !isSecond(version));
  return {
    findings: [
      ...(found.length > 0 ? found : [first]).map(({ finding }) => finding),
      checkPlugin(path, isSetUp, program),
      ...(hasSecond && isSetUp ? await checkService(path, env) : []),
      ...(isSetUp ? checkMustAsk(mustAsk) : []),
    ],
    settings: hasFirst ? checkFolder(path, isSetUp) : [],
    isSetUp,
    ...(first.installed && { installed: first.installed }),
    also: found.slice(1).flatMap(({ installed }) => installed ?? []),
  };
};

const look = (agent: typeof OPENCODE, env: Record<string, string | undefined>) =>
  lookInstalled({
    agent,
    env,
    tried: conformance,
    install: "npm install -g opencode-ai",
    refuse: (version) =>
      version.startsWith("1.") || isSecond(version) ? undefined : "Parley only knows 1.x and opencode 2",
  });

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

/** opencode 2 needs no plugin: while that file is there, Parley is a client of its service. */
async function checkService(path: string, env: Record<string, string | undefined>): Promise<Finding[]> {
  const found = places(path, env).flatMap(({ folder }) =>
    namesIn(folder).flatMap(
      (name) => registered(name, textOf(join(folder, name)), (other) => textOf(join(folder, other))) ?? [],
    ),
  );
  if (found.length === 0)
    return [note("service", "opencode 2 has no service running; it starts with its first terminal")];
  return Promise.all(
    found.map(async (at) => {
      const headers = { authorization: `Basic ${btoa(`opencode:${at.password ?? ""}`)}` };
      const body = await fetch(`${at.url}/api/health`, { headers, signal: AbortSignal.timeout(LOOK_MS) })
        .then((response): Promise<unknown> => response.json())
        .catch(() => undefined);
      const it = `the service of opencode ${at.version} at ${at.url}`;
      return isIt(body, at)
        ? ok("service", `${it} answers`)
        : note("service", `${it} does not answer: it may have ended`);
    }),
  );
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Seen in 1.18.33: with any plugin and without it a start without network takes 75 s with a blank screen, every time. */
function checkFolder(path: string, isSetUp: boolean): Finding[] {
  const needed = path.replace(/plugin\/parley\.js$/, "node_modules/@opencode-ai/plugin");
  if (!isSetUp || existsSync(needed)) return [];
  return [
    note("plugin", `opencode has not installed ${needed} yet: its next start needs the network`, "start opencode once"),
  ];
}
