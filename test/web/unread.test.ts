import { expect } from "bun:test";
import { createSession, ended, hook, isHeld } from "../e2e/hook-stage.ts";
import { onScreen } from "../terminal/inbox-stage.ts";
import { browserTests } from "./browser.ts";

const inBrowser = browserTests();
const WORDS = 'answered in the terminal; the answer could not be read: {"0":"Option B"}';

inBrowser("[SF56] the page and the inbox say as well that an answer could not be read", async (web) => {
  const session = createSession(web.program, "single-select");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  const { id } = await session.ask(isHeld);
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/ask/${id}`);
  await page.locator("form.answer").waitFor();
  const payload = session.payload("PostToolUse");
  const result = { ...(payload["tool_response"] as object), answers: { "0": "Option B" } };
  await ended(hook(web.program, { ...payload, tool_response: result }));
  await ended(dialog);
  await page.locator(".receipt", { hasText: `✗ ${WORDS}` }).waitFor();
  await page.locator(".asked .error", { hasText: 'could not be read: {"0":"Option B"}' }).waitFor();
  expect(await page.locator('.picked [data-picked="true"]').count()).toBe(0);
  await page.goto(`${web.program.url()}/#/history`);
  await page.getByText("could not be read", { exact: false }).first().waitFor();

  await using inbox = onScreen(web.program, { columns: 120 });
  await inbox.shows("Settled 1");
  inbox.press("]");
  const screen = await inbox.shows("✗ answered in the terminal; the answer could not be");
  expect(screen).toContain('✗ could not be read: {"0":"Option B"}');
});
