import { expect } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "../e2e/program.ts";
import { browserTests, ready } from "./browser.ts";
import { eventually } from "../patience.ts";

const inBrowser = browserTests();

inBrowser(
  "[WB34] the history has question, answer, who, where and how long it took; it is searched and exported",
  async (web) => {
    const first = await web.ask(
      { question: "Which colour?", header: "Colour" },
      { agent: "script", project: "shop", branch: "main" },
    );
    const second = await web.ask({ question: "Which font?", header: "Font" });
    await web.ask({ question: "Still open?" });
    await web.program.parley(["answer", first.id, "2", "-m", "=1+1"]);
    await web.program.parley(["answer", second.id, "1"]);
    const page = await web.open();
    await page.getByRole("link", { name: "History" }).click();
    const entries = page.locator(".entries li");
    await entries.nth(1).waitFor();
    const [newest = "", oldest = ""] = await entries.allInnerTexts();
    expect(newest).toContain("Which font?");
    expect(oldest).toMatch(
      /Colour[^]*Which colour\?[^]*PostgreSQL[^]*shop[^]*main[^]*person[^]*cli[^]*after [\d.]+ (m?s|min)/,
    );
    await eventually(async () =>
      expect(await page.locator(".numbers").innerText()).toMatch(
        /Settled\s+2\s+Median wait\s+[\d.]+ (?:m?s|min)\s+By people\s+100 %\s+By policy\s+0 %/,
      ),
    );
    await eventually(async () =>
      expect(await page.getByRole("img").getAttribute("aria-label")).toMatch(/^Questions per day: .+ 3$/),
    );
    await page.getByRole("searchbox").fill("colour");
    expect(await holds(async () => (await entries.count()) === 1)).toBe(true);
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const text = readFileSync(await csv.path(), "utf8");
    expect(csv.suggestedFilename()).toBe("parley-history.csv");
    expect(text).toContain(`Which colour?,answered,PostgreSQL (note: =1+1),person,cli`);
    expect(text).not.toContain("Which font?");
    const [json] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export JSON" }).click(),
    ]);
    expect(JSON.parse(readFileSync(await json.path(), "utf8"))).toHaveLength(1);
    await entries.first().click();
    await page.getByText(/^Answered by cli .+ ago: PostgreSQL/).waitFor();
  },
);

inBrowser("[WB37] the settings show which agent is set up, and make exactly the change they show", async (web) => {
  const bin = join(web.program.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), "#!/bin/sh\n");
  chmodSync(join(bin, "claude"), 0o755);
  await web.program.terminate();
  await web.program.start({ PATH: `${bin}:${process.env["PATH"]}` });
  const page = await web.open();
  await page.getByRole("link", { name: "Settings" }).click();
  const claude = page.getByRole("listitem").filter({ hasText: "Claude Code" });
  await claude.getByText("found, not set up").waitFor();
  await claude.getByText("Show the change").click();
  const change = await claude.locator(".verbatim").innerText();
  await claude.getByRole("button", { name: "Apply this change" }).click();
  await claude.getByText("asks through Parley", { exact: true }).waitFor();
  const path = join(web.program.user, ".claude/settings.json");
  const written = readFileSync(path, "utf8");
  const added = change
    .split("\n")
    .filter((line) => line.startsWith("+") && !line.startsWith("+++"))
    .map((line) => line.slice(1));
  expect(written.trimEnd().split("\n")).toEqual(added);
  writeFileSync(path, "{}\n");
  await page.reload();
  await claude.getByText("Show the change").click();
  writeFileSync(path, `{ "model": "x" }\n`);
  await claude.getByRole("button", { name: "Apply this change" }).click();
  await page.getByText("was changed since the change was shown; it was left as it is").waitFor();
  expect(readFileSync(path, "utf8")).toBe(`{ "model": "x" }\n`);
});

