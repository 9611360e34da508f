// A daemon of its own for one measurement: its home, its processes, and their end.
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Paths, pathsIn, readRegistration } from "../src/machine/home.ts";
import { type Address, type Line, openLine, openLinePatiently } from "./line.ts";

export const ROOT = join(import.meta.dir, "..");
export const BUN = [
  process.execPath,
  "--no-env-file",
  "--config=/dev/null",
  "--tsconfig-override=/dev/null",
  "--no-install",
];
export const SOURCE = [...BUN, join(ROOT, "src/main.ts")];
export const COMPILED = join(ROOT, "dist/parley");
/** As the npm package has it. */
export const INSTALLED = [...BUN, join(ROOT, "dist/program/main.js")];

/** Puts the program together as `npm pack` does. */
export function buildInstalled(): void {
  Bun.spawnSync([process.execPath, join(ROOT, "scripts/build-program.ts")], { stdout: "ignore", stderr: "inherit" });
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** `command` is the program whose daemon runs. Started by hand with `start`, so that starting can be measured too. */
export async function openStage(command: readonly string[] = SOURCE) {
  const root = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const paths: Paths = pathsIn(join(root, "home"));
  mkdirSync(paths.home, { mode: 0o700 });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    LANG: "C.UTF-8",
    PARLEY_HOME: paths.home,
    PARLEY_PORT: "0",
    PARLEY_CONFIG: "/dev/null",
  };
  const address: Address = { unix: paths.socket };
  let daemon: Bun.Subprocess | undefined;

  /** Resolves when the daemon answers. */
  async function start(): Promise<void> {
    const child = Bun.spawn([...command, "serve", "--detached"], {
      cwd: root,
      env,
      stdio: ["ignore", "ignore", Bun.file(paths.log)],
    });
    daemon = child;
    while (!(await answers(address))) {
      if (child.exitCode !== null) throw new Error(`the daemon did not start: ${readFileSync(paths.log, "utf8")}`);
      await Bun.sleep(2);
    }
  }

  async function stop(): Promise<void> {
    daemon?.kill("SIGTERM");
    await daemon?.exited;
    daemon = undefined;
  }

  return {
    root,
    paths,
    env,
    address,
    start,
    stop,
    open: (): Promise<Line> => openLinePatiently(address),
    tokens: () => readRegistration(paths)?.tokens ?? { agent: "", human: "" },
    port: () => readRegistration(paths)?.port ?? 0,
    pid: () => daemon?.pid ?? 0,
    async dispose(): Promise<void> {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function answers(address: Address): Promise<boolean> {
  try {
    const line = await openLine(address);
    const { status } = await line.send("GET", "/health", "");
    line.close();
    return status === 200;
  } catch {
    return false;
  }
}

/** Memory a process really occupies, in KB. */
export function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
}

/** Time its main thread has spent on the processor, in ms: what a busy machine adds to a wait is not in it. */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

/** Time a process has spent on the processor, in ms. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The first line of what a process says. */
export async function lineOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const bytes of stream) {
    text += Buffer.from(bytes).toString();
    if (text.includes("\n")) break;
  }
  return text.trim().split("\n")[0] ?? "";
}
