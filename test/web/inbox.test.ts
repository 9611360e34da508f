import { expect } from "bun:test";
import { browserTests, ready } from "./browser.ts";
import { eventually } from "../patience.ts";

const inBrowser = browserTests();

inBrowser(
  "[WB11] every open ask is listed, longest waiting first, with header, project, branch, age and agent",
  async (web) => {
    await web.ask({ question: "First?", header: "One" }, { agent: "claude-code", project: "shop", branch: "feat/a" });
    await web.ask({ question: "Second?", header: "Two" }, { agent: "codex", project: "docs", branch: "main" });
    const page = await web.open();
    const rows = page.locator(".row");
    await eventually(async () => expect(await rows.count()).toBe(2));
    const [first = "", second = ""] = await rows.allInnerTexts();
    expect(first.replaceAll(/\s+/g, " ")).toMatch(/^One shop feat\/a (now|\d+ (s|min)) Claude Code First\?$/);
    expect(second).toContain("Second?");
    await eventually(async () => expect(await page.title()).toBe("(2) Parley"));
    expect(page.url()).not.toContain("code");
  },
);

inBrowser("[WB12] a new ask appears by itself, counts in the title and takes nobody's place", async (web) => {
  await web.ask({ question: "First?" });
  const page = await web.open();
  await page.getByRole("radio", { name: "Other" }).check();
  await page.locator("input[name=other]").pressSequentially("half a tho");
  await web.ask({ question: "Second?" });
  await page.getByText("Second?").waitFor();
  await eventually(async () => expect(await page.title()).toBe("(2) Parley"));
  await page.keyboard.type("ught");
  await eventually(async () => expect(await page.locator("input[name=other]").inputValue()).toBe("half a thought"));
  expect(await page.locator(".pane .question").innerText()).toBe("First?");
});

inBrowser("[WB13] search and kind leave what fits, and say when nothing does", async (web) => {
  await web.ask({ question: "Which colour?" }, { agent: "script", project: "shop" });
  await web.ask({ question: "Which font?" }, { agent: "script", project: "docs" });
  const page = await web.open();
  const search = page.getByRole("searchbox");
  await page.keyboard.press("/");
  await page.keyboard.type("docs font");
  await page.locator(".row", { hasText: "Which colour?" }).waitFor({ state: "detached" });
  expect(await page.locator(".row").allInnerTexts()).toEqual([expect.stringContaining("Which font?")]);
  await search.fill("nothing like this");
  await page.getByText("Nothing matches this search.").waitFor();
  await search.fill("");
  await eventually(async () =>
    expect(await page.getByLabel("Kind").locator("option").allInnerTexts()).toEqual(["All (2)", "Questions (2)"]),
  );
});

inBrowser("[WB66] a chosen kind stays chosen when its last ask is gone", async (web) => {
  await web.ask({ question: "Which font?" });
  const payload = { session_id: "s1", hook_event_name: "PermissionRequest", tool_name: "Bash" };
  const waiting = web.waits({ ...payload, tool_input: { command: "make" }, permission_suggestions: [] });
  const page = await web.open();
  const kind = page.getByLabel("Kind");
  await page.locator(".row").nth(1).waitFor();
  await kind.selectOption("approval");
  await page.locator(".row", { hasNotText: "Which font?" }).click();
  await page.locator(".pane .verbatim").waitFor();
  await ready(page);
  await page.getByRole("radio", { name: "Approve" }).check();
  await page.getByRole("button", { name: "Confirm Answers" }).click();
  await waiting;
  await page.getByText("Nothing matches this search.").waitFor();
  expect(await kind.inputValue()).toBe("approval");
  await eventually(async () =>
    expect(await kind.locator("option").allInnerTexts()).toEqual(["All (1)", "Approvals (0)", "Questions (1)"]),
  );
});

inBrowser("[AX4] with several agents one of them can be chosen, and each question says who waits how", async (web) => {
  await web.ask({ question: "Which font?" });
  const payload = { session_id: "s1", hook_event_name: "PermissionRequest", tool_name: "Bash" };
  const input = { tool_input: { command: "make" }, permission_suggestions: [] };
  const waiting = web.waits({ ...payload, ...input });
  const page = await web.open();
  const agent = page.getByLabel("Agent", { exact: true });
  await agent.selectOption({ label: "Claude Code (1)" });
  await page.locator(".row", { hasText: "Which font?" }).waitFor({ state: "detached" });
  await page.locator(".row", { hasText: "Claude Code" }).click();
  await page.locator(".pane .meta", { hasText: "answers at once" }).waitFor();
  await agent.selectOption("all");
  await page.locator(".row", { hasText: "Which font?" }).waitFor();
  await ready(page);
  await page.getByRole("radio", { name: "Approve" }).check();
  await page.getByRole("button", { name: "Confirm Answers" }).click();
  await waiting;
});

inBrowser("[WB14] ten asks are answered without leaving the keyboard, each with what was pressed", async (web) => {
  const asks = [];
  for (let i = 0; i < 10; i++) asks.push(await web.ask({ question: `Question ${i}?`, multiSelect: i % 2 === 1 }));
  const page = await web.open();
  for (const i of asks.keys()) {
    await page.locator(".pane .question", { hasText: `Question ${i}?` }).waitFor();
    await ready(page);
    await page.keyboard.press("2");
    if (i % 2 === 1) await page.keyboard.press("1");
    await page.keyboard.press("Enter");
  }
  await page.getByText("Nothing waits for you", { exact: true }).waitFor();
  await eventually(async () => expect(await page.title()).toBe("Parley"));
  for (const [i, { id }] of asks.entries()) {
    const { outcome } = await web.get(id);
    expect(outcome).toMatchObject({ type: "answered", actor: { type: "person", surface: "web" } });
    expect(outcome?.answers).toEqual([{ picks: i % 2 === 1 ? [0, 1] : [1] }]);
  }
});

inBrowser("[WB15] j and k walk the list, space chooses the marked option, ? shows the keys", async (web) => {
  await web.ask({ question: "First?" });
  const second = await web.ask({ question: "Second?", multiSelect: true });
  const page = await web.open();
  await page.locator(".pane .question", { hasText: "First?" }).waitFor();
  await page.keyboard.press("j");
  await page.locator(".pane .question", { hasText: "Second?" }).waitFor();
  await page.keyboard.press("k");
  await page.locator(".pane .question", { hasText: "First?" }).waitFor();
  await page.keyboard.press("j");
  await page.locator(".pane .question", { hasText: "Second?" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await eventually(async () => expect(await page.getByRole("checkbox", { name: "PostgreSQL" }).isChecked()).toBe(true));
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("2");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect((await web.get(second.id)).state).toBe("open");
  // The mouse was used in between: the keys mean the open question all the same.
  await page.locator(".row", { hasText: "Second?" }).click();
  await ready(page);
  await page.keyboard.press("Enter");
  await page.locator(".receipts li").waitFor();
  expect((await web.get(second.id)).outcome?.answers).toEqual([{ picks: [1] }]);
});
