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
