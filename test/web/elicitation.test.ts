import { expect } from "bun:test";
import { browserTests, ready } from "./browser.ts";
import { eventually } from "../patience.ts";

const inBrowser = browserTests();

const PAYLOAD = {
  session_id: "s1",
  cwd: "/tmp",
  prompt_id: "p1",
  hook_event_name: "Elicitation",
  mcp_server_name: "lab",
  mode: "form",
  message: "Some facts, please",
  requested_schema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", description: "What is it called?", minLength: 2, default: "shop" },
      size: { type: "integer", title: "Size", minimum: 1, maximum: 5 },
      db: { type: "string", title: "Database", enum: ["pg", "lite"], enumNames: ["Postgres", "SQLite"] },
      apiKey: { type: "string", title: "API key" },
    },
    required: ["name", "db", "apiKey"],
  },
};

inBrowser(
  "[EL30] a server's form has a field for each value, checked as it is typed, and hides a secret",
  async (web) => {
    await web.program.start();
    const hook = web.program.spawn(["hook", "claude-code", "Elicitation"], { stdin: JSON.stringify(PAYLOAD) });
    const page = await web.open();
    await ready(page);
    const next = () => page.locator("button.primary[type=submit]").click();
    await page.getByLabel("Name", { exact: true }).fill("x");
    await next();
    expect(await page.getByRole("alert").innerText()).toContain("At least 2 characters");
    await page.getByLabel("Name", { exact: true }).fill("shop");
    await next();
    await page.getByText("A whole number, 1 to 5 · optional").waitFor();
    await ready(page);
    await next();
    await page.getByRole("radio", { name: "SQLite" }).check();
    await ready(page);
    await next();
    const secret = page.getByLabel("API key", { exact: true });
    expect(await secret.getAttribute("type")).toBe("password");
    await secret.fill("hunter2");
    await ready(page);
    await next();
    await page.getByText("(secret)").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("hunter2");
    expect(await page.getByRole("button", { name: "Chat about this" }).count()).toBe(0);
    const picture = process.env["PARLEY_PICTURE"];
    if (picture) await page.screenshot({ path: picture });
    await ready(page);
    await page.getByRole("button", { name: /^Confirm/ }).click();
    const printed = await new Response(hook.stdout).json();
    expect(printed).toEqual({
      hookSpecificOutput: {
        hookEventName: "Elicitation",
        action: "accept",
        content: { name: "shop", db: "lite", apiKey: "hunter2" },
      },
    });
    await eventually(async () => {
      const { asks } = await web.program.client("human").call("listAsks", { query: { state: "all" } });
      expect(asks[0]?.state).toBe("delivered");
      expect(JSON.stringify(asks)).not.toContain("hunter2");
    });
    await hook.exited;
  },
);
