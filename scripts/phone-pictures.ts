// Draws docs/phone-*.png from a real daemon and a real browser of a phone's size: paired by its code, then a question.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { createClient } from "../src/client/client.ts";
import { runDaemon } from "../src/daemon/daemon.ts";
import { pathsIn } from "../src/machine/home.ts";
import { sqlite } from "../src/store/sqlite/engine.ts";
import { pageFiles } from "../src/surfaces/web/bundle.ts";

const docs = join(import.meta.dir, "../docs");
const root = mkdtempSync(join(tmpdir(), "parley-pictures-"));
const config = join(root, "config.toml");
const port = 47_470;
await Bun.write(config, `[web]\naddress = "http://localhost:${port}"\n`);
process.env["PARLEY_CONFIG"] = config;
process.env["HOME"] = root;
const paths = pathsIn(join(root, "home"));
const quietly = { byHand: true, engine: sqlite, pageFiles, now: Date.now, log: () => {} };
const daemon = await runDaemon({ paths, version: "0.1.0", port, ...quietly });
if (!daemon) throw new Error("no daemon");
const client = createClient(paths);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--force-color-profile=srgb"],
});
try {
  const options = [
    { label: "SQLite", description: "One file, no server" },
    { label: "PostgreSQL", description: "A server of its own" },
  ];
  const questions = [
    { question: "Which database should the checkout use?", header: "Storage", multiSelect: false, options },
  ];
  const origin = { agent: "claude-code", project: "shop", branch: "feature/checkout" };
  const { id } = await client.call("createAsk", { body: { questions, origin } });
  const { url } = await client.call("phoneCode", { body: { name: "Pixel" } });
  const context = await browser.newContext({
    viewport: { width: 390, height: 700 },
    isMobile: true,
    hasTouch: true,
    colorScheme: "light",
    permissions: ["notifications"],
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Push questions to this device" }).waitFor();
  await page.locator("#push").scrollIntoViewIfNeeded();
  await page.evaluate("document.querySelector('#push').scrollIntoView({ block: 'start' })");
  const screens = [await page.screenshot()];
  await page.goto(`http://localhost:${port}/#/ask/${id}`);
  await page.locator("label.option").first().tap();
  await page.waitForTimeout(400);
  screens.push(await page.screenshot());
  await page.evaluate("navigator.serviceWorker.ready");
  await page.goto(`http://localhost:${port}/offline`);
  screens.push(await page.screenshot());
  const sheet = await (await browser.newContext({ viewport: { width: 1400, height: 300 } })).newPage();
  const images = screens.map((png) => `<img src="data:image/png;base64,${png.toString("base64")}">`).join("");
  const body = "margin:0;padding:20px;display:flex;gap:20px;width:max-content;background:#e8e8ee";
  await sheet.setContent(`<!doctype html><style>body{${body}}img{height:560px;border-radius:16px}</style>${images}`);
  await sheet.locator("body").screenshot({ path: join(docs, "phone-page.png") });
} finally {
  await browser.close();
  daemon.stop(false);
  await daemon.ended;
  rmSync(root, { recursive: true, force: true });
}
