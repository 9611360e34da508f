import { homedir } from "node:os";
import { join } from "node:path";
import { realPath } from "../../machine/file/real-path.ts";
import type { SandboxNeeds } from "../capability/headless.ts";

/** What is a person's own in its folder and says how it works; the rest is what it remembers. */
const SETTINGS = [
  "settings.json",
  "CLAUDE.md",
  ".credentials.json",
  "agents",
  "commands",
  "skills",
  "output-styles",
  "plugins",
];
/** Where its models are, and where it signs in, unless the environment says otherwise. */
const HOSTS = ["api.anthropic.com:443", "console.anthropic.com:443", "platform.claude.com:443"];

/** Its own records and state lie in a folder of the task's own: it can write them, so nobody else's are beside them. */
export function sandbox(program: string, env: Readonly<Record<string, string>>): SandboxNeeds {
  const home = env["HOME"] || homedir();
  const folder = env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
  // With the variable it keeps its state in that folder; without, beside it.
  const state = env["CLAUDE_CONFIG_DIR"] ? join(folder, ".claude.json") : join(home, ".claude.json");
  return {
    read: installationOf(program, env),
    own: [{ path: folder, copies: { ".claude.json": state }, reads: SETTINGS }],
    reaches: hostsIn(env),
    // What it downloads for itself would not be there for the next run; `IS_SANDBOX` is its own word for where it runs.
    env: { CLAUDE_CONFIG_DIR: folder, DISABLE_AUTOUPDATER: "1", IS_SANDBOX: "1" },
  };
}

/** The program, what its links lead to, and the packages around it: a program of npm's has its parts beside it. */
function installationOf(program: string, env: Readonly<Record<string, string>>): string[] {
  const real = realPath(program) ?? program;
  const packages = real.lastIndexOf("/node_modules/");
  // A runtime lies in a folder with its parts: `<it>/bin/node`.
  const node = packages < 0 ? "" : (realPath(Bun.which("node", { PATH: env["PATH"] ?? "" }) ?? "") ?? "");
  const runtime = node.endsWith("/bin/node") ? node.slice(0, -"/bin/node".length) : "";
  return [
    program,
    real,
    ...(packages < 0 ? [] : [real.slice(0, packages + "/node_modules".length)]),
    ...(runtime === "" || runtime === "/usr" ? [] : [runtime]),
  ];
}

function hostsIn(env: Readonly<Record<string, string>>): string[] {
  const own = Object.entries(env).flatMap(([name, value]) =>
    /^ANTHROPIC_.*BASE_URL$/.test(name) ? addressOf(value) : [],
  );
  return own.length > 0 ? own : HOSTS;
}

function addressOf(text: string): string[] {
  const url = URL.parse(text);
  return url ? [`${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`] : [];
}
