import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, median, ms, type Part, percentile, type Row } from "./row.ts";
import { BUN, buildInstalled, COMPILED, INSTALLED, openStage, ROOT, SOURCE, type Stage } from "./stage.ts";

const RUNS = 60;
const WARM_UP = 5;
const LS_LIMIT_MS = 60;
/** Of the program that people have. */
const INSTALLED_LS_LIMIT_MS = 15;
const HOOK_LIMIT_MS = 15;
const PAYLOAD = { session_id: "bench", cwd: "/tmp", hook_event_name: "Stop", stop_hook_active: false };

/** What `parley hook` does when all goes well, in the plainest Node: read, send, print. */
const NODE_HOOK = `
const http = require("node:http"), fs = require("node:fs");
const [socketPath, home] = process.argv.slice(2);
const { tokens } = JSON.parse(fs.readFileSync(home + "/daemon.json", "utf8"));
const payload = JSON.parse(fs.readFileSync(0, "utf8"));
const body = JSON.stringify({ agent: "claude-code", call: crypto.randomUUID(), waits: false, payload, facts: { pid: process.ppid } });
const headers = { authorization: "Bearer " + tokens.agent, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
const request = http.request({ socketPath, path: "/hook/call", method: "POST", headers, agent: false }, (response) => {
  let text = "";
  response.on("data", (chunk) => (text += chunk)).on("end", () => {
    const { output } = JSON.parse(text);
    if (output !== undefined) fs.writeSync(1, JSON.stringify(output));
  });
});
request.end(body);
`;

export const commands: Part = {
  name: "commands",
  about: "what a hook costs an agent, and a command a person",
  notes: [
    `Commands: wall time of a process from start to end, ${RUNS} runs after ${WARM_UP}, taken in turns. The hook is the one at the end of a turn, as the agent calls it; \`curl\` sends the same request and reads nothing.`,
  ],
  async run(say) {
    say("building");
    buildInstalled();
    Bun.spawnSync([process.execPath, join(ROOT, "scripts/build.ts")], { stdout: "ignore", stderr: "inherit" });
    const stage = await openStage();
    try {
      await stage.start();
      await askOne(stage);
      const times = inTurns(contenders(stage), stage, say);
      const of = (name: string) => times.get(name) ?? [];
      const shown = (name: string) => `${ms(median(of(name)))} / ${ms(percentile(of(name), 0.95))}`;
      const peers = (...names: string[]) => names.map((name) => `${name}: ${shown(name)}`).join(" · ");
      const row = (what: string, name: string, limit: number, beside: string): Row => ({
        what: `${what} (p50 / p95)`,
        measured: shown(name),
        beside,
        aim: `≤ ${limit} ms`,
        ...atMost(median(of(name)), limit),
      });
      return [
        row("`parley hook`, from source", "hook", HOOK_LIMIT_MS, peers("Node 20", "curl", "empty Bun")),
        row("`parley hook`, through the launcher", "launcher", HOOK_LIMIT_MS, peers("curl")),
        row("`parley ls`, from source", "ls", LS_LIMIT_MS, peers("empty Bun")),
        row("`parley hook`, as installed by npm", "installed hook", HOOK_LIMIT_MS, peers("curl")),
        row("`parley ls`, as installed by npm", "installed ls", INSTALLED_LS_LIMIT_MS, peers("empty Bun")),
        ...(times.has("compiled ls")
          ? [
              row("`parley hook`, compiled", "compiled hook", HOOK_LIMIT_MS, peers("curl")),
              row("`parley ls`, compiled", "compiled ls", INSTALLED_LS_LIMIT_MS, peers("empty Bun")),
            ]
          : []),
      ];
    } finally {
      await stage.dispose();
    }
  },
};

function contenders({ root, paths, tokens }: Stage): Map<string, string[]> {
  const [empty, nodeHook] = [join(root, "empty.ts"), join(root, "hook.cjs")];
  writeFileSync(empty, "");
  writeFileSync(nodeHook, NODE_HOOK);
  const call = JSON.stringify({ agent: "claude-code", call: "bench", waits: false, payload: PAYLOAD, facts: {} });
  const headers = ["-H", `authorization: Bearer ${tokens().agent}`, "-H", "content-type: application/json"];
  const node = Bun.which("node") ?? "node";
  return new Map([
    ["empty Bun", [...BUN, empty]],
    ["hook", [...SOURCE, "hook", "Stop"]],
    ["launcher", [paths.program, "hook", "Stop"]],
    ["Node 20", [node, nodeHook, paths.socket, paths.home]],
    ["curl", ["curl", "-sf", "--unix-socket", paths.socket, ...headers, "-d", call, "http://parley/hook/call"]],
    ["ls", [...SOURCE, "ls"]],
    ["installed hook", [...INSTALLED, "hook", "Stop"]],
    ["installed ls", [...INSTALLED, "ls"]],
    ...(existsSync(COMPILED)
      ? ([
          ["compiled hook", [COMPILED, "hook", "Stop"]],
          ["compiled ls", [COMPILED, "ls"]],
        ] as [string, string[]][])
      : []),
  ]);
}

/** One after the other, round by round: what else the machine does falls on all alike. */
export function inTurns(
  commandsOf: Map<string, string[]>,
  { env }: Stage,
  say: (progress: string) => void,
  inputOf: (name: string) => string = () => JSON.stringify(PAYLOAD),
) {
  const times = new Map([...commandsOf.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < RUNS + WARM_UP; round++) {
    if (round % 20 === 0) say(`round ${round} of ${RUNS + WARM_UP}`);
    for (const [name, command] of commandsOf) {
      const since = performance.now();
      const { exitCode, stderr } = Bun.spawnSync(command, {
        env,
        stdin: Buffer.from(inputOf(name)),
        stdout: "ignore",
        stderr: "pipe",
      });
      if (exitCode !== 0) throw new Error(`${name}: exit code ${exitCode}\n${stderr.toString()}`);
      if (round >= WARM_UP) times.get(name)?.push(performance.now() - since);
    }
  }
  return times;
}

async function askOne({ open, tokens }: Stage): Promise<void> {
  const line = await open();
  const options = ["SQLite", "PostgreSQL"].map((label) => ({ label, description: "A database" }));
  const questions = [{ question: "Which database?", header: "Store", multiSelect: false, options }];
  await line.send("POST", "/api/asks", tokens().agent, JSON.stringify({ questions }));
  line.close();
}
