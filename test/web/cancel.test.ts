import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, ready, sample, type Web } from "./browser.ts";
import { withTasks } from "./task-web.ts";

const inBrowser = browserTests();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const isCancelled = ({ state }: { state: string }) => state === "cancelled";
const rowsOf = (page: Page) =>
  page
    .locator("form.answer .option")
    .evaluateAll((rows) =>
      rows.map((row) => `${row.querySelector("kbd")?.textContent} ${row.querySelector("strong")?.textContent}`),
    );

async function asking(plain: Web, ...questions: ReturnType<typeof sample>[]) {
  const web = await withTasks(plain);
  const { id } = await web.run("Storage", [{ ask: questions.length === 0 ? [sample()] : questions }]);
  const { asks } = await web.becomes(id, ({ state }) => state === "waiting");
  return { web, id, ask: asks[0] ?? "" };
}

inBrowser("[SF40] Cancel is the last row, after Other, with the number that the command line takes", async (plain) => {
  const { web, ask } = await asking(plain);
  await using _ = web;
  const page = await web.open();
  await ready(page);
  expect(await rowsOf(page)).toEqual(["1 SQLite", "2 PostgreSQL", "3 Other", "4 Cancel"]);
  expect((await web.program.parley(["show", ask])).out).toContain("  4. Cancel - Cancel the task\n");
});

inBrowser(
  "[SF41] with keys: 4 Enter asks once more, Enter and Esc keep the task, a press cancels it",
  async (plain) => {
    const { web, id } = await asking(plain);
    await using _ = web;
    const page = await web.open();
    await ready(page);
    const sure = page.getByRole("alertdialog", { name: "Cancel the task?" });
    for (const key of ["Enter", "Escape"]) {
      await page.keyboard.press("4");
      await page.keyboard.press("Enter");
      await sure.waitFor();
      await page.keyboard.press(key);
      await sure.waitFor({ state: "detached" });
      expect((await web.task(id)).state).toBe("waiting");
    }
    await page.keyboard.press("4");
    await page.keyboard.press("Enter");
    await sure.getByText("Nothing you entered is sent.").waitFor();
    await sure.getByRole("button", { name: "Cancel the task" }).click();
    await web.becomes(id, isCancelled);
    await page.getByText("✓ task cancelled by web").first().waitFor();
  },
);

inBrowser(
  "[SF42] of several questions each way to the end asks once more; words stay where they are",
  async (plain) => {
    const second = sample({ question: "Which cache?", header: "Cache" });
    const { web, id, ask } = await asking(plain, sample(), second);
    await using _ = web;
    const page = await web.open();
    await ready(page);
    await page.getByRole("radio", { name: /^Cancel/ }).check();
    await page.locator(".steps").getByText("Cache").click();
    await page.getByPlaceholder("Type your own answer").fill("Redis");
    await page.getByRole("button", { name: "Cancel the task" }).click();
    const sure = page.getByRole("alertdialog", { name: "Cancel the task?" });
    await sure.getByRole("button", { name: "Keep it open" }).click();
    expect(await page.getByPlaceholder("Type your own answer").inputValue()).toBe("Redis");
    expect([(await web.task(id)).state, (await web.get(ask)).state]).toEqual(["waiting", "open"]);
  },
);

inBrowser("[SF43] on a phone the second step is in sight and large enough to hit", async (plain) => {
  const { web, id } = await asking(plain);
  await using _ = web;
  const page = await web.open(PHONE);
  await page.locator(".row").first().tap();
  await ready(page);
  expect((await rowsOf(page)).map((row) => row.slice(2))).toEqual(["SQLite", "PostgreSQL", "Other", "Cancel"]);
  await page.getByRole("radio", { name: /^Cancel/ }).check();
  await page.getByRole("button", { name: "Cancel the task" }).tap();
  const sure = page.getByRole("alertdialog");
  const button = sure.getByRole("button", { name: "Cancel the task" });
  const box = await button.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(40);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  expect((await web.task(id)).state).toBe("waiting");
  await button.tap();
  await web.becomes(id, isCancelled);
});
