import { expect } from "bun:test";
import { by, mismatchAfter, PARAGRAPH } from "../e2e/mismatch-stage.ts";
import { browserTests } from "./browser.ts";

const it = browserTests();

it("[DC37] the page says what was answered in it and arrived otherwise, live or when it is opened next, until it was read", async ({
  program,
  open,
}) => {
  await mismatchAfter(program, by(program, "web"));
  const page = await open();
  const told = page.getByRole("alert", { name: "Answers that did not arrive as intended" });
  await told.getByText(PARAGRAPH).waitFor();
  await told.getByRole("button", { name: "Got it" }).click();
  await told.waitFor({ state: "detached" });
  await page.reload();
  const { id } = await mismatchAfter(program, by(program, "web"));
  await told.getByText(PARAGRAPH).waitFor();
  expect(await told.getByText(PARAGRAPH).count()).toBe(1);
  expect((await program.client().call("getAsk", { id })).told?.to).toBe("web");
});
