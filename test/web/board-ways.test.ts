import { expect } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeId } from "../../src/core/id.ts";
import type { TaskEvent } from "../../src/core/task/task.ts";
import { PATIENCE_MS } from "../../src/lab/poll.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { holds } from "../e2e/program.ts";
import { browserTests, hearsKeys, ready, sample } from "./browser.ts";
import { type TaskWeb, withTasks } from "./task-web.ts";
import { eventually } from "../patience.ts";

const inBrowser = browserTests({ starts: false });
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
const asked = [{ ask: [sample()] }, { say: "All is done." }];

inBrowser("[WB55] the board is walked, opened, answered and closed from the keyboard alone", async (plain) => {
  await using web = await withTasks(plain);
  const { id: done } = await web.run("Finished", [{ say: "All is done." }]);
  await web.becomes(done, ({ state }) => state === "done");
  for (const name of ["First", "Second"]) {
    const { id } = await web.run(name, asked);
    await web.becomes(id, ({ state }) => state === "waiting");
  }
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/board`);
  await page.locator(".card").nth(2).waitFor();
  await hearsKeys(page);
  const focused = () => page.evaluate("document.activeElement.querySelector('strong')?.textContent");
  await page.keyboard.press("j");
  await eventually(async () => expect(await focused()).toBe("First"));
  await page.keyboard.press("j");
  await eventually(async () => expect(await focused()).toBe("Second"));
  await page.keyboard.press("l");
  await eventually(async () => expect(await focused()).toBe("Finished"));
  await page.keyboard.press("h");
  await eventually(async () => expect(await focused()).toBe("First"));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "First" });
  await ready(page);
  await page.keyboard.press("o");
  await page.locator("input[name=other]:focus").waitFor();
  await page.keyboard.type("own words");
  await page.keyboard.press("Escape");
  await dialog.waitFor();
  await page.keyboard.press("Enter");
  await dialog.locator(".state", { hasText: "Done" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await eventually(async () => expect(await focused()).toBe("First"));
});

inBrowser("[WB56] on a phone a task is found, answered and given with one thumb", async (plain) => {
  await using web = await withTasks(plain);
  const { id } = await web.run("A task with quite a long name for a small screen", asked);
  await web.becomes(id, ({ state }) => state === "waiting");
  const page = await web.open(PHONE);
  await page.getByRole("link", { name: "Board" }).tap();
  await page.locator(".card").tap();
  await ready(page);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  for (const target of await page.locator("dialog :is(.button, label.option, .close)").all()) {
    const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
    expect([await target.innerText(), Math.min(width, height) >= 44]).toEqual([await target.innerText(), true]);
  }
  await page.locator("label.option", { hasText: "PostgreSQL" }).tap();
  const confirm = page.getByRole("button", { name: "Confirm Answers" });
  const { y = 0, height = 0 } = (await confirm.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(780);
  await confirm.tap();
  await page.locator(".state", { hasText: "Done" }).waitFor();
  await page.getByRole("button", { name: "Close" }).tap();
  await page.getByRole("link", { name: "New task" }).tap();
  await page.getByLabel("What should the agent do?").fill(JSON.stringify([{ say: "Short." }]));
  await page.getByLabel("Folder").fill(web.project);
  await page.getByRole("button", { name: "Start" }).tap();
  await page.getByRole("log").getByText("Short.", { exact: true }).waitFor();
});

inBrowser("[WB72] the end of a log is shown, though it was being read when its task ended", async (plain) => {
  await using web = await withTasks(plain);
  // What goes through the page's worker, as it does once that has started, is not seen by a route.
  const page = await web.open({ serviceWorkers: "block" });
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Read before anything is said, and told only when all is over; a page may give up a reading and begin another.
  await page.route("**/api/tasks/*/log?*", async (route) => {
    const response = await route.fetch().catch(() => undefined);
    if (response) begun.resolve();
    await over.promise;
    await (response ? route.fulfill({ response }) : route.continue()).catch(() => undefined);
  });
  const { id } = await web.run("Short", [{ ask: [sample()] }, { say: "Short." }]);
  const { asks } = await web.becomes(id, ({ state }) => state === "waiting");
  await page.goto(`${web.program.url()}/#/task/${id}`);
  await begun.promise;
  expect((await web.program.parley(["answer", asks[0] ?? "", "1"])).code).toBe(0);
  await web.becomes(id, ({ state }) => state === "done");
  over.resolve();
  await page.getByRole("log").getByText("Short.", { exact: true }).waitFor();
});

