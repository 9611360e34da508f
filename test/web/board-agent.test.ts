import { expect } from "bun:test";
import { eachVersion, question } from "../agents/stage.ts";
import { asks, openTaskStage } from "../agents/task-stage.ts";
import { createWeb, launch, ready } from "./browser.ts";

const database = question("Which database?", ["SQLite", "Postgres, managed"], { header: "Database" });
const features = question("Which features?", ["Auth", "Search", "Export"], { header: "Features", multiSelect: true });

eachVersion("the board", ({ version, it }) => {
  it("[WB61] a task of the real agent asks, is answered on the board with its real options, and goes on to done", async () => {
    await using stage = await openTaskStage({ version, parkAfter: 1 });
    await using browser = await launch();
    await using web = await createWeb(browser, stage.program);
    const page = await web.open();
    await page.goto(`${stage.program.url()}/#/board`);
    const { id } = await stage.run(
      [{ text: "Let me ask." }, asks("toolu_board", features, database), { text: "All is done." }],
      "--name",
      "Shop",
    );
    const card = page.getByRole("region", { name: "Waiting" }).locator(".card", { hasText: "Shop" });
    await card.getByText("? 2 questions", { exact: true }).waitFor();
    // Without a process: the agent is gone, the question is not.
    await stage.parks(id);
    await card.click();
    const dialog = page.getByRole("dialog", { name: "Shop" });
    await ready(page);
    await dialog.getByRole("checkbox", { name: "Search" }).check();
    await dialog.getByRole("checkbox", { name: "Export" }).check();
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByRole("radio", { name: "Postgres, managed" }).check();
    await dialog.locator(".actions").getByRole("button", { name: "Review" }).click();
    await ready(page);
    await dialog.getByRole("button", { name: "Confirm Answers" }).click();
    await dialog.getByText(/✓ Claude Code received "Search, Export; Postgres, managed"/).waitFor();
    await dialog.locator(".state", { hasText: "Done" }).waitFor();
    expect((await stage.model.waitForToolResult("toolu_board")).text).toContain("Postgres, managed");
    await dialog.getByRole("log").getByText("? Which features? / Which database?").waitFor();
    expect((await stage.task(id)).state).toBe("done");
  });
});
