import { expect } from "bun:test";
import { browserTests, ready, sample } from "./browser.ts";
import { eventually } from "../patience.ts";

const inBrowser = browserTests();

inBrowser("[WB16] an answer is a pick, own words or both, with a note, as three fields", async (web) => {
  const single = await web.ask({ question: "Single?" });
  const several = await web.ask({ question: "Several?", multiSelect: true });
  const page = await web.open();
  await ready(page);
  await page.getByPlaceholder("Type your own answer").fill("DuckDB, please");
  await page.getByRole("button", { name: "Add a note" }).click();
  await page.getByLabel("Note").fill("it is fast");
  await eventually(async () => expect(await page.getByRole("radio", { name: "Other" }).isChecked()).toBe(true));
  await page.getByRole("button", { name: "Confirm Answers" }).click();
  await page.locator(".pane .question", { hasText: "Several?" }).waitFor();
  expect((await web.get(single.id)).outcome?.answers).toEqual([
    { picks: [], text: "DuckDB, please", note: "it is fast" },
  ]);
  await ready(page);
  await page.getByRole("checkbox", { name: "SQLite" }).check();
  await page.getByPlaceholder("Type your own answer").fill("and a cache");
  await page.getByRole("button", { name: "Confirm Answers" }).click();
  await page.getByText("Nothing waits for you", { exact: true }).waitFor();
  expect((await web.get(several.id)).outcome?.answers).toEqual([{ picks: [0], text: "and a cache" }]);
});

inBrowser(
  "[WB17] nothing selected, and Other without text, are said beside the question and send nothing",
  async (web) => {
    const { id } = await web.ask();
    const page = await web.open();
    await ready(page);
    await page.getByRole("button", { name: "Confirm Answers" }).click();
    expect(await page.getByRole("alert").innerText()).toBe("Please select at least one option.");
    await page.getByRole("radio", { name: "Other" }).check();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Confirm Answers" }).click();
    expect(await page.getByRole("alert").innerText()).toBe("Other selected but no text entered.");
    await page.getByRole("radio", { name: "SQLite" }).check();
    await page.getByRole("alert").waitFor({ state: "detached" });
    expect((await web.get(id)).state).toBe("open");
  },
);

inBrowser("[WB18] several questions are steps with back and a review, and each must be answered", async (web) => {
  const { id } = await web.asks([
    sample({ question: "Where?", header: "Place" }),
    sample({ question: "Which?", header: "Parts", multiSelect: true }),
    sample({ question: "When?", header: "Time" }),
  ]);
  const page = await web.open();
  const question = (text: string) => page.locator(".pane .question", { hasText: text }).waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  expect(await page.getByRole("alert").innerText()).toBe("Please select at least one option.");
  await page.getByRole("radio", { name: "SQLite" }).check();
  await page.getByRole("button", { name: "Next" }).click();
  await question("Which?");
  await page.getByRole("checkbox", { name: "PostgreSQL" }).check();
  await page.getByRole("button", { name: "Back" }).click();
  await question("Where?");
  await eventually(async () => expect(await page.getByRole("radio", { name: "SQLite" }).isChecked()).toBe(true));
  await page.getByRole("radio", { name: "PostgreSQL" }).check();
  await page.getByRole("button", { name: "Review" }).click();
  expect(await page.locator(".review dd .error").innerText()).toBe("Please select at least one option.");
  await ready(page);
  await page.getByRole("button", { name: "Confirm Answers" }).click();
  await question("When?");
  expect(await page.getByRole("alert").innerText()).toBe("Please select at least one option.");
  await page.getByRole("radio", { name: "SQLite" }).check();
  await page.locator(".actions").getByRole("button", { name: "Review" }).click();
  await eventually(async () =>
    expect(await page.locator(".review strong").allInnerTexts()).toEqual(["PostgreSQL", "PostgreSQL", "SQLite"]),
  );
  await ready(page);
  await page.getByRole("button", { name: "Confirm Answers" }).click();
  await page.getByText("Nothing waits for you", { exact: true }).waitFor();
  expect((await web.get(id)).outcome?.answers).toEqual([{ picks: [1] }, { picks: [1] }, { picks: [0] }]);
});

inBrowser("[WB19] a question without options is a box for feedback", async (web) => {
  const payload = {
    session_id: "s1",
    hook_event_name: "PreToolUse",
    tool_name: "AskUserQuestion",
    tool_use_id: "toolu_1",
    tool_input: { questions: [{ question: "What is missing?", header: "Feedback", multiSelect: false, options: [] }] },
  };
  const body = { agent: "claude-code", call: "c1", waits: false, payload, facts: {} };
  await web.program.client("agent").call("hookCall", { body });
  const page = await web.open();
  await ready(page);
  const box = page.getByLabel("Provide Feedback");
  expect(await box.getAttribute("placeholder")).toBe("Type your response...");
  await page.getByRole("button", { name: "Submit Feedback" }).click();
  expect(await page.getByRole("alert").innerText()).toBe("No text entered.");
  await box.fill("Nothing at all");
  await page.getByRole("button", { name: "Submit Feedback" }).click();
  await page.locator(".receipts li").waitFor();
  const { asks } = await web.program.client().call("listAsks", { query: { state: "all" } });
  expect(asks[0]?.outcome?.answers).toEqual([{ picks: [], text: "Nothing at all" }]);
});

