// Draws docs/web-*.png from a real daemon and a real browser. The questions are made up, and so are the days they came on.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContextOptions, type Page } from "playwright-core";
import { createClient } from "../src/client/client.ts";
import { runDaemon } from "../src/daemon/daemon.ts";
import { pathsIn } from "../src/machine/home.ts";
import { sqlite } from "../src/store/sqlite/engine.ts";
import { pageFiles } from "../src/surfaces/web/bundle.ts";
import { boardPictures } from "./web-board-pictures.ts";

const MINUTE = 60_000;
const PHONE = { viewport: { width: 360, height: 600 }, isMobile: true, hasTouch: true } as const;
const DAY = 24 * 60 * MINUTE;
/** Half as large as on the screen it can still be read. */
const NARROW = { viewport: { width: 1100, height: 680 } };
const docs = join(import.meta.dir, "../docs");
const root = mkdtempSync(join(tmpdir(), "parley-pictures-"));
process.env["PARLEY_CONFIG"] = "/dev/null";
process.env["HOME"] = root;
const paths = pathsIn(join(root, "home"));
let ahead = -14 * DAY;
const now = () => Date.now() + ahead;
const daemon = await runDaemon({
  paths,
  version: "0.1.0",
  byHand: true,
  port: 0,
  engine: sqlite,
  pageFiles,
  now,
  log: () => {},
});
if (!daemon) throw new Error("no daemon");
const client = createClient(paths);
const url = `http://127.0.0.1:${daemon.registration.port}`;
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--force-color-profile=srgb"],
});
try {
  await past();
  ahead = -12 * MINUTE;
  await present();
  ahead = 0;
  const light = await open({ colorScheme: "light" });
  await light.locator(".row", { hasText: "Which database" }).click();
  await light.keyboard.press("1");
  await shot(light, "web-inbox");
  await shot(await openHistory({ colorScheme: "light" }), "web-history");
  const dark = await open({ colorScheme: "dark" });
  await choosePreview(dark);
  await shot(dark, "web-form");
  const inbox = await open({ ...NARROW, colorScheme: "dark" });
  await inbox.locator(".row", { hasText: "Which database" }).click();
  await inbox.keyboard.press("1");
  const form = await open({ ...NARROW, colorScheme: "light" });
  await choosePreview(form);
  const others = [await taken(inbox), await taken(form)];
  const boards: Buffer[] = [];
  await boardPictures(browser, async (openBoard) => {
    const size = { viewport: { width: 1200, height: 720 } };
    await shot(await openBoard("board", { ...size, colorScheme: "light" }), "web-board");
    const task = await openBoard("task/<asking>", { ...size, colorScheme: "dark" });
    await task.locator(".log details").nth(2).waitFor();
    await task.keyboard.press("1");
    await shot(task, "web-task");
    const small = await openBoard("board", { ...PHONE, colorScheme: "dark" });
    boards.push(await small.screenshot());
    others.push(await taken(await openBoard("board", { ...NARROW, colorScheme: "dark" })));
  });
  await phones(boards);
  for (const size of [NARROW, PHONE]) others.push(await taken(await openHistory({ ...size, colorScheme: "dark" })));
  await sheet("web-themes", 350, others.slice(0, 2));
  await sheet("web-more", 350, others.slice(2));
} finally {
  await browser.close();
  daemon.stop(false);
  await daemon.ended;
  rmSync(root, { recursive: true, force: true });
}

async function open(options: BrowserContextOptions): Promise<Page> {
  const { code } = await client.call("openPage");
  const page = await (
    await browser.newContext({ viewport: { width: 1200, height: 720 }, locale: "en-GB", ...options })
  ).newPage();
  await page.goto(`${url}/#code=${code}`);
  await page.locator(".row").first().waitFor();
  return page;
}

async function openHistory(options: BrowserContextOptions): Promise<Page> {
  const page = await open(options);
  await page.goto(`${url}/#/history`);
  await page.locator(".entries li").nth(5).waitFor();
  return page;
}

async function choosePreview(page: Page): Promise<void> {
  await page.locator(".row", { hasText: "layout" }).click();
  await page.locator(".previews").waitFor();
  await page.keyboard.press("2");
}

async function shot(page: Page, name: string): Promise<void> {
  await Bun.write(join(docs, `${name}.png`), await taken(page));
}

async function taken(page: Page): Promise<Buffer> {
  await page.waitForTimeout(300);
  return page.screenshot();
}

/** Several screens beside each other. */
async function sheet(name: string, height: number, screens: readonly Buffer[]): Promise<void> {
  const page = await (await browser.newContext({ viewport: { width: 1600, height: 300 } })).newPage();
  const images = screens.map((png) => `<img src="data:image/png;base64,${png.toString("base64")}">`).join("");
  const body = "margin:0;padding:20px;display:flex;gap:20px;width:max-content;background:#e8e8ee";
  await page.setContent(
    `<!doctype html><style>body{${body}}img{height:${height}px;border-radius:16px}</style>${images}`,
  );
  await page.locator("body").screenshot({ path: join(docs, `${name}.png`) });
}

