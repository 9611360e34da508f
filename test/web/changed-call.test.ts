import { expect } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FACTS_HEADING } from "../../src/core/words/fact-words.ts";
import { browserTests, ready } from "./browser.ts";

const inBrowser = browserTests();

inBrowser(
  "[EB9] a call is shown with what Parley found out, changed in the page, and allowed as changed; the difference stays with it",
  async (web) => {
    const cwd = join(web.program.root, "shop");
    mkdirSync(cwd);
    execFileSync("git", ["init", "-q", cwd]);
    writeFileSync(join(cwd, "notes <b>.txt"), "not committed\n");
    const payload = {
      session_id: "s1",
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "rm 'notes <b>.txt'", description: "tidy" },
      permission_suggestions: [],
      cwd,
    };
    const waiting = web.waits(payload, { edits: true });
    const page = await web.open();
    const facts = page.getByRole("region", { name: FACTS_HEADING });
    await facts.getByText("notes <b>.txt", { exact: false }).first().waitFor();
    expect(await facts.innerText()).toContain("not in git");
    await ready(page);
    await page.getByRole("button", { name: "Change it first" }).click();
    const box = page.getByRole("textbox", { name: /Change the command/ });
    expect(await box.inputValue()).toBe("rm 'notes <b>.txt'");
    const send = page.getByRole("button", { name: "Approve as changed" });
    expect(await send.isDisabled()).toBe(true);
    await box.fill("mv 'notes <b>.txt' kept.txt");
    await send.click();
    const { output, changed } = await waiting;
    expect(changed).toBe("mv 'notes <b>.txt' kept.txt");
    expect(output).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "allow", updatedInput: { command: "mv 'notes <b>.txt' kept.txt", description: "tidy" } },
      },
    });
    const { asks } = await web.program.client().call("listAsks", { query: { state: "all" } });
    await page.evaluate(`location.hash = ${JSON.stringify(`#/ask/${asks[0]?.id}`)}`);
    const shown = page.getByRole("region", { name: "What was changed" });
    await shown.waitFor();
    expect(await shown.innerText()).toContain("-rm 'notes <b>.txt'\n+mv 'notes <b>.txt' kept.txt");
  },
);
