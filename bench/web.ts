// `bun bench/web.ts`: what a person waits for in the web page. One table; nothing here is asserted.
import { cpus } from "node:os";
import { chromium, type Page } from "playwright-core";
import { createProgram } from "../test/e2e/program.ts";

const OPEN = 1000;
const RUNS = 20;
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
const program = createProgram();
await program.start();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });
try {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto((await program.parley(["open", "--print"])).out.trim());
  await page.getByRole("navigation").waitFor();
  const empty = await times(() => load(page, 0));
  const arrival = await times(() => arrives(page));
  for (let i = 0; i < OPEN; i++) await ask(`Question ${i} about something that takes a line to say?`);
  const full = await times(() => load(page, OPEN));
  const arrivalFull = await times(() => arrives(page));
  const model = cpus()[0]?.model;
  console.log(
    `${new Date().toISOString().slice(0, 10)} · ${model} × ${cpus().length} · Chromium ${browser.version()}\n`,
  );
  console.log("| what | median ms | p95 ms |\n|---|---|---|");
  row("page opened until its first question can be answered, nearly empty", empty);
  row(`the same with ${OPEN} open asks`, full);
  row("POST /api/asks until its row is on the screen, nearly empty", arrival);
  row(`the same with ${OPEN} open asks`, arrivalFull);
} finally {
  await browser.close();
  await program.dispose();
}

function ask(question: string) {
  const options = ["Yes", "No"].map((label) => ({ label, description: `Means ${label}` }));
  const questions = [{ question, header: "Bench", multiSelect: false, options }];
  const origin = { agent: "script", project: "bench", branch: "main" };
  return program.client("agent").call("createAsk", { body: { questions, origin } });
}

async function load(page: Page, least: number): Promise<number> {
  if (least === 0) await ask("Is anybody there?");
  const start = performance.now();
  await page.goto(program.url());
  await page.locator("form.answer label.option").first().waitFor();
  return performance.now() - start;
}

/** Measured in the page, by one clock: the row comes with its own request. */
async function arrives(page: Page): Promise<number> {
  const text = `Row ${crypto.randomUUID()}?`;
  const seen = page.evaluate(
    `new Promise((done) => new MutationObserver((_, watch) => {
      if ([...document.querySelectorAll(".row .text")].some((row) => row.textContent.includes(${JSON.stringify(text)})))
        (watch.disconnect(), done(Date.now()));
    }).observe(document.body, { childList: true, subtree: true }))`,
  );
  const start = Date.now();
  await ask(text);
  return Number(await seen) - start;
}

async function times(once: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < RUNS; i++) found.push(await once());
  return found.toSorted((a, b) => a - b);
}

function row(name: string, sorted: readonly number[]): void {
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.95)} |`);
}
