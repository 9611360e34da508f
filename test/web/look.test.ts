import { expect } from "bun:test";
import { join } from "node:path";
import { browserTests, ready, sample, type Web } from "./browser.ts";
import { serious } from "./serious.ts";
import { type TaskWeb, withTasks } from "./task-web.ts";
import { eventually } from "../patience.ts";

const inBrowser = browserTests();
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

async function fill(web: Web): Promise<void> {
  const options = [
    { label: "One", description: "with `code`", preview: "┌─┐\n└─┘" },
    { label: "Two (Recommended)", description: "more", preview: "# Title\n\n- a\n- b" },
  ];
  await web.ask({
    question: "Of these\n\n- [a](https://example.com)\n- b\n\nwhich **layout**?",
    header: "Layout",
    options,
  });
  await web.asks([sample({ header: "One" }), sample({ header: "Two", multiSelect: true })]);
  const { id } = await web.ask({ question: "Settled?" });
  await web.program.parley(["answer", id, "1"]);
}

/** One task in each column, and one that shows all there is. */
async function fillBoard(web: TaskWeb): Promise<string> {
  await web.run("Finished", [{ say: "All is done." }]);
  await web.run("Broken", [{ exit: 3 }]);
  const until = join(web.project, "never");
  await web.run("Busy", [{ call: "Bash", input: { command: "make" }, result: "", until }]);
  const { id } = await web.run("Asks", [
    { say: "Some **words** with `code`." },
    { call: "Bash", input: { command: "npm test" }, result: "failed", isError: true },
    { ask: [sample({ question: "On the board?" })] },
  ]);
  await web.becomes(id, ({ state }) => state === "waiting");
  return id;
}
const BOARD_VIEWS = (task: string): [view: string, ready: string][] => [
  ["board", '.card[data-state="in_progress"]'],
  [`task/${task}`, ".log details"],
  ["board/new", "dialog.new-task"],
];

for (const [name, options] of [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", PHONE],
] as const)
  inBrowser(`[WB31] axe finds nothing serious in any view (${name})`, async (plain) => {
    await using web = await withTasks(plain);
    await fill(web);
    const task = await fillBoard(web);
    const page = await web.open(options);
    const rows = page.locator(".row");
    await rows.first().waitFor();
    expect(["list", await serious(page)]).toEqual(["list", []]);
    await rows.first().click();
    await ready(page);
    await page.getByRole("button", { name: "Confirm Answers" }).click();
    await page.getByRole("alert").waitFor();
    expect(["form", await serious(page)]).toEqual(["form", []]);
    await page.getByRole("radio", { name: "One" }).check();
    await page.getByRole("button", { name: "Decline" }).click();
    expect(["decline", await serious(page)]).toEqual(["decline", []]);
    for (const view of ["history", "settings"]) {
      await page.goto(`${web.program.url()}/#/${view}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator(".entries li, .things li").first().waitFor();
      expect([view, await serious(page)]).toEqual([view, []]);
    }
    for (const [view, first] of BOARD_VIEWS(task)) {
      await page.goto(`${web.program.url()}/#/${view}`);
      await page.locator(first).first().waitFor();
      expect([view, await serious(page)]).toEqual([view, []]);
    }
    await page.context().clearCookies();
    await page.goto(`${web.program.url()}/?again`);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(["sign-in", await serious(page)]).toEqual(["sign-in", []]);
  });

inBrowser(
  "[WB32] on a phone a question is answered with one thumb: nothing is cut off, every target is 44 px",
  async (web) => {
    await fill(web);
    const page = await web.open(PHONE);
    await page.locator(".row").first().tap();
    await ready(page);
    const targets = page.locator(
      "form.answer :is(label.option, .actions button, .figcaption button), .meta .back, .steps button",
    );
    for (const target of await targets.all()) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
      expect([await target.innerText(), Math.min(width, height) >= 44]).toEqual([await target.innerText(), true]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    const confirm = page.getByRole("button", { name: "Confirm Answers" });
    const { y = 0, height = 0 } = (await confirm.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(780);
    expect(y).toBeGreaterThan(780 / 2);
    await page.locator("label.option").first().tap();
    await confirm.tap();
    await page.locator(".receipts li").first().waitFor();
    await page.locator(".steps").waitFor();
  },
);

inBrowser("[WB33] the theme follows the system unless the person says otherwise, and stays so", async (web) => {
  const page = await web.open({ colorScheme: "dark" });
  const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const dark = await ground();
  await page.goto(`${web.program.url()}/#/settings`);
  await page.getByRole("radio", { name: "Light" }).check();
  await eventually(async () => expect(await ground()).not.toBe(dark));
  const light = await ground();
  await page.reload();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await eventually(async () => expect(await ground()).toBe(light));
  await page.getByRole("radio", { name: "System" }).check();
  await eventually(async () => expect(await ground()).toBe(dark));
});
