import { expect } from "bun:test";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { holds } from "../e2e/program.ts";
import { browserTests, ready, sample } from "./browser.ts";
import { withTasks } from "./task-web.ts";
import { eventually } from "../patience.ts";

const inBrowser = browserTests({ starts: false });
const asked = [{ ask: [sample()] }, { say: "All is done." }];
const three = ["One", "Two", "Three"].map((header) => sample({ question: `${header}?`, header }));

inBrowser("[WB47] tasks stand in columns, and a waiting one says what it waits for", async (plain) => {
  await using web = await withTasks(plain);
  const page = await web.open();
  await page.getByRole("link", { name: "Board" }).click();
  await page.getByText("Nothing waits for you.").waitFor();
  await web.run("Alone", asked);
  await web.run("Several", [{ ask: three }]);
  await web.run("Prose", [{ say: "Shall I go on?" }]);
  await web.run("Finished", [{ say: "All is done." }]);
  await web.run("Busy", [
    { call: "Bash", input: { command: "sleep 1000" }, result: "", until: join(web.project, "never") },
  ]);
  const column = (name: string) => page.getByRole("region", { name, exact: true });
  const card = (name: string, title: string) => column(name).locator(".card", { hasText: title });
  await card("Waiting", "Alone").getByText("? 1 question", { exact: true }).waitFor();
  await card("Waiting", "Several").getByText("? 3 questions", { exact: true }).waitFor();
  await card("Waiting", "Prose").getByText("stopped, not finished", { exact: true }).waitFor();
  await card("In progress", "Busy").getByText("Bash sleep 1000").waitFor();
  await card("Done", "Finished").getByText("3 turns · $0.42").waitFor();
  await page.getByRole("searchbox").fill("prose");
  expect(await holds(async () => (await page.locator(".card").count()) === 1)).toBe(true);
});

inBrowser(
  "[WB48] a card shows the question's real options; answered there, the task goes on to done",
  async (plain) => {
    await using web = await withTasks(plain);
    const { id } = await web.run("Checkout", asked);
    await web.becomes(id, ({ state }) => state === "waiting");
    const page = await web.open();
    await page.goto(`${web.program.url()}/#/board`);
    await page.locator(".card", { hasText: "Checkout" }).click();
    const dialog = page.getByRole("dialog", { name: "Checkout" });
    await ready(page);
    expect(await dialog.locator(".option strong").allInnerTexts()).toEqual(
      expect.arrayContaining(["SQLite", "PostgreSQL", "Other"]),
    );
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await dialog
      .getByRole("list", { name: "Just answered" })
      .getByText(/"PostgreSQL"/)
      .waitFor();
    await dialog.locator(".state", { hasText: "Done" }).waitFor();
    await dialog.getByRole("log").getByText("All is done.", { exact: true }).waitFor();
    const timeline = dialog.getByRole("region", { name: "Timeline" });
    await timeline.getByText("answered by a person (web): PostgreSQL", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Done" }).locator(".card", { hasText: "Checkout" }).waitFor();
  },
);

inBrowser("[WB49] a task is given in the page and runs where it was told to", async (plain) => {
  await using web = await withTasks(plain);
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/board`);
  await page.getByRole("heading", { name: "Board" }).waitFor();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByRole("button", { name: "Start" }).click();
  expect(await dialog.getByRole("alert").innerText()).toBe("Say what the agent should do.");
  const steps = [{ write: "made.txt", text: "x" }, { say: "Made it." }];
  await dialog.getByLabel("What should the agent do?").fill(JSON.stringify(steps));
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "New task" }).click();
  expect(await dialog.getByLabel("What should the agent do?").inputValue()).toBe(JSON.stringify(steps));
  await dialog.getByLabel("Folder").fill("/nonexistent/folder");
  await eventually(async () => {
    await dialog.getByRole("button", { name: "Start" }).click();
    expect((await dialog.getByRole("alert").allInnerTexts()).join()).toContain("/nonexistent/folder");
  });
  await dialog.getByLabel("Folder").fill(web.project);
  await dialog.getByText("More", { exact: true }).click();
  await dialog.getByLabel("Name").fill("Maker");
  await dialog.getByLabel("Model").fill("opus");
  await dialog.getByLabel("Permission mode").selectOption("acceptEdits");
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.getByRole("dialog", { name: "Maker" }).getByRole("log").getByText("Made it.", { exact: true }).waitFor();
  expect(await Bun.file(join(web.project, "made.txt")).text()).toBe("x");
  const [task] = (await web.program.client().call("listTasks")).tasks;
  expect(task?.order).toMatchObject({ name: "Maker", model: "opus", permissionMode: "acceptEdits", worktree: false });
});

inBrowser("[WB67] a budget that is no number is said beside its field, and no task is made", async (plain) => {
  await using web = await withTasks(plain);
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/board/new`);
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByLabel("What should the agent do?").fill(JSON.stringify([{ say: "All is done." }]));
  await dialog.getByLabel("Folder").fill(web.project);
  await dialog.getByText("More", { exact: true }).click();
  expect(await dialog.getByLabel("Permission mode").locator("option").allInnerTexts()).toEqual([
    "default",
    "acceptEdits",
    "plan",
    "dontAsk",
    "bypassPermissions",
  ]);
  const budget = dialog.getByLabel("Budget in USD");
  for (const wrong of ["two", "2,50", "0", "Infinity"]) {
    await budget.fill(wrong);
    await dialog.getByText("More", { exact: true }).click();
    await dialog.getByRole("button", { name: "Start" }).click();
    await dialog.locator("label", { hasText: "Budget" }).getByRole("alert").getByText("A number above 0").waitFor();
    await eventually(async () => expect(await page.evaluate("document.activeElement.name")).toBe("budget"));
  }
  expect((await web.program.client().call("listTasks")).tasks).toEqual([]);
  await budget.fill("2.50");
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.getByRole("log").getByText("All is done.", { exact: true }).waitFor();
  expect((await web.program.client().call("listTasks")).tasks[0]?.order.budgetUsd).toBe(2.5);
});

