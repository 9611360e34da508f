import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prompt } from "../e2e/comfort-prompt.ts";
import { eventually } from "../patience.ts";
import { browserTests, ready, sample } from "./browser.ts";

const inBrowser = browserTests();

inBrowser("[VB9] a call is denied, and a session's agent stopped, in the words of the terminal", async (web) => {
  const asked = await prompt(web.program);
  const page = await web.open();
  await ready(page);
  expect(await page.getByRole("button", { name: "Decline" }).count()).toBe(0);
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await page.getByLabel("Deny this").fill("use /tmp");
  await page.keyboard.press("Enter");
  expect(await asked.takes()).toEqual({ behavior: "deny", message: "The user does not allow this: use /tmp" });
  await page.locator(".receipts", { hasText: '✓ denied: "use /tmp"; Claude Code received it' }).waitFor();

  const { id } = await web.ask({}, { agent: "claude-code", project: "shop", session: "s-1" });
  await page.goto(`${new URL(page.url()).origin}/#/ask/${id}`);
  await ready(page);
  await page.keyboard.press("x");
  const sure = page.getByRole("alertdialog", { name: "Stop the agent, as Esc does?" });
  await sure.waitFor();
  await page.keyboard.press("Escape");
  await sure.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Stop the agent" }).click();
  await sure.getByRole("button", { name: "Stop the agent" }).click();
  await eventually(async () => expect((await web.get(id)).outcome).toMatchObject({ type: "cancelled" }));
});

inBrowser("[VB10] the form opens with what the autopilot proposes, also when that comes later", async (web) => {
  const folder = join(web.program.user, ".config/parley");
  mkdirSync(folder, { recursive: true });
  const config = (mode: string) =>
    `[autopilot]\nmode = "${mode}"\n[[autopilot.rules]]\nname = "pg"\nchoose = { label = "PostgreSQL" }\n`;
  writeFileSync(join(folder, "config.toml"), config("off"));
  const { id } = await web.ask();
  const page = await web.open();
  await ready(page);
  const proposed = page.getByRole("radio", { name: /^PostgreSQL/ });
  expect(await proposed.isChecked()).toBe(false);
  writeFileSync(join(folder, "config.toml"), config("suggest"));
  await page.getByText('Autopilot proposes: "PostgreSQL" (rule pg)').waitFor();
  await eventually(async () => expect(await proposed.isChecked()).toBe(true));
  await ready(page);
  await page.keyboard.press("Enter");
  await eventually(async () => expect((await web.get(id)).outcome).toMatchObject({ answers: [{ picks: [1] }] }));
});

inBrowser(
  "[VB11] previews are to the letter; only a diff has its colours; a number in the review goes back",
  async (web) => {
    const list = "- first   item\n- second  item";
    const patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new";
    await web.asks([
      sample({
        options: [
          { label: "List", description: "d", preview: list },
          { label: "Patch", description: "d", preview: patch },
        ],
      }),
      sample({ question: "Which cache?", header: "Cache" }),
    ]);
    const page = await web.open();
    await page.locator(".previews").waitFor();
    const [left, right] = await page.locator(".previews pre").all();
    expect(await left?.evaluate((pre) => [...pre.children].map((line) => line.textContent).join("\n"))).toBe(list);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.previews pre')).fontFamily")).toContain(
      "mono",
    );
    expect(await left?.locator("[data-line]").count()).toBe(0);
    expect(await right?.locator("[data-line=added]").count()).toBeGreaterThan(0);
    await ready(page);
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.getByText("Which cache?").first().waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    await page.locator(".review").waitFor();
    await page.keyboard.press("1");
    await page.locator(".previews").waitFor();
    expect(await page.getByRole("radio", { name: /^Patch/ }).isChecked()).toBe(true);
  },
);
