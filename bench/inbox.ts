// `bun bench/inbox.ts [--compiled]`: what a person waits for in the inbox, through a real pseudo-terminal. One table; nothing is asserted.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../src/store/sqlite/open.ts";

const root = join(import.meta.dir, "..");
const bun = [process.execPath, "--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
const source = [...bun, join(root, "src/main.ts")];
const compiled = process.env["PARLEY_BIN"] ?? join(root, "dist/parley");
const KEYS = ["j", "j", "k", "J", "K", "j", " ", " ", "G", "g"];
const RUNS = Number(process.env["RUNS"] ?? 15);

console.log(
  `${new Date().toISOString().slice(0, 10)} · ${cpus()[0]?.model} × ${cpus().length} · Bun ${Bun.version} · load ${loadavg()[0]?.toFixed(1)}\n`,
);
console.log("| what | asks | median ms | p95 ms |\n|---|---|---|---|");
for (const asks of [10, 10_000]) await measure(asks);

async function measure(asks: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PARLEY_HOME: home,
    PARLEY_PORT: "0",
  };
  await fill(join(home, "parley.db"), asks);
  Bun.spawnSync([...source, "up"], { env });
  try {
    const ways: [string, string[]][] = [["from source", source]];
    if (process.argv.includes("--compiled")) ways.push(["compiled", [compiled]]);
    for (const [name, command] of ways) {
      const paints: number[] = [];
      const worked: number[] = [];
      for (let i = 0; i < RUNS + 2; i++) {
        const seen = await open(command, env);
        paints.push(seen.paintMs);
        worked.push(seen.cpuMs);
        await seen.close();
      }
      row(`first paint, ${name}`, asks, paints.slice(2));
      row(`its processor time until then`, asks, worked.slice(2));
    }
    const { press, close, pid, loaded } = await open(source, env);
    await loaded(asks);
    await Bun.sleep(500);
    const keys: number[] = [];
    for (let i = 0; i < 20; i++) for (const key of KEYS) keys.push(await press(key));
    row("key to screen", asks, keys);
    await press("/");
    const typed: number[] = [];
    for (const letter of "number 7") typed.push(await press(letter));
    row("a letter of the filter to screen", asks, typed);
    console.log(`| memory of the inbox | ${asks} | ${memoryOf(pid)} MB | |`);
    await close();
  } finally {
    Bun.spawnSync([...source, "down"], { env });
    rmSync(home, { recursive: true, force: true });
  }
}

/** The inbox on a terminal of its own. Times are from the outside: from the key to the end of the frame that answers it. */
async function open(command: string[], env: Record<string, string>) {
  const start = performance.now();
  const decoder = new TextDecoder();
  let text = "";
  let heard: () => void = () => undefined;
  const child = Bun.spawn(command, {
    env,
    terminal: {
      cols: 120,
      rows: 40,
      data(_, bytes) {
        text += decoder.decode(bytes, { stream: true });
        heard();
      },
    },
  });
  const until = (found: () => boolean) =>
    new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`it does not come:\n${text.slice(-2000)}`)), 60_000);
      heard = () => {
        if (!found()) return;
        clearTimeout(timer);
        resolve(performance.now());
      };
      heard();
    });
  const paintMs = (await until(() => text.includes("Question number 0:") && text.includes("\u001b[?2026l"))) - start;
  const cpuMs = cpuOf(child.pid);
  return {
    paintMs,
    cpuMs,
    pid: child.pid,
    loaded: (asks: number) => until(() => text.includes(`[Waiting ${asks}]`)),
    async press(key: string): Promise<number> {
      await Bun.sleep(20);
      text = "";
      const before = performance.now();
      child.terminal?.write(key);
      return (await until(() => text.includes("\u001b[?2026l"))) - before;
    },
    async close(): Promise<void> {
      child.terminal?.write("\u001bq\u0003\u0003");
      await Promise.race([child.exited, Bun.sleep(3000).then(() => child.kill())]);
    },
  };
}

async function fill(path: string, asks: number): Promise<void> {
  const store = openSqlite(path);
  const option = (label: string, recommended: boolean) => ({ label, description: `the ${label} one`, recommended });
  const [at, session] = [Date.now() - 3_600_000, "s"];
  const said = "I looked at the schema and at how it is deployed. ".repeat(10);
  await Promise.all(
    Array.from({ length: asks }, (_, i) =>
      store.append({
        at: at + i,
        ask: {
          id: `a${String(i).padStart(11, "0")}`,
          expected: 0,
          events: [
            {
              type: "ask.captured",
              kind: "question",
              questions: [
                {
                  text: `Question number ${i}: which of these shall it be?`,
                  header: "Pick",
                  multiSelect: false,
                  options: [option("First", true), option("Second", false), option("Third", false)],
                },
              ],
              origin: {
                agent: "script",
                session,
                project: `project-${i % 37}`,
                branch: "main",
                cwd: "/srv/x",
                lastText: said,
              },
              key: "fetch",
              channel: "fetch",
            },
          ],
        },
      }),
    ),
  );
  await store.close();
}

function row(name: string, asks: number, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  console.log(`| ${name} | ${asks} | ${at(0.5)} | ${at(0.95)} |`);
}

/** Of all its threads: what the first paint takes on a machine that does nothing else. */
function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return spent.reduce((sum, ns) => sum + Number(ns), 0) / 1e6;
}

function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024).toFixed(0);
}
