// What a person waits for in the web page, in a real browser. `bun bench/web.ts` prints its rows alone.
import { chromium, type Page } from "playwright-core";
import { createProgram, type Program } from "../test/e2e/program.ts";
import { ms, type Part, percentile, type Row } from "./row.ts";

const OPEN = 1000;
const RUNS = 20;
const CHROMIUM = "/usr/bin/chromium";
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

export const web: Part = {
  name: "web",
  about: "the web page: until it can be used, and until a question is seen",
  notes: [
    `Web: ${RUNS} runs each in headless Chromium on the same machine. A page counts as usable when the options of its first question can be clicked; its files come from the browser's cache, as they do after the first visit. A row counts as seen when it is in the document, or where there are more than are built at once when the count below them has it, from the moment its request is sent, both by the clock of this machine.`,
  ],
  async run(say) {
    const program = createProgram();
    await program.start();
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    try {
      const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      await page.goto((await program.parley(["open", "--print"])).out.trim());
      await page.getByRole("navigation").waitFor();
      await ask(program, "Is anybody there?");
      const blank = await times(() => loadBlank(page, program));
      const few = await times(() => load(page, program));
      const fewSeen = await times(() => arrives(page, program));
      say(`${OPEN} asks`);
      for (let i = 0; i < OPEN; i++) await ask(program, `Question ${i} about something that takes a line to say?`);
      const many = await times(() => load(page, program));
      const manySeen = await times(() => arrives(page, program));
      return [
        row("page opened until its first question can be answered, few open asks", few, `a blank page: ${both(blank)}`),
        row(`the same with ${OPEN.toLocaleString("en")} open asks`, many),
        row("ask → visible row, few open asks", fewSeen),
        row(`the same with ${OPEN.toLocaleString("en")} open asks`, manySeen),
      ];
    } finally {
      await browser.close();
      await program.dispose();
    }
  },
};

function ask(program: Program, question: string) {
  const options = ["Yes", "No"].map((label) => ({ label, description: `Means ${label}` }));
  const questions = [{ question, header: "Bench", multiSelect: false, options }];
  const origin = { agent: "script", project: "bench", branch: "main" };
  return program.client("agent").call("createAsk", { body: { questions, origin } });
}

async function load(page: Page, program: Program): Promise<number> {
  await page.goto("about:blank");
  const start = performance.now();
  await page.goto(program.url());
  await page.locator("form.answer label.option").first().waitFor();
  return performance.now() - start;
}

/** What the browser and its driver take of it. */
async function loadBlank(page: Page, program: Program): Promise<number> {
  await page.goto("about:blank");
  const start = performance.now();
  await page.goto(`${program.url()}/health`);
  await page.locator("body").waitFor();
  return performance.now() - start;
}

/** Seen by the page itself, so that the driver does not count. */
async function arrives(page: Page, program: Program): Promise<number> {
  const text = `Row ${crypto.randomUUID()}?`;
  const seen = page.evaluate(
    `new Promise((done) => {
      const rest = () => document.querySelector(".rest")?.textContent;
      const before = rest();
      const look = () => (rest() !== before || [...document.querySelectorAll(".row .text")]
        .some((row) => row.textContent.includes(${JSON.stringify(text)}))) && (watch.disconnect(), done(Date.now()));
      const watch = new MutationObserver(look);
      watch.observe(document.body, { childList: true, subtree: true, characterData: true });
      look();
    })`,
  );
  // The page watches by now: what it is told comes in order.
  await page.evaluate("0");
  const start = Date.now();
  await ask(program, text);
  return Number(await seen) - start;
}

async function times(once: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < RUNS; i++) found.push(await once());
  return found;
}

const both = (values: readonly number[]) => `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.95))}`;
const row = (what: string, values: readonly number[], beside?: string): Row => ({
  what: `${what} (p50 / p95)`,
  measured: both(values),
  ...(beside !== undefined && { beside }),
});

if (import.meta.main)
  for (const { what, measured, beside = "" } of await web.run(console.error))
    console.log(`| ${what} | ${measured} | ${beside} |`);