inBrowser("[WB50] a task that waits without a question takes feedback, and goes on with it", async (plain) => {
  await using web = await withTasks(plain);
  const { id } = await web.run("Prose", [{ say: "Shall I also clean up?" }]);
  await web.becomes(id, ({ state }) => state === "waiting");
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/task/${id}`);
  const dialog = page.getByRole("dialog", { name: "Prose" });
  await ready(page);
  const box = dialog.getByLabel("Provide Feedback");
  expect(await box.getAttribute("placeholder")).toBe("Type your response...");
  await box.fill("Yes, but leave the logs");
  await dialog.getByRole("button", { name: "Submit Feedback" }).click();
  await dialog.getByRole("log").getByText("I was told: Yes, but leave the logs").waitFor();
});

inBrowser("[WB70] a task that waits by itself takes feedback at once, and no empty one", async (plain) => {
  await using web = await withTasks(plain, "retry_backoff_seconds = 600\non_dead = 'resume'\n");
  const { id } = await web.run("Later", [{ say: "Let me see." }, { exit: 1 }, { say: "All is done." }]);
  await web.becomes(id, ({ resumeAt }) => resumeAt !== undefined);
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/task/${id}`);
  const dialog = page.getByRole("dialog", { name: "Later" });
  await dialog.getByText(/^continues on its own in /).waitFor();
  const submit = dialog.getByRole("button", { name: "Submit Feedback" });
  await submit.click();
  await dialog.getByRole("alert").getByText("No text entered.").waitFor();
  await dialog.getByLabel("Provide Feedback").fill("Try the other mirror");
  await submit.click();
  await dialog.getByRole("log").getByText("I was told: Try the other mirror").waitFor();
  await dialog.locator(".state", { hasText: "Done" }).waitFor();
  expect(await submit.count()).toBe(0);
});

