import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A command hook that notes what it is sent, when, and by what it is ended, in `<dir>/trace.jsonl`.
 * `<dir>/<event>.json` says what it does: `{"hold": true}` waits, `{"output": …}` is printed as the reply.
 */
const [dir = "."] = process.argv.slice(2);
const payload = JSON.parse(await Bun.stdin.text()) as Record<string, unknown>;
const event = String(payload["hook_event_name"]);
const note = (entry: Record<string, unknown>) =>
  appendFileSync(
    join(dir, "trace.jsonl"),
    `${JSON.stringify({ at: Date.now(), pid: process.pid, event, ...entry })}\n`,
  );

note({ payload, toolUseOnDisk: toolUseOnDisk() });
for (const name of ["SIGTERM", "SIGINT", "SIGHUP", "SIGPIPE"] as const) {
  process.on(name, () => {
    note({ signal: name });
    process.exit(0);
  });
}

const orderFile = join(dir, `${event}.json`);
type Order = { hold?: boolean; output?: unknown };
const order = (): Order => (existsSync(orderFile) ? (JSON.parse(readFileSync(orderFile, "utf8")) as Order) : {});
const parent = process.ppid;
while (order().hold) {
  if (process.ppid !== parent) {
    note({ orphaned: true });
    process.exit(0);
  }
  await Bun.sleep(50);
}
const { output } = order();
if (output !== undefined) {
  note({ replied: true });
  await Bun.write(Bun.stdout, JSON.stringify(output));
}

function toolUseOnDisk(): boolean | undefined {
  const path = payload["transcript_path"];
  if (typeof path !== "string" || !event.startsWith("P")) return undefined;
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.some((line) => line.includes('"type":"assistant"') && line.includes('"type":"tool_use"'));
}
