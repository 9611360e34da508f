import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, test } from "bun:test";
import { send } from "../../src/client/wire.ts";
import { addressOf } from "../../src/protocol/address.ts";
import type { HookReply } from "../../src/protocol/hook.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { PATIENCE_MS } from "../../src/lab/poll.ts";
import { createProgram, type Program } from "../e2e/program.ts";

/** The same engine without the rest of a browser around it takes half the processor time: it is used where it is installed. */
const ENGINE = "/usr/bin/chromium-headless-shell";
const PROGRAM = "/usr/bin/chromium";
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
const MORE_FLAGS = ["--disable-component-update", "--disable-sync"];
const isMissing = !existsSync(PROGRAM);

export type Option = { label: string; description: string; preview?: string };
export type AskedQuestion = { question: string; header: string; multiSelect: boolean; options: Option[] };
export type Web = {
  program: Program;
  browser: Browser;
  /** A page in a browser of its own, signed in with `parley open`. What went wrong in it is told at the end. */
  open(options?: BrowserContextOptions): Promise<Page>;
  ask(question?: Partial<AskedQuestion>, origin?: object): Promise<AskView>;
  asks(questions: AskedQuestion[], origin?: object): Promise<AskView>;
  get(id: string): Promise<AskView>;
  /** A hook of an agent that waits for its reply, however long somebody takes in the page. */
  waits(payload: object, more?: object): Promise<HookReply>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Tests with one browser for the whole file. A missing one is a failure in CI, and said elsewhere.
 * `starts` false: each of them starts its daemon itself, with settings of its own.
 */
export function browserTests({ whole = false, starts = true } = {}) {
  const skip = isMissing && process.env["CI"] !== "true";
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!isMissing) browser = await launch(whole);
  });
  afterAll(() => browser?.close());
  return (title: string, run: (web: Web) => Promise<void>): void =>
    test.skipIf(skip)(skip ? `${title} (skipped: no ${PROGRAM})` : title, async () => {
      if (!browser) throw new Error(`no ${PROGRAM}`);
      await using web = await createWeb(browser, undefined, starts);
      await run(web);
    });
}

export function launch(whole = false): Promise<Browser> {
  const executablePath = !whole && existsSync(ENGINE) ? ENGINE : PROGRAM;
  return chromium.launch({ executablePath, args: [...FLAGS, ...MORE_FLAGS], timeout: PATIENCE_MS });
}

/** A real daemon and a real browser. `running`: one that is not ended here. */
export async function createWeb(browser: Browser, running?: Program, starts = true): Promise<Web> {
  const program = running ?? createProgram();
  if (!running && starts) await program.start();
  const wrong: string[] = [];
  const asks: Web["asks"] = (questions, origin = { agent: "script", project: "shop", branch: "main" }) =>
    program.client("agent").call("createAsk", { body: { questions, origin } as never });
  return {
    program,
    browser,
    async open(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      page.on("pageerror", (error) => wrong.push(String(error)));
      page.on("console", (said) => {
        // A daemon that is away, and a preview that is kept from doing something: both are as they should be.
        const isKept = said.location().url.includes("/preview/") || /sandboxed|base URI|^Framing/.test(said.text());
        const isFine = isKept || /ERR_CONNECTION|WebSocket|Failed to load resource/.test(said.text());
        if (said.type() === "error" && !isFine) wrong.push(said.text());
      });
      // Only now: it is good for a minute.
      const { out } = await program.parley(["open", "--print"]);
      await page.goto(out.trim());
      await page.locator('.app[data-phase="ready"]').waitFor();
      await hearsKeys(page);
      return page;
    },
    asks,
    ask: (question = {}, origin) => asks([sample(question)], origin),
    get: (id) => program.client().call("getAsk", { id }),
    async waits(payload, more = {}) {
      const hook = { agent: "claude-code", call: crypto.randomUUID(), waits: true, facts: {}, payload, ...more };
      const { method, path } = addressOf("hookCall", {});
      const response = await send(program.paths, { method, path, as: "agent", body: JSON.stringify(hook) });
      return (await response.json()) as HookReply;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(browser.contexts().map((context) => context.close()));
      if (!running) await program.dispose();
      if (wrong.length > 0) throw new Error(`the page complained: ${wrong.join("\n")}`);
    },
  };
}

export function sample(question: Partial<AskedQuestion> = {}): AskedQuestion {
  return {
    question: "Which database?",
    header: "Storage",
    multiSelect: false,
    options: [
      { label: "SQLite", description: "one file" },
      { label: "PostgreSQL", description: "a server" },
    ],
    ...question,
  };
}

/** What was just drawn listens to keys only after its next frame. */
export const hearsKeys = (page: Page) =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))");

/** A form settles nothing in its first 300 ms; now it would. */
export const ready = (page: Page) => page.locator('form.answer[data-ready="true"]').waitFor();