inBrowser("[WB51] the log is live: calls are folded, a question is its text, cut at 120", async (plain) => {
  await using web = await withTasks(plain);
  const go = join(web.project, "go");
  const long = sample({ question: `${"Which of all these many databases ".repeat(3)}shall it be?`, header: "Long" });
  const { id } = await web.run("Log", [
    { say: "Looking at **it**." },
    { call: "Bash", input: { command: "npm test" }, result: "12 passed\nand more", until: go },
    { call: "Read", input: { file_path: "/x" }, result: "no such file", isError: true },
    { ask: [long, sample({ question: "And when?", header: "When" })] },
  ]);
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/task/${id}`);
  const log = page.getByRole("log");
  await log.locator("strong", { hasText: "it" }).waitFor();
  const call = log.locator("details", { hasText: "npm test" });
  await call.getByText("runs", { exact: true }).waitFor();
  writeFileSync(go, "");
  await call.getByText("runs", { exact: true }).waitFor({ state: "detached" });
  expect(await call.locator("pre").first().isVisible()).toBe(false);
  await call.locator("summary").click();
  await call.getByText("and more").waitFor();
  await log.locator("details", { hasText: "Read" }).getByText("failed", { exact: true }).waitFor();
  const question = await log.locator('[data-kind="asked"] summary > span').first().innerText();
  expect(question).toMatch(/^\? Which of all these many databases .+…$/);
  expect(question.length - 2).toBeLessThanOrEqual(120);
});

inBrowser("[WB52] retry, cancel and done act on the task; what stops work takes a second press", async (plain) => {
  await using web = await withTasks(plain);
  const { id } = await web.run("Acts", asked);
  await web.becomes(id, ({ state }) => state === "waiting");
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/task/${id}`);
  const header = page.getByRole("dialog", { name: "Acts" }).locator("header");
  await header.getByRole("button", { name: "Cancel", exact: true }).click();
  await header.getByRole("button", { name: "Cancel the task?" }).waitFor();
  expect((await web.task(id)).state).toBe("waiting");
  await header.getByRole("button", { name: "Cancel the task?" }).click();
  await header.getByText("Cancelled", { exact: true }).waitFor();
  expect((await web.task(id)).state).toBe("cancelled");
  await header.getByRole("button", { name: "Retry" }).click();
  await header.getByText("? 1 question").waitFor();
  expect((await web.task(id)).attempt).toBe(2);
  await header.getByRole("button", { name: "Mark as Done" }).click();
  await header.getByText("Done", { exact: true }).waitFor();
  expect((await web.task(id)).state).toBe("done");
});

inBrowser("[WB53] from its question in the inbox a task is cancelled, marked as done and looked at", async (plain) => {
  await using web = await withTasks(plain);
  const first = await web.run("First", [{ ask: [sample({ question: "First?" })] }]);
  await web.becomes(first.id, ({ state }) => state === "waiting");
  const second = await web.run("Second", [{ ask: [sample({ question: "Second?" })] }]);
  await web.becomes(second.id, ({ state }) => state === "waiting");
  const page = await web.open();
  await page.locator(".row", { hasText: "First?" }).click();
  await ready(page);
  const options = page.locator("form.answer .option");
  expect(await options.filter({ hasText: "Cancel the task" }).count()).toBe(1);
  await page.getByRole("radio", { name: /^Cancel/ }).check();
  await page.getByRole("button", { name: "Cancel the task" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel the task" }).click();
  await web.becomes(first.id, ({ state }) => state === "cancelled");
  await page.locator(".row", { hasText: "Second?" }).click();
  await page.locator(".pane .question", { hasText: "Second?" }).waitFor();
  await ready(page);
  await page.getByRole("link", { name: "Show the task" }).click();
  await page.getByRole("dialog", { name: "Second" }).waitFor();
  await page.goBack();
  await ready(page);
  await page.getByRole("button", { name: "Mark as Done" }).click();
  await web.becomes(second.id, ({ state }) => state === "done");
  await page.getByText("Nothing waits for you", { exact: true }).waitFor();
});

inBrowser("[WB54] what a worktree changed stands beside its task", async (plain) => {
  await using web = await withTasks(plain);
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd: web.project });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "first");
  const steps = [{ write: "new.txt", text: "one\ntwo\n" }, { say: "Written." }];
  const { id } = await web.run("Tree", steps, { worktree: true });
  await web.becomes(id, ({ state }) => state === "done");
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/board`);
  await page.locator(".card", { hasText: "+2" }).click();
  const changes = page.getByRole("region", { name: "Changes" });
  await changes.getByText("new.txt").waitFor();
  expect(await changes.locator("p").innerText()).toBe("1 file +2 −0");
});