inBrowser(
  "[WB38] signing out ends it for this browser, and a code from another device signs it in again",
  async (web) => {
    const page = await web.open();
    const other = await web.open();
    await web.open();
    await page.goto(`${web.program.url()}/#/settings`);
    const mine = page.locator(".things li", { hasText: "this one" });
    await mine.waitFor();
    const end = page.waitForResponse("**/api/page/browsers/end");
    await page
      .locator(".things li", { hasNotText: "this one" })
      .last()
      .getByRole("button", { name: "Sign out" })
      .click();
    await end;
    await other.getByText("This browser is not signed in.").waitFor();
    await mine.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("This browser is not signed in.").waitFor();
    expect((await web.program.client().call("listBrowsers")).browsers).toHaveLength(1);
    await page.getByLabel("Code or token").fill("nonsense");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").innerText()).toBe("Wrong token");
    const { out } = await web.program.parley(["open", "--print"]);
    await page.getByLabel("Code or token").fill(out.trim().split("#code=")[1] ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation").waitFor();
  },
);

inBrowser("[WB62] new tokens shut out who copied the old ones; this browser and the commands go on", async (web) => {
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/settings`);
  const old = web.program.tokens().human;
  const status = async (token: string) =>
    (await fetch(`${web.program.url()}/api/status`, { headers: { authorization: `Bearer ${token}` } })).status;
  await page.getByRole("button", { name: "New tokens" }).click();
  expect(await status(old)).toBe(200);
  await page.getByRole("button", { name: /^Press again/ }).click();
  await page.getByText("Programs find the new ones by themselves.").waitFor();
  expect([await status(old), await status(web.program.tokens().human)]).toEqual([401, 200]);
  expect((await web.program.parley(["ls"])).code).toBe(0);
  await page.reload();
  await page.getByRole("button", { name: "New tokens" }).waitFor();
});

inBrowser("[WB68] what the settings could not do is said", async (web) => {
  await web.open();
  const page = await web.open();
  await page.goto(`${web.program.url()}/#/settings`);
  const other = page.locator(".things li", { hasText: "signed in", hasNotText: "this one" });
  await page.getByText("this one", { exact: true }).waitFor();
  await web.program.terminate();
  const alert = page.getByRole("alert");
  await other.getByRole("button", { name: "Sign out" }).click();
  await alert.getByText("Can't reach Parley. Start it: parley up").waitFor();
  await page.getByRole("button", { name: "New tokens" }).click();
  await web.program.start({ PARLEY_PORT: new URL(page.url()).port });
  await page.getByRole("button", { name: /^Press again/ }).click();
  await page.getByText("Programs find the new ones by themselves.").waitFor();
  await alert.waitFor({ state: "detached" });
  await web.program.terminate();
  await page.getByRole("button", { name: "New tokens" }).click();
  await page.getByRole("button", { name: /^Press again/ }).click();
  await alert.getByText("Can't reach Parley").waitFor();
  await page.getByText("Programs find the new ones by themselves.").waitFor({ state: "detached" });
});

inBrowser(
  "[WB39] an approval shows the command to the letter, and a note with an allowance is refused in words",
  async (web) => {
    const call = (name: string, payload: Record<string, unknown>) => web.waits(payload, { call: name });
    const waiting = call("c1", {
      session_id: "s1",
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "rm -rf 'build dir' && <b>x</b>", description: "Clean" },
      permission_suggestions: [],
    });
    const page = await web.open();
    await ready(page);
    expect((await page.locator(".verbatim").innerText()).trimEnd()).toBe("$ rm -rf 'build dir' && <b>x</b>\n# Clean");
    expect(await page.getByPlaceholder("Type your own answer").count()).toBe(0);
    await page.getByRole("button", { name: "Add a note" }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("careful");
    await page.getByRole("radio", { name: "Approve" }).check();
    expect(await page.locator(".hint").innerText()).toBe('"Approve" takes no note: it would not reach the agent');
    await page.getByRole("button", { name: "Confirm Answers" }).click();
    expect(await page.getByRole("alert").innerText()).toBe('"Approve" takes no note: it would not reach the agent');
    await page.getByRole("radio", { name: /^Deny Do/ }).check();
    await page.getByRole("button", { name: "Confirm Answers" }).click();
    expect((await waiting).output).toBeDefined();

    const edit = { file_path: "db.ts", old_string: "a = 1;\n\nb = 2;", new_string: `a = 3;\nb = ${"4".repeat(300)};` };
    const second = { session_id: "s2", hook_event_name: "PermissionRequest", tool_name: "Edit", tool_input: edit };
    void call("c2", second);
    await page.locator(".row", { hasText: "db.ts" }).click();
    await ready(page);
    const lines = page.locator(".verbatim > span");
    const beginnings = async () => (await lines.allInnerTexts()).map((line) => line.trimEnd().slice(0, 8));
    const shown = ["- a = 1;", "-", "- b = 2;", "+ a = 3;", "+ b = 44"];
    await eventually(async () => expect(await beginnings()).toEqual(shown));
    const boxes = await Promise.all((await lines.all()).map((line) => line.boundingBox()));
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(1);
    const tops = boxes.map((box) => box?.y ?? 0);
    expect(tops).toEqual([...new Set(tops)].toSorted((a, b) => a - b));
    expect(Math.max(...tops)).toBeLessThan(800);
    // A long line goes on below, not out of sight.
    const { width = 0 } = (await page.locator(".verbatim").boundingBox()) ?? {};
    expect(Math.max(...boxes.map((box) => box?.width ?? 0))).toBeLessThan(width);
  },
);
