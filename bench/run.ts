// `npm run bench [-- part …] [--json] [--write]`: how fast Parley is, each number beside its limit or a peer measured in
// the same run. Nothing here is asserted; what misses its aim is marked.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commands } from "./commands.ts";
import { facts } from "./facts.ts";
import { fanout } from "./fanout.ts";
import { granted } from "./granted.ts";
import { growth } from "./growth.ts";
import { held } from "./held.ts";
import { hooks } from "./hooks.ts";
import { ladder } from "./ladder.ts";
import { hub } from "./hub.ts";
import { keys } from "./keys.ts";
import { latency } from "./latency.ts";
import { memory } from "./memory.ts";
import { messengers } from "./messengers.ts";
import { queue } from "./queue.ts";
import { rate } from "./rate.ts";
import type { Part, Row } from "./row.ts";
import { sandbox } from "./sandbox.ts";
import { scale } from "./scale.ts";
import { scan } from "./scan.ts";
import { size } from "./size.ts";
import { ROOT } from "./stage.ts";
import { start } from "./start.ts";
import { surfaceParts } from "./surfaces.ts";
import { tasks } from "./tasks.ts";

const DOCS = join(ROOT, "docs/benchmarks.md");
const [BEGIN, END] = ["<!-- bench: begin -->", "<!-- bench: end -->"];
const PARTS: readonly Part[] = [
  commands,
  hooks,
  latency,
  granted,
  facts,
  rate,
  held,
  fanout,
  messengers,
  start,
  growth,
  scale,
  size,
  memory,
  tasks,
  sandbox,
  queue,
  scan,
  ladder,
  keys,
  hub,
];

type Done = { part: string; rows: Row[]; notes: readonly string[] };

const { values: options, positionals: wanted } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { json: { type: "boolean" }, write: { type: "boolean" } },
});
const parts = [...PARTS, ...(await surfaceParts())];
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no part "${unknown.join('", "')}". Parts:\n${parts.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join("\n")}`,
  );
  process.exit(2);
}

// One of a thousand clients that fails makes its part fail; the others need not say it again.
process.on("unhandledRejection", () => undefined);
const done: Done[] = [];
for (const part of parts.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  say(part.name, part.about);
  try {
    const rows = await part.run((progress) => say(part.name, progress));
    done.push({ part: part.name, rows, notes: part.notes ?? [] });
  } catch (error) {
    say(part.name, `failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
const run = { ...machine(), command: ["npm run bench", ...(wanted.length > 0 ? ["--", ...wanted] : [])].join(" ") };
console.log(options.json ? JSON.stringify({ ...run, parts: done }, null, 2) : page());
// A table with a hole in it is not worth keeping.
if (options.write && process.exitCode !== 1) writeDocs();
process.exit();

function machine() {
  const [commit] = git("rev-parse", "--short", "HEAD");
  const isChanged = git("status", "--porcelain", "--", "src", "bench").some((line) => line !== "");
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: `${commit ?? "unknown"}${isChanged ? " with changes" : ""}`,
    machine: `${cpus()[0]?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Bun ${Bun.version}`,
  };
}

function git(...args: string[]): string[] {
  const { stdout } = Bun.spawnSync(["git", ...args], { cwd: ROOT, stderr: "ignore" });
  return stdout.toString().trim().split("\n");
}

function page(): string {
  const head = `${run.date} · commit ${run.commit} · ${run.machine} · \`${run.command}\``;
  const lines = done.flatMap(({ rows }) => rows.map(line));
  const table = ["| what | measured | beside | aim | |", "|---|---|---|---|---|", ...lines].join("\n");
  const notes = done.flatMap(({ notes }) => notes.map((note) => `- ${note}`));
  return [head, table, ...(notes.length > 0 ? [notes.join("\n")] : [])].join("\n\n");
}

function line({ what, measured, beside = "", aim = "", met }: Row): string {
  return `| ${what} | ${measured} | ${beside} | ${aim} | ${met === undefined ? "" : met ? "✓" : "✗ missed"} |`;
}

function writeDocs(): void {
  const text = readFileSync(DOCS, "utf8");
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${DOCS} has no place for the table: ${BEGIN} … ${END}`);
  writeFileSync(DOCS, `${text.slice(0, from + BEGIN.length)}\n\n${page()}\n\n${text.slice(to)}`);
  say("written", DOCS);
}

function say(part: string, progress: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${part}: ${progress}`);
}
