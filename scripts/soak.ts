// `npm run soak -- [campaign] [--<what it counts> N] [--seed N] [--minutes M] [--jobs J] [--write]`: see docs/reliability.md (kills, kills-all, hub, power-cut, fuzz), docs/keys.md (keys), docs/autopilot.md (night, trust), docs/approvals.md (grants) and docs/brains.md (openclaw).
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { keys } from "../test/agents/keys-soak.ts";
import { night } from "../test/e2e/night-soak.ts";
import { fuzz } from "../test/hostile/parsers/campaign.ts";
import { grantCommands } from "../test/hostile/grant-soak.ts";
import { trust } from "../test/autopilot/trust-soak.ts";
import { killsAll } from "../test/fault/all/campaign.ts";
import { kills } from "../test/fault/kills.ts";
import { powerCut } from "../test/fault/power/campaign.ts";
import { hub } from "../test/hub/soak/hub-soak.ts";
import type { Campaign, Report } from "./campaign.ts";
import { openclaw } from "./openclaw.ts";

const CAMPAIGNS: Record<string, Campaign> = {
  kills,
  "kills-all": killsAll,
  hub,
  keys,
  night,
  trust,
  openclaw,
  grants: grantCommands,
  "power-cut": powerCut,
  fuzz,
};
const root = join(import.meta.dir, "..");

const named = process.argv[2]?.startsWith("-") ? undefined : process.argv[2];
const name = named ?? "kills";
const campaign = CAMPAIGNS[name];
if (!campaign) {
  console.error(`There is no campaign ${name}; there are: ${Object.keys(CAMPAIGNS).join(", ")}`);
  process.exit(2);
}
const sizes = campaign.sizes ?? {};
const text = (usual: number | string) => ({ type: "string" as const, default: String(usual) });
const numbers: Record<string, { type: "string"; default: string }> = {
  [campaign.counts]: text(campaign.usual),
  ...Object.fromEntries(Object.entries(sizes).map(([size, usual]) => [size, text(usual)])),
  seed: text(Date.now() % 2 ** 31),
  minutes: text(60),
  jobs: text(2 * cpus().length),
};
const parsed = parseArgs({
  args: process.argv.slice(named === undefined ? 2 : 3),
  options: { ...numbers, write: { type: "boolean", default: false } },
});
const values: Record<string, string | boolean | undefined> = parsed.values;
const started = performance.now();
const seed = Number(values["seed"]);
console.error(
  `${campaign.title}: ${values[campaign.counts]} ${campaign.counts}, seed ${seed}, ${values["jobs"]} at once`,
);
const report = await campaign.run({
  amount: Number(values[campaign.counts]),
  seed,
  until: started + Number(values["minutes"]) * 60_000,
  jobs: Number(values["jobs"]),
  sizes: Object.fromEntries(Object.keys(sizes).map((size) => [size, Number(values[size])])),
  progress: (line) => console.error(`${elapsed()}  ${line}`),
});
const made = table(report);
console.log(made);
if (values["write"] === true) writePage(join(root, campaign.page), made);
process.exit(report.failures.length > 0 ? 1 : 0);

function table({ rows }: Report): string {
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", ...args], { cwd: root })
      .stdout.toString()
      .trim();
  const changed = git("status", "--porcelain", "src") === "" ? "" : " with changes";
  const circumstances: Report["rows"] = [
    ["seed", seed],
    ["duration", elapsed()],
    ["commit", `${git("rev-parse", "--short", "HEAD")}${changed}`],
    ["machine", `${cpus()[0]?.model} × ${cpus().length}, ${process.platform}, Bun ${Bun.version}`],
    ["date", new Date().toISOString().slice(0, 10)],
  ];
  return ["| | |", "|---|---|", ...[...rows, ...circumstances].map(([what, value]) => `| ${what} | ${value} |`)].join(
    "\n",
  );
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
