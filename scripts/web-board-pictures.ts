// The board for docs/web-*.png, with an agent that does what it is told here. The pages believe that it is a little later.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page, Route } from "playwright-core";
import { createWeb } from "../test/web/browser.ts";
import type { Step } from "../test/web/scripted-agent.ts";
import { type TaskWeb, withTasks } from "../test/web/task-web.ts";

const MINUTE = 60_000;
type Given = { name: string; prompt: string; steps: Step[]; worktree?: boolean };
/** Draws pages of a board with tasks in every column. */
export async function boardPictures(
  browser: Browser,
  draw: (open: (path: string, options: BrowserContextOptions) => Promise<Page>) => Promise<void>,
): Promise<void> {
  await using plain = await createWeb(browser);
  await using web = await withTasks(plain, "limit = 2\n");
  const ids = await give(web);
  await draw(async (path, options) => {
    const page = await web.open({ locale: "en-GB", ...options });
    await page.route("**/api/tasks**", (route) => atHome(route, web).catch(() => undefined));
    await page.clock.setFixedTime(Date.now() + 7 * MINUTE);
    await page.goto(`${web.program.url()}/#/${path.replace("<asking>", ids.get("Checkout storage") ?? "")}`);
    await page.reload();
    await page.locator(".card").nth(5).waitFor();
    return page;
  });
}

/** Paths as on somebody's own machine, not those of a folder that is gone after this. Throws when its page is closed. */
async function atHome(route: Route, { program: { home, root } }: TaskWeb): Promise<void> {
  const response = await route.fetch();
  const text = await response.text();
  const body = text.replaceAll(home, "/home/you/.local/state/parley").replaceAll(root, "/home/you");
  await route.fulfill({ response, body });
}

async function give(web: TaskWeb): Promise<Map<string, string>> {
  const tasks = given(join(web.project, "never"));
  const script = join(web.project, "..", "script.json");
  writeFileSync(script, JSON.stringify(Object.fromEntries(tasks.map(({ prompt, steps }) => [prompt, steps]))));
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x@example.com", ...args], { cwd: web.project });
  writeFileSync(join(web.project, "limiter.ts"), "export const limit = 200;\n");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  const environment = { ...web.env, HOME: web.program.user, SCRIPT: script };
  const ids = new Map<string, string>();
  for (const { name, prompt, steps, worktree = false } of tasks) {
    const { id } = await web.run(name, [], { prompt, worktree, environment });
    ids.set(name, id);
    const isBusy = steps.some((step) => "call" in step && step.until !== undefined);
    if (name !== "Dependency update")
      await web.becomes(id, ({ state }) =>
        isBusy ? state === "in_progress" : !["queued", "in_progress"].includes(state),
      );
  }
  return ids;
}

function given(until: string): Given[] {
  const option = (label: string, description: string) => ({ label, description });
  return [
    {
      name: "Rate limiter",
      prompt: "Let the limiter queue bursts instead of dropping them, with a test.",
      worktree: true,
      steps: [
        { write: "limiter.ts", text: "export const limit = 200;\nexport const queue: Request[] = [];\n" },
        { write: "limiter.test.ts", text: 'test("a burst waits", () => {\n  expect(queue).toEqual([]);\n});\n' },
        { say: "Bursts wait in a queue now; the new test passes." },
      ],
    },
    {
      name: "Changelog",
      prompt: "Write the changelog for 2.4 from the merged pull requests.",
      steps: [{ say: "CHANGELOG.md has a section 2.4 with 14 entries." }],
    },
    {
      name: "Checkout storage",
      prompt: "Give the checkout service a place for its orders. Ask before you choose a database.",
      worktree: true,
      steps: [
        { say: "I read `src/checkout`. Orders are kept in memory only, **two** services write them." },
        { call: "Grep", input: { pattern: "orders.set" }, result: "src/checkout/cart.ts:41\nsrc/admin/refund.ts:17" },
        { call: "Bash", input: { command: "npm test -- checkout" }, result: "12 passed" },
        {
          ask: [
            {
              question: "Which database should the checkout service use for its order table?",
              header: "Storage",
              multiSelect: false,
              options: [
                option("SQLite (Recommended)", "One file, no server; enough for 50 orders a second"),
                option("PostgreSQL", "A server of its own; needed once two services write"),
              ],
            },
          ],
        },
      ],
    },
    {
      name: "Landing page",
      prompt: "Build the landing page from the sketch in docs/landing.md.",
      steps: [
        {
          ask: ["Layout", "Colours", "Font"].map((header) => ({
            question: `Which ${header.toLowerCase()}?`,
            header,
            multiSelect: false,
            options: [option("As sketched", "docs/landing.md"), option("As on the old page", "for now")],
          })),
        },
      ],
    },
    {
      name: "Flaky test",
      prompt: "Find out why upload.test.ts fails now and then.",
      steps: [
        {
          say: "It fails when two uploads finish in the same millisecond. Shall I also fix the one in resume.test.ts?",
        },
      ],
    },
    ...[
      ["Search index", "Rebuild the search index for the old pages.", "npm run index -- --from 1.0"],
      ["Type errors", "Make tsc pass with exactOptionalPropertyTypes.", "npx tsc --noEmit"],
    ].map(([name = "", prompt = "", command = ""]): Given => ({
      name,
      prompt,
      steps: [{ say: "On it." }, { call: "Bash", input: { command }, result: "", until }],
    })),
    { name: "Dependency update", prompt: "Update the dependencies that have security notices.", steps: [] },
  ];
}
