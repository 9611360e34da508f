// `npm run soak -- [campaign] [--<what it counts> N] [--seed N] [--minutes M] [--jobs J] [--write] [--to FILE] [--area WORD,…]`, or `[campaign] --from FILE` with a table made earlier: see docs/reliability.md (kills, kills-all, hub, power-cut, fuzz, hours), docs/keys.md (keys), docs/autopilot.md (night, trust), docs/approvals.md (grants) and docs/brains.md (openclaw).
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Campaign, Report } from "./campaign.ts";
import { buildProgram } from "./suite/program.ts";
import { SHORT_LIVED } from "./suite/run-jobs.ts";

/** Loaded when the program they start is there. */
const CAMPAIGNS: Record<string, () => Promise<Campaign>> = {
  kills: async () => (await import("../test/fault/kills.ts")).kills,
  "kills-all": async () => (await import("../test/fault/all/campaign.ts")).killsAll,
  hub: async () => (await import("../test/hub/soak/hub-soak.ts")).hub,
  keys: async () => (await import("../test/agents/keys-soak.ts")).keys,
  night: async () => (await import("../test/e2e/night-soak.ts")).night,
  trust: async () => (await import("../test/autopilot/trust-soak.ts")).trust,
  openclaw: async () => (await import("./openclaw.ts")).openclaw,
  grants: async () => (await import("../test/hostile/grant-soak.ts")).grantCommands,
  "power-cut": async () => (await import("../test/fault/power/campaign.ts")).powerCut,
  fuzz: async () => (await import("../test/hostile/parsers/campaign.ts")).fuzz,
  hours: async () => (await import("../test/fault/hours/campaign.ts")).hours,
};
const root = join(import.meta.dir, "..");

const named = process.argv[2]?.startsWith("-") ? undefined : process.argv[2];
const name = named ?? "kills";
const load = CAMPAIGNS[name];
if (!load) {
  console.error(`There is no campaign ${name}; there are: ${Object.keys(CAMPAIGNS).join(", ")}`);
  process.exit(2);
}
// Of its own folder: what is changed in this one while it runs changes nothing for it, and each start costs a third.
const commit = commitOf();
if (!process.argv.includes("--from")) {
  const program = await buildProgram(root);
  process.once("exit", program.remove);
  process.env["PARLEY_TEST_PROGRAM"] = program.main;
  process.env["PARLEY_TEST_COMPILED"] = program.compiled;
  // Twenty thousand starts.
  if (name === "kills-all") Object.assign(process.env, SHORT_LIVED);
}
const campaign = await load();
const sizes = campaign.sizes ?? {};
const text = (usual: number | string) => ({ type: "string" as const, default: String(usual) });
const numbers: Record<string, { type: "string"; default: string }> = {
  [campaign.counts]: text(campaign.usual),
  ...Object.fromEntries(Object.entries(sizes).map(([size, usual]) => [size, text(usual)])),
  seed: text(Date.now() % 2 ** 31),
  jobs: text(2 * cpus().length),
};
const parsed = parseArgs({
  args: process.argv.slice(named === undefined ? 2 : 3),
  options: {
    ...numbers,
    minutes: { type: "string" },
    write: { type: "boolean", default: false },
    to: { type: "string" },
    from: { type: "string" },
    area: { type: "string", default: "" },
  },
});
const started = performance.now();
const values: Record<string, string | boolean | undefined> = parsed.values;
const page = join(root, campaign.page);
const seed = Number(values["seed"]);
if (typeof values["from"] === "string") {
  // Made by earlier runs, with `--to`.
  const lines = campaign.addUp ? linesIn(values["from"]) : [];
  const last = lines.at(-1)?.commit;
  const sum = last === undefined ? undefined : campaign.addUp?.(lines, last);
  writePage(page, sum ? table(sum) : readFileSync(values["from"], "utf8").trim());
  process.exit(0);
}
const minutes = Number(values["minutes"] ?? (campaign.isSpan ? 60 * Number(values[campaign.counts]) : 60));
const { to } = values;
console.error(
  campaign.isSpan
    ? `${campaign.title}: ${minutes} minutes`
    : `${campaign.title}: ${values[campaign.counts]} ${campaign.counts}, seed ${seed}, ${values["jobs"]} at once`,
);
const report = await campaign.run({
  amount: Number(values[campaign.counts]),
  seed,
  until: started + minutes * 60_000,
  jobs: Number(values["jobs"]),
  sizes: Object.fromEntries(Object.keys(sizes).map((size) => [size, Number(values[size])])),
  progress: (line) => console.error(`${elapsed()}  ${line}`),
  only: String(values["area"]).split(",").filter(Boolean),
  commit,
  ...(campaign.addUp && typeof to === "string" && { earlier: linesIn(to), note: (line) => keep(to, line) }),
});
const made = table(report);
console.log(made);
for (const failure of report.failures) console.error(`✗ ${failure}`);
if (typeof to === "string" && !campaign.addUp) writeFileSync(to, `${made}\n`);
if (values["write"] === true) writePage(page, made);
process.exit(report.failures.length > 0 ? 1 : 0);

function table({ rows }: Report): string {
  const circumstances: Report["rows"] = [
    ["seed", seed],
    ["duration", elapsed()],
    ["commit", commit],
    ["machine", `${cpus()[0]?.model} × ${cpus().length}, ${process.platform}, Bun ${Bun.version}`],
    ["date", new Date().toISOString().slice(0, 10)],
  ];
  const said = new Set(rows.map(([what]) => what));
  const all = [...rows, ...circumstances.filter(([what]) => !said.has(what))];
  return ["| | |", "|---|---|", ...all.map(([what, value]) => `| ${what} | ${value} |`)].join("\n");
}

/** A run that was killed may have left half a line, on which the next one does not go on. */
function linesIn(file: string): { commit?: string }[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as { commit?: string });
}

function keep(file: string, line: object): void {
  appendFileSync(file, `\n${JSON.stringify(line)}\n`);
}

/** As it is now: whoever works on while it runs makes others. */
function commitOf(): string {
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", ...args], { cwd: root })
      .stdout.toString()
      .trim();
  const changed = git("status", "--porcelain", "src") === "" ? "" : " with changes";
  return `${git("rev-parse", "--short", "HEAD")}${changed}`;
}

function elapsed(): string {
  const seconds = Math.round((performance.now() - started) / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** Between the two marks of the campaign; everything else on the page is left as it is. */
function writePage(page: string, text: string): void {
  const [from, to] = [`<!-- soak ${name} -->`, `<!-- /soak ${name} -->`];
  const [before, rest] = readFileSync(page, "utf8").split(from);
  const after = rest?.split(to)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no ${from} … ${to}`);
  writeFileSync(page, `${before}${from}\n${text}\n${to}${after}`);
}
