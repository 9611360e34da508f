import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { prompt } from "../e2e/comfort-prompt.ts";
import { eventually } from "../patience.ts";
import { browserTests } from "./browser.ts";

const it = browserTests();

it("[NM30] a finished agent is listed below the questions with its last words, is not counted, and can be dismissed", async (web) => {
  const { program } = web;
  const transcript = join(program.user, "session.jsonl");
  const told = { type: "user", message: { role: "user", content: "Fix the login" } };
  writeFileSync(transcript, `${JSON.stringify(told)}\n`);
  const session = {
    session_id: "0a1b2c3d-0000-4000-8000-000000000000",
    transcript_path: transcript,
    cwd: program.user,
  };
  const stop = { ...session, hook_event_name: "Stop", last_assistant_message: "All <b>tests</b> pass." };
  const page = await web.open();
  await page.getByText("Nothing waits for you.").waitFor();
  await program.parley(["hook", "Stop"], { stdin: JSON.stringify(stop) });
  await page.getByText("1 session waits for a prompt").click();
  await page.locator(".sessions li", { hasText: "Fix the login" }).getByText("All <b>tests</b> pass.").waitFor();
  const asked = await prompt(program);
  await page.locator(".row .text", { hasText: "$ touch /home/dev/touched" }).waitFor();
  await eventually(async () => expect(await page.title()).toBe("(1) Parley"));
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.locator(".sessions").waitFor({ state: "detached" });
  await asked.hangsUp();
  // Views whose code comes later are there when they are opened.
  for (const [name, title] of [
    ["History", "History"],
    ["Settings", "Settings"],
  ] as const) {
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { name: title, exact: true }).first().waitFor();
  }
});
