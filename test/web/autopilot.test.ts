import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "../e2e/program.ts";
import { browserTests } from "./browser.ts";
import { serious } from "./serious.ts";

const inBrowser = browserTests();

inBrowser("[AU61] the page shows what the autopilot proposes, and one click accepts it", async (web) => {
  const folder = join(web.program.user, ".config/parley");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "config.toml"),
    `[autopilot]\nmode = "suggest"\n[[autopilot.rules]]\nname = "pg"\nchoose = { label = "PostgreSQL" }\n`,
  );
  const { id } = await web.ask();
  const page = await web.open();
  await page.getByText('Autopilot proposes: "PostgreSQL" (rule pg)').waitFor();
  // [WS8] The option is marked, and all of it can be read in both themes.
  expect(await page.locator(".option", { hasText: "Proposed" }).locator("strong").allInnerTexts()).toEqual([
    "PostgreSQL",
  ]);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect([colorScheme, await serious(page)]).toEqual([colorScheme, []]);
  }
  await page.getByRole("button", { name: "Accept" }).click();
  expect(await holds(async () => (await web.get(id)).outcome !== undefined)).toBe(true);
  expect((await web.get(id)).outcome).toMatchObject({
    actor: { type: "person", surface: "web" },
    answers: [{ picks: [1] }],
  });
});

inBrowser(
  "[TU23] a page of its own shows what is trusted and what that rests on, and one key withdraws it",
  async (web) => {
    const folder = join(web.program.user, ".config/parley");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), `[autopilot]\nmode = "on"\nundo_seconds = 0\ntrust.per_question = 2\n`);
    const layout = { question: "Which layout?", header: "Layout", options: labelled("Grid", "List") };
    const asked = async (session: string) => web.ask(layout, { agent: "script", project: "shop", session });
    for (const session of ["s1", "s2", "s2"]) {
      const { id } = await asked(session);
      expect(await holds(async () => (await web.get(id)).autopilot !== undefined)).toBe(true);
      const body = { action: "answer" as const, answers: [{ picks: [1] }], surface: "web" };
      await web.program.client().call("settleAsk", { id, body });
    }
    const { id } = await asked("s3");
    expect(await holds(async () => (await web.get(id)).outcome !== undefined)).toBe(true);
    const page = await web.open();
    await page.goto(`${web.program.url()}/#/settings`);
    await page.getByRole("link", { name: "What is trusted" }).click();
    const row = page.locator("[data-trust]");
    await row.getByText("answers, with undo").waitFor();
    await row.getByText("3 equal answers in a row over 2 sessions").waitFor();
    await row.getByText("What it rests on").click();
    await row.getByText("it answered").waitFor();
    if (process.env["PICTURES"]) await page.screenshot({ path: `${process.env["PICTURES"]}/trust.png` });
    await page.keyboard.press("j");
    await page.keyboard.press("w");
    await row.getByText("watches", { exact: true }).waitFor();
    await page.getByText("Withdrawn: Which layout?").waitFor();
  },
);

const labelled = (...labels: string[]) =>
  labels.map((label) => ({ label, description: `Show a ${label.toLowerCase()}` }));