inBrowser("[WB57] hostile text in a task's name, prompt, tools and log is text", async (plain) => {
  await using web = await withTasks(plain);
  const evil = "<img src=x onerror=\"document.title='ran'\">\u202e\u001b[31m[x](javascript:alert(1))";
  const { id } = await web.run(evil, [
    { say: `${evil} <script>document.title='ran'</script>` },
    { call: evil.slice(0, 60), input: { command: evil }, result: evil },
    { ask: [sample({ question: `${evil}?`, header: "Evil" })] },
  ]);
  await web.becomes(id, ({ state }) => state === "waiting");
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/board`);
  await page.locator(".card").click();
  await page.getByRole("log").locator("details").last().waitFor();
  await page.getByRole("log").locator("summary").first().click();
  expect(await page.evaluate("document.querySelectorAll('dialog img, dialog script, .card img').length")).toBe(0);
  expect(await page.evaluate("document.title")).not.toBe("ran");
  expect(await page.evaluate("document.body.textContent.includes('\\u202e')")).toBe(false);
  for (const link of await page.locator("dialog a").all())
    expect(await link.getAttribute("href")).not.toMatch(/^javascript/i);
});

inBrowser("[WB58] the board is live through a daemon that is started anew", async (plain) => {
  await using web = await withTasks(plain);
  const go = join(web.project, "go");
  const { id } = await web.run("Long", [
    { call: "Bash", input: { command: "make" }, result: "made", until: go },
    { say: "All is done." },
  ]);
  await web.becomes(id, ({ state }) => state === "in_progress");
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/task/${id}`);
  await page.getByRole("log").locator("details", { hasText: "make" }).waitFor();
  const { port } = web.program.registration();
  await web.program.kill9();
  await page.getByText("Connection lost; trying again …").waitFor({ state: "attached" });
  writeFileSync(go, "");
  await web.program.start({ ...web.env, PARLEY_PORT: String(port) });
  await page.locator(".state", { hasText: "Done" }).waitFor();
  await page.getByRole("log").getByText("All is done.", { exact: true }).waitFor();
});

inBrowser("[WB59] a snoozed question stands last, says until when, and comes back", async (web) => {
  await web.program.start();
  const { id } = await web.ask({ question: "Old?" });
  await web.ask({ question: "New?" });
  const page = await web.open();
  const rows = page.locator(".row");
  await ready(page);
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "2 hours" }).click();
  await page.locator(".pane .question", { hasText: "New?" }).waitFor();
  expect(await holds(async () => /New\?/.test(await rows.first().innerText()))).toBe(true);
  expect(await rows.last().innerText()).toMatch(/snoozed until \d\d:\d\d|snoozed until \d\d-\d\d/);
  expect((await web.get(id)).snoozedUntil).toBeGreaterThan(Date.now());
  await rows.last().click();
  await page.locator(".pane .question", { hasText: "Old?" }).waitFor();
  await ready(page);
  await page.getByRole("button", { name: "Snooze" }).click();
  await page.getByRole("button", { name: "Bring it back" }).click();
  expect(await holds(async () => /Old\?/.test(await rows.first().innerText()))).toBe(true);
});

inBrowser("[WB60] an address with a code and a question opens that question", async (web) => {
  await web.program.start();
  await web.ask({ question: "First?" });
  const { id } = await web.ask({ question: "Second?" });
  const { out } = await web.program.parley(["open", "--print"]);
  const page = await (await web.browser.newContext()).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${out.trim()}&ask=${id}`);
  await page.locator(".pane .question", { hasText: "Second?" }).waitFor();
  await eventually(async () => expect(page.url()).toBe(`${web.program.url()}/#/ask/${id}`));
});

inBrowser(
  "[WB63] what a retry puts under the finger does nothing at first, and does not stop an agent at once",
  async (plain) => {
    await using web = await withTasks(plain);
    const first = join(web.project, "first");
    writeFileSync(first, "");
    const { id } = await web.run("Again", [
      { call: "Bash", input: { command: "make" }, result: "", until: first },
      { say: "All is done." },
    ]);
    await web.becomes(id, ({ state }) => state === "done");
    rmSync(first);
    const page = await web.open();
    await page.goto(`${web.program.url()}/#/task/${id}`);
    const header = page.getByRole("dialog", { name: "Again" }).locator("header");
    await header.getByRole("button", { name: "Retry" }).waitFor();
    // A finger that comes down on every button in the moment it appears.
    await page.evaluate(`new MutationObserver(() => {
    for (const button of document.querySelectorAll("dialog header .actions button"))
      if (/Done/.test(button.textContent) && !button.pressed) (button.pressed = true), button.click();
  }).observe(document.body, { childList: true, subtree: true })`);
    await header.getByRole("button", { name: "Retry" }).click();
    await web.becomes(id, ({ state }) => state === "in_progress");
    const done = header.getByRole("button", { name: "Mark as Done", exact: true });
    await header.getByText("In progress", { exact: true }).waitFor();
    await done.click();
    await header.getByRole("button", { name: "Stop the agent and mark as Done?" }).waitFor();
    expect(await web.task(id)).toMatchObject({ state: "in_progress", attempt: 2 });
    await header.getByRole("button", { name: "Stop the agent and mark as Done?" }).click();
    await web.becomes(id, ({ state }) => state === "done");
  },
);

