// What a person waits for in a hub's page. `bun bench/hub-page.ts` prints its rows alone, for a hub on its embedded store.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { withHub } from "../src/hubs.ts";
import { openHubPages } from "../test/hub/hub-browser.ts";
import { joinStandIn } from "./hub-stand-in.ts";
import { atMost, ms, percentile, type Row } from "./row.ts";
import { lineOf, openStage, SOURCE } from "./stage.ts";

const RUNS = 20;
const LIMIT_MS = 1000;
export const HUB_PAGE_NOTE = `Hub's page: ${RUNS} runs in headless Chromium on the same machine, signed in with a passkey; its files come from the browser's cache. It counts as usable when the options of its first question can be clicked, and has all when the count in its title does.`;

/** `link`: for the first member; `open`: so many are. */
export async function measureHubPage(link: string, open: number): Promise<Row[]> {
  await using pages = await openHubPages();
  const page = await pages.open(link);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.locator('.app[data-phase="ready"]').waitFor();
  const { origin } = new URL(link);
  const [usable, all, blank] = [[], [], []] as [number[], number[], number[]];
  for (let run = 0; run < RUNS; run++) {
    const found = await load(page, origin, open);
    usable.push(found.usable);
    all.push(found.all);
    blank.push(await loadBlank(page, origin));
  }
  const both = (values: readonly number[]) => `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.95))}`;
  return [
    {
      what: `hub's page opened until its first question can be answered, ${open.toLocaleString("en")} open asks (p50 / p95)`,
      measured: both(usable),
      beside: `a blank page: ${both(blank)}; all of them in the list: ${both(all)}`,
      aim: "≤ 1 s",
      ...atMost(percentile(usable, 0.95), LIMIT_MS),
    },
  ];
}

async function load(page: Page, origin: string, open: number) {
  await page.goto("about:blank");
  const start = performance.now();
  await page.goto(origin);
  await page.locator("form.answer label.option").first().waitFor();
  const usable = performance.now() - start;
  await page.evaluate(`new Promise((done) => {
    const look = () => (parseInt(document.title.slice(1)) >= ${open} ? done() : requestAnimationFrame(look));
    look();
  })`);
  return { usable, all: performance.now() - start };
}

/** What the browser and its driver take of it. */
async function loadBlank(page: Page, origin: string): Promise<number> {
  await page.goto("about:blank");
  const start = performance.now();
  await page.goto(`${origin}/health`);
  await page.locator("body").waitFor();
  return performance.now() - start;
}

/** A hub of its own, with as many open asks. */
async function alone(open: number): Promise<Row[]> {
  const stage = await openStage();
  const place = { data: join(stage.root, "hub") };
  const hub = Bun.spawn([...SOURCE, "hub", "--data", place.data, "--listen", "127.0.0.1:0", "--json"], {
    env: stage.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const { url, firstMemberLink } = JSON.parse(await lineOf(hub.stdout)) as { url: string; firstMemberLink: string };
    const { code } = await withHub(place, (admin) => admin.code(3_600_000));
    const machine = await joinStandIn(url, code, 0);
    for (let told = 0; told < open; told += 100) await machine.tell(100);
    const rows = await measureHubPage(firstMemberLink, open);
    machine.close();
    return rows;
  } finally {
    hub.kill("SIGKILL");
    await stage.dispose();
  }
}

if (import.meta.main)
  for (const { what, measured, beside = "" } of await alone(10_000))
    console.log(`| ${what} | ${measured} | ${beside} |`);
