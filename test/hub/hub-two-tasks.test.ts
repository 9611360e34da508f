import { expect, setDefaultTimeout, test } from "bun:test";
import { openTaskScene } from "../e2e/task-scene.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";
import { twoGiveWork } from "./two-task-cases.ts";

setDefaultTimeout(TEST_MS);
const SAY = JSON.stringify([{ say: "done" }]);
const SHOP = ["--machine", "laptop", "--project", "shop"];

test("[HT5] where a policy names tasks two people have to want them: the same one twice, who may not, who was revoked do not count: embedded", async () => {
  await twoGiveWork(openHubSqlite(":memory:"));
});

test("[HT6] a task that two people gave is made with both names; a machine that knows the policy takes none of one", async () => {
  await using stage = await openStage();
  await using scene = await openTaskScene("park_after_seconds = 86400");
  const hub = await stage.startHub();
  const [ann, bob] = [await stage.person(hub, "Ann", "approver"), await stage.person(hub, "Bob", "approver")];
  const { policies } = await stage.admin("policy", "--two", "--kind", "task");
  expect(policies).toMatchObject([{ two: true, signed: false, kind: "task" }]);
  await stage.join(hub, scene, scene.project, "--name", "laptop", "--tasks");
  await eventually(async () => expect((await ann.client.tasks()).places).toHaveLength(1));

  const given = await scene.parley(["run", SAY, "--hub", ...SHOP], { env: ann.env });
  expect([given.code, given.out]).toEqual([
    0,
    expect.stringMatching(/^… 1 of 2: Ann gave it .*; another approver is needed: parley tasks --hub --agree \w+\n$/),
  ]);
  const id = given.out.trim().split(" ").at(-1) ?? "";
  expect((await scene.parley(["tasks", "--hub", "--agree", id], { env: ann.env })).code).toBe(77);
  // The other one sees all of it before.
  expect((await scene.parley(["tasks", "--hub"], { env: bob.env })).out).toContain(`1 of 2: Ann gave it`);
  const agreed = await scene.parley(["tasks", "--hub", "--agree", id, "--json"], { env: bob.env });
  expect([agreed.code, agreed.err]).toEqual([0, ""]);
  const view = JSON.parse(agreed.out);
  expect(view).toMatchObject({ state: "received", member: "Ann", with: ["Bob"] });
  expect(view.result).toMatch(/^✓ Ann and Bob gave it .*; received by laptop as /);
  expect(await scene.task(view.task)).toMatchObject({ by: { name: "Ann and Bob", members: [{}, { name: "Bob" }] } });
  expect((await scene.parley(["task", "show", view.task])).out).toContain("Ann and Bob, through the hub");

  // The hub forgets its policy; the machine does not, until somebody there accepts that.
  await stage.admin("policy", "--remove", policies[0].id);
  const alone = await scene.parley(["run", SAY, "--hub", ...SHOP], { env: ann.env });
  expect([alone.code, alone.out]).toEqual([
    4,
    expect.stringContaining("refused by laptop: This machine takes such a task of two people, and one gave it"),
  ]);
  expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });
  const signed = await stage.machine.parley([
    "hub",
    "policy",
    "--two",
    "--kind",
    "task",
    "--stakes",
    "irreversible",
    "--data",
    `${stage.machine.root}/hub`,
  ]);
  expect([signed.code, signed.err]).toEqual([2, expect.stringContaining("What a task risks is asked when")]);
});

test.skipIf(noBrowser !== undefined)(
  `[HT7] on the page one proposes a task and the other agrees, each seeing what the other does without reloading${noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`}`,
  async () => {
    await using stage = await openStage();
    await using scene = await openTaskScene("park_after_seconds = 86400");
    await using pages = await openHubPages();
    const hub = await stage.startHub();
    await stage.join(hub, scene, scene.project, "--name", "laptop", "--tasks");
    const enter = async (link: string, name?: string) => {
      const page = await pages.open(link);
      if (name !== undefined) await page.getByLabel("Your name").fill(name);
      await page.getByRole("button", { name: "Make a passkey" }).click();
      await page.locator('.app[data-phase="ready"]').waitFor();
      await page.goto(`${hub.page}/#/board`);
      return page;
    };
    const ann = await enter(hub.firstMemberLink ?? "", "Ann");
    const bob = await enter((await stage.admin("invite", "Bob", "--role", "approver")).link);
    await bob.getByRole("button", { name: "Start" }).waitFor();
    // Set while both pages are open.
    await stage.admin("policy", "--two", "--kind", "task");
    await ann.getByText("it begins when another approver or admin agrees").waitFor();
    const words = `Update everything\n\n${"and look at what changed ".repeat(20)}to the very end`;
    await ann.getByLabel("What should the agent do?").fill(words);
    await ann.getByRole("button", { name: "Propose" }).click();
    await ann.getByText("1 of 2: Ann gave it").waitFor();
    expect(await ann.getByRole("button", { name: "Agree" }).count()).toBe(0);
    await bob.getByText("to the very end").waitFor();
    expect(await bob.getByRole("button", { name: "Take back" }).count()).toBe(0);
    await bob.getByRole("button", { name: "Agree" }).click();
    for (const page of [ann, bob]) await page.getByText(/Ann and Bob gave it .*; received by laptop/).waitFor();
  },
);