inBrowser(
  "[WB64] a thousand newer tasks that ended hide none that waits, and an old one opens by its address",
  async (plain) => {
    await using web = await withTasks(plain);
    const { id } = await web.run("Patient", [{ say: "Shall I go on?" }]);
    await web.becomes(id, ({ state }) => state === "waiting");
    const ended = { type: "task.ended", state: "done" } as const;
    const [ancient = ""] = await withHistory(web, [
      { name: "Ancient", at: Date.now() - 86_400_000, events: [ended] },
      ...Array.from({ length: 1000 }, (_, i) => ({ name: `New ${i}`, at: Date.now(), events: [ended] })),
    ]);
    const page = await web.open();
    await page.goto(`${web.program.url()}/#/board`);
    await page.getByRole("region", { name: "Waiting" }).locator(".card", { hasText: "Patient" }).waitFor();
    await page.getByRole("searchbox").fill("Ancient");
    await page.getByText("Nothing has finished yet.").waitFor();
    await page.goto(`${web.program.url()}/#/task/${ancient}`);
    await page.getByRole("dialog", { name: "Ancient" }).waitFor();
    await page.goto(`${web.program.url()}/#/task/nobody`);
    await page.waitForURL("**/#/board");
    expect((await web.program.parley(["tasks"])).out.split("\n")[1]).toContain("Patient");
  },
);

inBrowser(
  "[WB65] a timeline has the newest events, a log its newest lines, and both say that they were cut",
  async (plain) => {
    await using web = await withTasks(plain);
    const said = Array.from({ length: 2100 }, (_, i) => ({ say: `Line ${i}.` }));
    const talks = await web.run("Talks", said);
    const short = await web.run("Short", [{ say: "All is done." }]);
    for (const { id } of [talks, short]) await web.becomes(id, ({ state }) => state === "done");
    const again = [{ type: "task.ended", state: "failed" } as const, { type: "task.retried" } as const];
    const last = { type: "task.ended", state: "cancelled", reason: "the last word" } as const;
    const [busy = ""] = await withHistory(web, [
      { name: "Busy", at: Date.now(), events: [...Array.from({ length: 600 }, () => again).flat(), last] },
    ]);
    const page = await web.open();
    const timeline = page.getByRole("region", { name: "Timeline" });
    await page.goto(`${web.program.url()}/#/task/${busy}`);
    await timeline.getByText("cancelled: the last word").waitFor();
    await timeline.getByText("Earlier events are not shown.").waitFor();
    await page.goto(`${web.program.url()}/#/task/${talks.id}`);
    const log = page.getByRole("log");
    await log.getByText("Line 2099.", { exact: true }).waitFor();
    await log.getByText(`The beginning is left out. All of it: parley task logs ${talks.id.slice(0, 8)}`).waitFor();
    expect(await log.getByText("Line 0.", { exact: true }).count()).toBe(0);
    await page.goto(`${web.program.url()}/#/task/${short.id}`);
    await log.getByText("All is done.", { exact: true }).waitFor();
    await timeline.getByText("created", { exact: true }).waitFor();
    expect(await page.getByText("left out").count()).toBe(0);
  },
);

type Past = { name: string; at: number; events: TaskEvent[] };

/** Tasks as an earlier daemon left them. */
async function withHistory({ program, project, env }: TaskWeb, past: Past[]): Promise<string[]> {
  await program.terminate();
  const store = openSqlite(program.paths.database);
  const order = { prompt: "p", agent: "claude-code", cwd: project, priority: 0, worktree: false, review: false };
  const ids: string[] = [];
  for (const { name, at, events } of past) {
    const id = makeId(crypto.getRandomValues(new Uint8Array(16)));
    ids.push(id);
    const made = { type: "task.created", order: { ...order, name } } as const;
    await store.append({ at, task: { id, expected: 0, events: [made, ...events] } });
  }
  await store.close();
  await program.start(env);
  return ids;
}
