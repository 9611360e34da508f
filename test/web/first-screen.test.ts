import { expect } from "bun:test";
import { eventually } from "../patience.ts";
import { browserTests } from "./browser.ts";

const inBrowser = browserTests();
const OPEN = 70;
/** In each frame before it is painted: what of the inbox stands there. */
const WATCH = `
  window.frames_ = [];
  (function look() {
    const rows = document.querySelectorAll(".row").length;
    if (rows > 0) window.frames_.push({ rows, hasForm: document.querySelector("form.answer label.option") !== null });
    if (window.frames_.length < 3) requestAnimationFrame(look);
  })();`;

inBrowser(
  "[WB73] the first question can be answered with the first screenful of rows, and stays as it is when the others come",
  async (web) => {
    for (let n = 0; n < OPEN; n++) await web.ask({ question: `Question ${n}?` });
    const page = await web.open();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/asks\?.*after=/, async (route) => (await isReleased, route.continue()));
    await page.addInitScript(WATCH);
    await page.goto("about:blank");
    await page.goto(web.program.url());
    await page.getByRole("radio", { name: "Other" }).check();
    await page.locator("input[name=other]").pressSequentially("half a tho");
    const [first] = await page.evaluate<{ rows: number; hasForm: boolean }[]>("window.frames_");
    expect(first).toEqual({ rows: 20, hasForm: true });
    const row = page.locator(".row").nth(15);
    const place = await row.boundingBox();

    release();
    await eventually(async () => expect(await page.title()).toBe(`(${OPEN}) Parley`));
    await page.keyboard.type("ught");
    await eventually(async () => expect(await page.locator("input[name=other]").inputValue()).toBe("half a thought"));
    expect(await page.locator(".pane .question").innerText()).toBe("Question 0?");
    expect(await row.boundingBox()).toEqual(place);
    expect(await page.getByLabel("Kind").locator("option").allInnerTexts()).toContain(`All (${OPEN})`);
    await page.getByRole("searchbox").fill(`Question ${OPEN - 1}?`);
    await eventually(async () =>
      expect(await page.locator(".row .text").allInnerTexts()).toEqual([`Question ${OPEN - 1}?`]),
    );
  },
);
