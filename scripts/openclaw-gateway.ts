import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { poll } from "../src/lab/poll.ts";
import { signal, treeOf } from "../src/lab/process-tree.ts";

export const OPENCLAW = "2026.9.6";
/** The one its package asks for; on npm under this name without an install script. */
export const NODE = "24.21.0";
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const START_MS = 600_000;
/** Nobody listens there: whatever wants to leave this machine fails at once. */
const NOWHERE = "http://127.0.0.1:9";

export type Gateway = { url: string; readyMs: number; log: string; [Symbol.asyncDispose](): Promise<void> };
type Start = { installed: string; home: string; hookToken: string; modelUrl: string };

/** Some minutes and 700 MB from the registry. A folder that has both is left as it is. */
export async function installOpenClaw(folder: string): Promise<void> {
  if (existsSync(programIn(folder)) && existsSync(nodeIn(folder))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const packages = [`openclaw@${OPENCLAW}`, `${NODE_PACKAGE}@${NODE}`];
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--no-save"];
  const npm = Bun.spawn(["npm", "install", ...quiet, ...packages], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if ((await npm.exited) !== 0) throw new Error(`npm could not install ${packages.join(" and ")}`);
}

/** The real gateway on loopback, with a home of its own, a hook token and a scripted model; it may run commands. */
export async function startGateway({ installed, home, hookToken, modelUrl }: Start): Promise<Gateway> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(join(home, ".openclaw"), { recursive: true, mode: 0o700 });
  const settings = join(home, ".openclaw", "openclaw.json");
  writeFileSync(settings, JSON.stringify(settingsFor({ port, home, hookToken, modelUrl }), null, 2), { mode: 0o600 });
  const log = join(home, "gateway.log");
  const started = performance.now();
  const child = Bun.spawn([nodeIn(installed), programIn(installed), "gateway", "run", "--port", String(port)], {
    cwd: home,
    env: {
      HOME: home,
      TMPDIR: home,
      PATH: `${join(nodeIn(installed), "..")}:/usr/local/bin:/usr/bin:/bin`,
      LANG: "C.UTF-8",
      OPENCLAW_OFFLINE: "1",
      OPENCLAW_DISABLE_BONJOUR: "1",
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      NO_PROXY: "127.0.0.1,localhost",
    },
    stdio: ["ignore", Bun.file(log), Bun.file(log)],
  });
  const end = async () => {
    // Asked to end it would wait minutes for its runs.
    for (const { pid } of treeOf(child.pid)) signal(pid, "SIGKILL");
    await child.exited;
  };
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}, see ${log}`);
    const said = await Bun.file(log).text();
    return said.includes("[gateway] ready") ? true : undefined;
  };
  try {
    await poll(isReady, { timeoutMs: START_MS, everyMs: 200, failure: () => `the gateway is not ready, see ${log}` });
  } catch (error) {
    await end();
    throw error;
  }
  return { url, log, readyMs: performance.now() - started, [Symbol.asyncDispose]: end };
}

const nodeIn = (folder: string) => join(folder, "node_modules", NODE_PACKAGE, "bin", "node");
const programIn = (folder: string) => join(folder, "node_modules", "openclaw", "openclaw.mjs");

type Settings = { port: number; home: string; hookToken: string; modelUrl: string };
function settingsFor({ port, home, hookToken, modelUrl }: Settings) {
  const model = {
    id: "scripted",
    name: "Scripted",
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 120_000,
    maxTokens: 8192,
  };
  return {
    gateway: { mode: "local", bind: "loopback", port, auth: { mode: "token", token: crypto.randomUUID() } },
    hooks: {
      enabled: true,
      token: hookToken,
      path: "/hooks",
      allowedAgentIds: ["main"],
      allowRequestSessionKey: false,
    },
    agents: { defaults: { model: { primary: "local/scripted" }, workspace: join(home, "workspace") } },
    tools: { exec: { mode: "full", host: "gateway" } },
    models: {
      mode: "merge",
      providers: { local: { baseUrl: modelUrl, apiKey: "sk-local", api: "anthropic-messages", models: [model] } },
    },
  };
}

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}
