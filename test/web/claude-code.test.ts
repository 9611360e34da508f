import { expect } from "bun:test";
import { pickOption } from "../../src/agents/claude-code/lab/dialog.ts";
import { eachVersion, openStage, question } from "../agents/stage.ts";
import { createWeb, launch, ready } from "./browser.ts";

const database = question("Which database?", ["SQLite", "Postgres"], { header: "Database" });
const features = question("Which features?", ["Auth", "Search, fuzzy", "Export"], {
  header: "Features",
  multiSelect: true,
});

eachVersion("the page", ({ version, it }) => {
  it("[WB40] a question of the real agent is answered in the page, and the page shows the receipt", async () => {
    await using stage = await openStage({ version });
    await using browser = await launch();
    await using web = await createWeb(browser, stage.program);
    const page = await web.open();
    const { id } = await stage.asks([features, database]);
    await page.locator(".row", { hasText: "Which features?" }).click();
    await page.getByRole("checkbox", { name: "Search, fuzzy" }).check();
    await page.getByRole("checkbox", { name: "Export" }).check();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByPlaceholder("Type your own answer").fill("DuckDB");
    await page.locator(".actions").getByRole("button", { name: "Review" }).click();
    await ready(page);
    await page.getByRole("button", { name: "Confirm Answers" }).click();
    await page.locator(".receipts", { hasText: /✓ Claude Code received "Search, fuzzy, Export; DuckDB" \(/ }).waitFor();
    expect((await stage.received()).text).toContain("DuckDB");
    expect((await web.get(id)).state).toBe("verified");

    const second = await stage.asks([database], "second");
    await page.locator(".row", { hasText: "Which database?" }).click();
    await ready(page);
    await page.getByPlaceholder("Type your own answer").fill("I was about to say");
    await pickOption(stage.claude.tmux, 1);
    await page.getByText(/^Answered in the terminal .+ ago: SQLite/).waitFor();
    expect(await page.getByRole("region", { name: "What you had filled in" }).innerText()).toContain(
      "I was about to say",
    );
    expect((await web.get(second.id)).outcome?.actor.surface).toBe("terminal");
  });
});
