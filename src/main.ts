// Composition root: the name of a command leads to the one file that does it, loaded only then.
import type { Errand } from "./surfaces/cli/scan/scan-ahead.ts";
import type { Serve } from "./surfaces/cli/context.ts";

const [name = "", ...args] = process.argv.slice(2);
// First, and by itself: an agent waits for every millisecond of it.
if (name === "hook" && !["--help", "-h"].includes(args[0] ?? "")) {
  const { hook } = await import("./hook/hook.ts");
  await hook(args, process.env).catch(() => undefined);
  process.exit(0);
}
// Everything behind the dashes is the agent's.
if (name === "acp" && args[0] === "--" && args.length > 1) {
  const { acp } = await import("./acp/acp.ts");
  process.exit(await acp(args.slice(1), process.env));
}
if (name === "acp-task") {
  const { acpTask } = await import("./acp/task.ts");
  process.exit(await acpTask(args.slice(1)));
}
if (name === "task-run") {
  const { supervise } = await import("./runner/run/supervise.ts");
  await supervise(args[0] ?? "");
  process.exit(0);
}
if (name === "task-inside") {
  const { runInside } = await import("./runner/sandbox/inside.ts");
  process.exit(await runInside(args));
}
if (name === "scan-ahead" && !Bun.isMainThread) {
  // The second thread of a scan: nothing may be awaited here, or Bun tells it nothing.
  addEventListener("message", ({ data }: MessageEvent<Errand>) => void lookAheadFor(data));
} else {
  // Bun ends with 1 then, which is a person's No.
  if (name === "confirm") for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, fail);
  const { version } = await import("../package.json", { with: { type: "json" } });
  const serve: Serve = async (options) => (await import("./serve.ts")).serve({ ...options, env: process.env, version });
  const backups = () => import("./backups.ts");
  const hubs = () => import("./hubs.ts");
  const { run } = await import("./surfaces/cli/run.ts");
  process.exit(await run(name, args, version, { serve, backups, hubs }));
}

async function lookAheadFor(errand: Errand): Promise<void> {
  const { lookAhead } = await import("./surfaces/cli/scan/scan-ahead.ts");
  await lookAhead(errand);
}

function fail(error: unknown): never {
  process.stderr.write(`✗ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(70);
}
