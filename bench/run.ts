// `npm run bench`: what a hook costs the agent, and what a person waits for. One table; nothing here is asserted.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const home = mkdtempSync(join(tmpdir(), "parley-bench-"));
const env = { ...process.env, PARLEY_HOME: home, PARLEY_PORT: "0" };
const bun = [process.execPath, "--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
const source = [...bun, join(root, "src/main.ts")];
const compiled = [join(root, "dist/parley")];
const empty = join(home, "empty.ts");
writeFileSync(empty, "");

const payload = JSON.stringify({
  session_id: "bench",
  cwd: root,
  hook_event_name: "Stop",
  stop_hook_active: false,
});

Bun.spawnSync([...source, "up"], { env });
try {
  const rows = [
    row("bun, an empty file (floor)", [...bun, empty]),
    row("parley hook Stop, from source", [...source, "hook", "Stop"]),
    row("the same through the launcher in PARLEY_HOME", [join(home, "bin/parley"), "hook", "Stop"]),
    row("parley ls, from source", [...source, "ls"]),
    ...((await Bun.file(compiled[0] ?? "").exists())
      ? [
          row("parley hook Stop, dist/parley", [...compiled, "hook", "Stop"]),
          row("parley ls, dist/parley", [...compiled, "ls"]),
        ]
      : []),
    row("curl --unix-socket, the same request", curl()),
  ];
  console.log(
    `${new Date().toISOString().slice(0, 10)} · ${cpus()[0]?.model} × ${cpus().length} · Bun ${Bun.version}\n`,
  );
  console.log("| what | median ms | p95 ms |\n|---|---|---|");
  for (const { name, median, p95 } of rows) console.log(`| ${name} | ${median.toFixed(1)} | ${p95.toFixed(1)} |`);
} finally {
  Bun.spawnSync([...source, "down"], { env });
  rmSync(home, { recursive: true, force: true });
}

function row(name: string, command: string[], runs = 60): { name: string; median: number; p95: number } {
  const times = Array.from({ length: runs + 5 }, () => {
    const start = performance.now();
    Bun.spawnSync(command, { env, stdin: Buffer.from(payload), stdout: "ignore", stderr: "ignore" });
    return performance.now() - start;
  })
    .slice(5)
    .toSorted((a, b) => a - b);
  return { name, median: times[Math.floor(runs / 2)] ?? 0, p95: times[Math.floor(runs * 0.95)] ?? 0 };
}

function curl(): string[] {
  const body = JSON.stringify({
    agent: "claude-code",
    call: "bench",
    waits: false,
    payload: JSON.parse(payload) as unknown,
    facts: {},
  });
  return ["curl", "-s", "--unix-socket", join(home, "daemon.sock"), "-d", body, "http://parley/hook/call"];
}