/** Three screens of a phone beside each other. */
async function phones(boards: readonly Buffer[]): Promise<void> {
  const phone = PHONE;
  const page = await open({ ...phone, colorScheme: "light" });
  const screens = [await page.screenshot()];
  await page.locator(".row", { hasText: "Which parts" }).tap();
  await page.locator("label.option").nth(1).tap();
  await page.waitForTimeout(300);
  screens.push(await page.screenshot());
  screens.push(...boards);
  await sheet("web-phone", 600, screens);
}

type Asked = [
  project: string,
  branch: string,
  header: string,
  question: string,
  options: object[],
  multiSelect?: boolean,
];
async function ask([project, branch, header, question, options, multiSelect = false]: Asked, agent = "claude-code") {
  const questions = [{ question, header, multiSelect, options }];
  return client.call("createAsk", { body: { questions, origin: { agent, project, branch } } });
}

function option(label: string, description: string, preview?: string) {
  return { label, description, ...(preview !== undefined && { preview }) };
}

async function past(): Promise<void> {
  const made: Asked[] = [
    [
      "shop",
      "feature/checkout",
      "Payment",
      "Which provider takes the cards?",
      [option("Stripe", "known"), option("Adyen", "cheaper")],
    ],
    [
      "docs-site",
      "main",
      "Search",
      "Index the old pages too?",
      [option("Yes", "all of them"), option("Only new", "from 2.0 on")],
    ],
    [
      "api-gateway",
      "fix/rate-limit",
      "Retry",
      "How often may a caller try again?",
      [option("3 times", "as before"), option("Never", "strict")],
    ],
    ["mobile", "release/2.4", "Icons", "Which icon set?", [option("Outline", "lighter"), option("Filled", "bolder")]],
  ];
  for (let i = 0; ahead < -DAY; i++) {
    const question = made[i % made.length];
    if (!question) throw new Error("no questions");
    const asked = await ask(question, i % 3 === 0 ? "opencode" : "claude-code");
    ahead += (2 + ((i * 7) % 30)) * MINUTE;
    const body = { action: "answer" as const, answers: [{ picks: [i % 2] }], surface: i % 4 === 0 ? "cli" : "web" };
    await client.call("settleAsk", { id: asked.id, body: { ...body, ...(i % 5 === 4 && { session: "another" }) } });
    await client.call("receiveAnswer", { id: asked.id });
    ahead += (3 + ((i * 5) % 9)) * 60 * MINUTE;
  }
}

async function present(): Promise<void> {
  const drawing = (lines: string[]) => lines.join("\n");
  const left = [
    "┌──────────┬──────────┐",
    "│ Parley   │  ┌────┐  │",
    "│ One      │  │ ▣▣ │  │",
    "│ inbox    │  └────┘  │",
    "└──────────┴──────────┘",
  ];
  const middle = [
    "┌─────────────────────┐",
    "│       Parley        │",
    "│      One inbox      │",
    "│       [Start]       │",
    "└─────────────────────┘",
  ];
  const waiting: [Asked, string][] = [
    [
      [
        "shop",
        "feature/checkout",
        "Storage",
        "Which database should the checkout service use for its order table?",
        [
          option("SQLite (Recommended)", "One file, no server; enough for 50 orders a second"),
          option("PostgreSQL", "A server of its own; needed once two services write"),
          option("DynamoDB", "Nothing to run, but a bill and another query language"),
        ],
      ],
      "claude-code",
    ],
    [
      [
        "shop",
        "feature/checkout",
        "Scope",
        "Which parts should the first release have?",
        [
          option("Auth", "Sign-in with e-mail"),
          option("Search", "Full-text search over products"),
          option("Reviews", "Star ratings and comments"),
          option("Export", "CSV of every order"),
        ],
        true,
      ],
      "claude-code",
    ],
    [
      [
        "docs-site",
        "main",
        "Layout",
        "Which layout should the landing page have?",
        [
          option("Two columns", "Text left, picture right", drawing(left)),
          option("Centered", "Everything in the middle", drawing(middle)),
        ],
      ],
      "opencode",
    ],
    [
      [
        "api-gateway",
        "fix/rate-limit",
        "Bursts",
        "The limiter drops **bursts** above `200 req/s`. What should happen instead?",
        [
          option("Queue", "Callers wait; memory grows with the burst"),
          option("Refuse", "Callers get 429 and try again"),
        ],
      ],
      "codex",
    ],
    [
      [
        "mobile",
        "release/2.4",
        "Date",
        "When should the release go out?",
        [option("Today", "Everything is green"), option("Monday", "With people around")],
      ],
      "gemini-cli",
    ],
    [
      [
        "infra",
        "terraform-upgrade",
        "Deploy",
        "Deploy the new load balancer to production now?",
        [option("Deploy", "About 30 s of connection resets"), option("Wait", "Ask again tomorrow")],
      ],
      "script",
    ],
  ];
  for (const [asked, agent] of waiting) {
    await ask(asked, agent);
    ahead += 1.7 * MINUTE;
  }
}
