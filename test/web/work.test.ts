import { expect } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../git-repository.ts";
import { browserTests } from "./browser.ts";
import { withTasks } from "./task-web.ts";

const inBrowser = browserTests({ starts: false });

inBrowser(
  "[TD18] in the page a finished task's work is read, applied and discarded, and a card has Done",
  async (plain) => {
    await using web = await withTasks(plain);
    git(web.project, "init", "-q", "-b", "main");
    git(web.project, "commit", "-q", "--allow-empty", "-m", "first");
    const made = async (name: string) => {
      const steps = [{ write: `${name}.txt`, text: `of ${name}\n` }, { say: "Written." }];
      const { id } = await web.run(name, steps, { worktree: true });
      return web.becomes(id, ({ state }) => state === "done");
    };
    await made("taken");
    const { workdir } = await made("left");
    const page = await web.open();
    await page.goto(`${web.program.url()}/#/board`);
    const card = (name: string) => page.locator(".card", { hasText: name });
    await card("taken").getByText("Not applied").waitFor();
    await card("taken").click();
    const dialog = page.getByRole("dialog", { name: "taken" });
    await dialog.locator("summary").click();
    await dialog.locator(".task-diff .added", { hasText: "+of taken" }).waitFor();

    // What is in the way is said, and nothing happens.
    writeFileSync(join(web.project, "taken.txt"), "mine\n");
    const apply = dialog.getByRole("button", { name: "Apply" });
    await apply.click();
    await dialog.getByRole("alert").getByText("taken.txt has changes of yours in the checkout.").waitFor();
    expect(readFileSync(join(web.project, "taken.txt"), "utf8")).toBe("mine\n");
    writeFileSync(join(web.project, "taken.txt"), "of taken\n");
    await apply.click();
    await dialog.getByText(`Applied: 1 file changed in ${web.project}`).first().waitFor();
    await page.keyboard.press("Escape");
    await card("taken").getByText("Applied", { exact: true }).waitFor();

    await card("left").click();
    const other = page.getByRole("dialog", { name: "left" });
    await other.getByRole("button", { name: "Discard" }).click();
    expect(existsSync(workdir?.root ?? "")).toBe(true);
    await other.getByRole("button", { name: "Discard its work?" }).click();
    await other.getByText("git branch restored").waitFor();
    expect(existsSync(workdir?.root ?? "")).toBe(false);
    await page.keyboard.press("Escape");

    const asked = { question: "Which?", header: "", multiSelect: false, options: [] };
    const options = ["A", "B"].map((label) => ({ label, description: "" }));
    const { id } = await web.run("asks", [{ ask: [{ ...asked, options }] }]);
    await web.becomes(id, ({ state }) => state === "waiting");
    await page.getByRole("button", { name: "Done asks" }).click();
    expect((await web.task(id)).state).toBe("waiting");
    await page.getByRole("button", { name: "Mark as done? asks" }).click();
    await web.becomes(id, ({ state }) => state === "done");
  },
);
