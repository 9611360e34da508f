import { expect } from "bun:test";
import { holds } from "../e2e/program.ts";
import { browserTests, ready, sample } from "./browser.ts";
import { eventually } from "../patience.ts";

const inBrowser = browserTests();

inBrowser(
  "[WB24] of two tabs and a shell one answer wins; the others see whose, and keep what they had typed",
  async (web) => {
    const { id } = await web.ask();
    const [left, right] = [await web.open(), await web.open()];
    for (const page of [left, right]) {
      await ready(page);
      await page.getByPlaceholder("Type your own answer").fill("something else");
    }
    const shell = web.program.parley(["answer", id, "1"]);
    // A click of Playwright's waits for a button that the other answer may already have taken away.
    const confirmIfThere = `document.querySelector("button.primary[type=submit]")?.click()`;
    await Promise.all([left, right].map((page) => page.evaluate(confirmIfThere)));
    await shell;
    const { events } = await web.program.client().call("readLog", { query: { ask: id } });
    expect(events.filter(({ type }) => type === "ask.settled")).toHaveLength(1);

    const next = await web.ask({ question: "Another one?" });
    for (const page of [left, right]) {
      await page.locator(".row", { hasText: "Another one?" }).click();
      await ready(page);
      await page.getByPlaceholder("Type your own answer").fill("typed and not sent");
    }
    await left.getByRole("radio", { name: "SQLite" }).check();
    await left.getByRole("button", { name: "Confirm Answers" }).click();
    await left.locator(".receipts", { hasText: "SQLite" }).waitFor();
    await right.getByText(/^Answered by web .+ ago: SQLite/).waitFor();
    const kept = right.getByRole("region", { name: "What you had filled in" });
    expect(await kept.innerText()).toContain("typed and not sent");
    expect((await web.get(next.id)).outcome?.answers).toEqual([{ picks: [0] }]);
  },
);

inBrowser(
  "[WB25] an answer in a shell turns the open form into its outcome, without touching the others",
  async (web) => {
    const { id } = await web.ask({ question: "First?" });
    await web.ask({ question: "Second?" });
    const page = await web.open();
    await page.locator(".pane .question", { hasText: "First?" }).waitFor();
    await web.program.parley(["answer", id, "2"]);
    await page.getByText(/^Answered by cli .+ ago: PostgreSQL/).waitFor();
    expect(await page.getByRole("button", { name: "Confirm Answers" }).count()).toBe(0);
    await eventually(async () => expect(await page.title()).toBe("(1) Parley"));
    await page.keyboard.press("j");
    await page.locator(".pane .question", { hasText: "Second?" }).waitFor();
  },
);

inBrowser("[WB26] a draft survives a reload and a closed tab, and is there on another device", async (web) => {
  const { id } = await web.asks([
    sample({ question: "Where?", header: "Place" }),
    sample({ question: "Which?", header: "Parts", multiSelect: true }),
  ]);
  const kept = async () => (await web.program.client().call("getDraft", { id })).draft;
  const page = await web.open();
  await page.getByRole("radio", { name: "PostgreSQL" }).check();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByPlaceholder("Type your own answer").fill("something of my own");
  await page.reload();
  await page.locator(".pane .question", { hasText: "Which?" }).waitFor();
  await eventually(async () =>
    expect(await page.getByPlaceholder("Type your own answer").inputValue()).toBe("something of my own"),
  );
  await page.getByRole("button", { name: "Add a note" }).click();
  await page.getByRole("textbox", { name: "Note" }).fill("and a note");
  await page.close({ runBeforeUnload: true });
  expect(await holds(async () => JSON.stringify(await kept()).includes("and a note"))).toBe(true);
  const desk = await web.open();
  await desk.locator(".pane .question", { hasText: "Which?" }).waitFor();
  const phone = await web.open({ viewport: { width: 390, height: 780 } });
  await phone.locator(".row").click();
  await phone.locator(".pane .question", { hasText: "Which?" }).waitFor();
  await eventually(async () =>
    expect(await phone.getByPlaceholder("Type your own answer").inputValue()).toBe("something of my own"),
  );
  await eventually(async () =>
    expect(await phone.getByRole("textbox", { name: "Note" }).inputValue()).toBe("and a note"),
  );
  await phone.getByRole("textbox", { name: "Note" }).fill("a longer note");
  expect(await holds(async () => JSON.stringify(await kept()).includes("a longer note"))).toBe(true);
  await desk.evaluate("dispatchEvent(new Event('focus'))");
  expect(await holds(async () => (await desk.getByLabel("Note").inputValue()) === "a longer note")).toBe(true);
  await phone.locator(".actions").getByRole("button", { name: "Review" }).click();
  await ready(phone);
  await phone.getByRole("button", { name: "Confirm Answers" }).click();
  await phone.locator(".receipts li").waitFor();
  expect((await web.get(id)).outcome?.answers).toEqual([
    { picks: [1] },
    { picks: [], text: "something of my own", note: "a longer note" },
  ]);
  expect(await holds(async () => (await kept()) === null)).toBe(true);
});

inBrowser("[WB71] what was typed last before the tab was closed arrives, also when the worker sleeps", async (web) => {
  const { id } = await web.ask();
  const page = await web.open();
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await page.reload();
  await page.locator('.app[data-phase="ready"]').waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("ServiceWorker.enable");
  await cdp.send("ServiceWorker.stopAllWorkers");
  await page.getByPlaceholder("Type your own answer").fill("typed last");
  await page.close({ runBeforeUnload: true });
  await eventually(async () => {
    const { draft } = await web.program.client().call("getDraft", { id });
    expect(JSON.stringify(draft)).toContain("typed last");
  });
});

inBrowser("[WB27] nine tabs are open at once, and each hears of a new question", async (web) => {
  const first = await web.open();
  const tabs = [first];
  while (tabs.length < 9) {
    const tab = await first.context().newPage();
    await tab.goto(web.program.url());
    tabs.push(tab);
  }
  await web.ask({ question: "For everybody?" });
  await Promise.all(tabs.map((tab) => tab.locator(".row", { hasText: "For everybody?" }).waitFor()));
});

inBrowser(
  "[WB28] a daemon that is started anew under an open form loses nothing of it and takes the answer",
  async (web) => {
    const { id } = await web.ask();
    const page = await web.open();
    await page.getByPlaceholder("Type your own answer").fill("before");
    const { port } = new URL(web.program.url());
    await web.program.kill9();
    await page.getByText("Connection lost; trying again …").waitFor();
    await page.getByPlaceholder("Type your own answer").fill("before and after");
    await web.program.start({ PARLEY_PORT: port });
    await page.getByText("Connection lost; trying again …").waitFor({ state: "detached" });
    const second = await web.ask({ question: "Missed?" });
    await page.locator(".row", { hasText: "Missed?" }).waitFor();
    await ready(page);
    await page.getByRole("button", { name: "Confirm Answers" }).click();
    await page.locator(".pane .question", { hasText: "Missed?" }).waitFor();
    expect((await web.get(id)).outcome?.answers).toEqual([{ picks: [], text: "before and after" }]);
    expect((await web.get(second.id)).state).toBe("open");
  },
);