inBrowser("[WB20] declining and chatting take a second step, and chat needs words", async (web) => {
  const declined = await web.ask({ question: "First?" });
  const chat = await web.ask({ question: "Second?" });
  const page = await web.open();
  await ready(page);
  await page.keyboard.press("d");
  await page.getByLabel("Decline this question").fill("not now");
  await page.keyboard.press("Escape");
  expect((await web.get(declined.id)).state).toBe("open");
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByLabel("Decline this question").fill("not now");
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  await page.locator(".pane .question", { hasText: "Second?" }).waitFor();
  expect((await web.get(declined.id)).outcome).toMatchObject({ type: "declined", message: "not now" });
  await ready(page);
  await page.keyboard.press("c");
  await page.getByRole("button", { name: "Send" }).click();
  expect(await page.getByRole("alert").innerText()).toBe("Say what you want to talk about.");
  await page.getByRole("textbox", { name: "Chat about this" }).fill("which load?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Nothing waits for you", { exact: true }).waitFor();
  expect((await web.get(chat.id)).outcome).toMatchObject({ type: "chat", message: "which load?" });
});

inBrowser("[WB21] what has just appeared settles nothing, and a double click answers one question", async (web) => {
  const first = await web.ask({ question: "First?" });
  const second = await web.ask({ question: "Second?" });
  const page = await web.open();
  await page.locator(".pane .question", { hasText: "First?" }).waitFor();
  await ready(page);
  // The page's clock stands: however slow this machine is, the form has only just appeared.
  await page.clock.install();
  // Ahead by more than it takes to say so: a clock cannot be stopped at a time that has passed.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press("j");
  await page.locator(".pane .question", { hasText: "Second?" }).waitFor();
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.keyboard.press("1");
  await eventually(async () => expect(await page.getByRole("radio", { name: "SQLite" }).isChecked()).toBe(true));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Confirm Answers" }).click();
  // A request of its own comes after everything that was sent before it.
  await page.evaluate("fetch('/health').then((reply) => reply.json())");
  expect(sent).toContain("GET /health");
  expect(sent.filter((line) => line.startsWith("POST"))).toEqual([]);
  await page.clock.resume();
  await ready(page);
  await page.keyboard.press("k");
  await page.locator(".pane .question", { hasText: "First?" }).waitFor();
  await ready(page);
  await page.keyboard.press("2");
  await page.getByRole("button", { name: "Confirm Answers" }).dblclick();
  await page.locator(".receipts li").waitFor();
  await page.locator(".pane .question", { hasText: "Second?" }).waitFor();
  expect((await web.get(first.id)).outcome?.answers).toEqual([{ picks: [1] }]);
  expect((await web.get(second.id)).state).toBe("open");
});

inBrowser("[WB22] the outcome line changes when its receipt arrives", async (web) => {
  const { id } = await web.ask();
  const page = await web.open();
  await ready(page);
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await page.locator(".receipts", { hasText: '… saved: "SQLite"; script has not picked it up yet' }).waitFor();
  await web.program.client("agent").call("receiveAnswer", { id });
  await page.locator(".receipts", { hasText: /✓ script received "SQLite" \(/ }).waitFor();
});

inBrowser(
  "[WB23] previews stand side by side: drawings to the letter, HTML in a frame that can do nothing",
  async (web) => {
    const drawing = "┌───┐\n│ A │\n└───┘";
    const html = "<div id='mark' style='color:rgb(1, 2, 3)'>Raised<script>document.title='ran'</script></div>";
    await web.ask({
      options: [
        { label: "Drawn", description: "as text", preview: drawing },
        { label: "Shown", description: "as HTML", preview: html },
      ],
    });
    const page = await web.open();
    await page.locator(".previews").waitFor();
    const [left, right] = await page.locator(".previews figure").all();
    const boxes = await Promise.all([left?.boundingBox(), right?.boundingBox()]);
    expect(boxes[0]?.y).toBe(boxes[1]?.y ?? -1);
    expect((await left?.locator("pre").innerText())?.trimEnd()).toBe(drawing);
    expect(await right?.locator("iframe").getAttribute("sandbox")).toBe("");
    const mark = page.frameLocator("iframe").locator("#mark");
    await mark.waitFor();
    expect(await mark.evaluate((element) => element.ownerDocument.title)).toBe("");
    await right?.getByRole("button", { name: "Shown" }).click();
    await eventually(async () => expect(await page.getByRole("radio", { name: "Shown" }).isChecked()).toBe(true));
  },
);
