// `npm run soak -- suite [--runs N] [--stress N]`: the whole suite again and again, alone or beside N busy processes
// (stress-ng); each run is a row in docs/reliability.md.
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dir, "../..");
const PAGE = join(root, "docs/reliability.md");
const END = "<!-- /suite runs -->";
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { runs: { type: "string", default: "1" }, stress: { type: "string", default: "0" } },
});
const stress = Number(values.stress);
if (stress > 0 && !Bun.which("stress-ng")) {
  console.error("--stress needs stress-ng (apt-get install stress-ng).");
  process.exit(2);
}
let bad = 0;
for (let run = 0; run < Number(values.runs); run++) {
  const row = await once();
  append(row.join(" | "));
  console.log(`| ${row.join(" | ")} |`);
}
process.exit(bad > 0 ? 1 : 0);

async function once(): Promise<string[]> {
  const commit = Bun.spawnSync(["git", "rev-parse", "--short", "HEAD"], { cwd: root }).stdout.toString().trim();
  const beside = stress > 0 ? Bun.spawn(["stress-ng", "--cpu", String(stress), "--quiet"]) : undefined;
  const started = performance.now();
  const loads: number[] = [];
  const look = setInterval(() => loads.push(loadavg()[0] ?? 0), 15_000);
  const child = Bun.spawn(["npm", "test", "--silent"], {
    cwd: root,
    env: { ...process.env, CI: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), shown(child.stderr), child.exited]);
  clearInterval(look);
  beside?.kill();
  await beside?.exited;
  const said = out.trim().split("\n").at(-1) ?? "";
  const failures = [...err.matchAll(/^ {2}\S.*?: .*?(\[[A-Z]{1,2}\d+\]|\(ended .*?\))/gm)].map(([, id = ""]) => id);
  if (code !== 0) {
    bad++;
    writeFileSync(join(root, `suite-failed-${bad}.log`), err);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  const mean = loads.reduce((a, b) => a + b, 0) / Math.max(1, loads.length);
  return [
    new Date().toISOString().slice(0, 10),
    commit,
    stress > 0 ? `stress-ng --cpu ${stress}` : "nothing",
    mean.toFixed(1),
    `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`,
    said,
    failures.join(" ") || (code === 0 ? "none" : `exit code ${code}`),
  ];
}

/** All of it, and each piece as it comes: a run takes long. */
async function shown(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    process.stderr.write(bytes);
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

function append(row: string): void {
  const page = readFileSync(PAGE, "utf8");
  if (!page.includes(END)) throw new Error(`${PAGE} has no ${END}`);
  writeFileSync(PAGE, page.replace(END, `| ${row} |\n${END}`));
}
