import { expect, setDefaultTimeout, test } from "bun:test";
import { openTaskScene } from "../e2e/task-scene.ts";
import { createPushService } from "../messengers/push-service.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { pushedPage } from "../web/pushed-page.ts";
import { ready } from "../web/browser.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const SKIPPED = noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`;
const PHONE = { viewport: { width: 390, height: 844 } };

test.skipIf(noBrowser !== undefined)(
  `[PE6] typed routes and real pages: whose question it is, and who else is looking until they go${SKIPPED}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const hub = await stage.startHub();
    await stage.join(hub);
    const ann = await pages.open(hub.firstMemberLink ?? "");
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.locator('.app[data-phase="ready"]').waitFor();
    const { link } = await stage.admin("invite", "Bob", "--role", "answerer");
    const bob = await pages.open(link, PHONE);
    await bob.getByRole("button", { name: "Make a passkey" }).click();
    await bob.locator('.app[data-phase="ready"]').waitFor();
    expect(await stage.admin("group", "ops", "Ann", "Bob")).toEqual({ name: "ops", members: ["Ann", "Bob"] });
    const made = await stage.admin("route", "--to", "Bob", "--to", "ops", "--project", "project", "--after", "8m");
    expect(await stage.admin("route")).toEqual({ routes: [made] });

    const asked = await stage.ask("Which button?");
    await bob.locator(".row", { hasText: "For you" }).locator("a").click();
    await bob.locator(".routed", { hasText: "asked of Bob, then of the group ops; goes on in" }).waitFor();
    await ann.goto(`${hub.page}/#/ask/${asked.id}`);
    await bob.locator(".looking", { hasText: "Ann is looking" }).waitFor();
    await ann.locator(".looking", { hasText: "Bob is looking" }).waitFor();
    const { env } = await stage.person(hub, "Bob", "answerer");
    const mine = await stage.machine.parley(["ls", "--hub", "--for", "me", "--json"], { env });
    const ids = (out: string) => (JSON.parse(out) as { asks: { id: string }[] }).asks.map(({ id }) => id);
    expect(ids(mine.out)).toEqual([asked.id]);
    const none = await stage.machine.parley(["ls", "--hub", "--for", "Bob", "--machine", "other", "--json"], { env });
    expect(ids(none.out)).toEqual([]);
    // It is answered and the tab is gone: nobody looks any more.
    await ready(ann);
    await ann.locator(".option").nth(0).click();
    await ann.getByRole("button", { name: "Confirm Answers" }).click();
    expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
    await ann.goto("about:blank");
    await bob.locator(".looking").waitFor({ state: "detached" });
  },
);

test.skipIf(noBrowser !== undefined)(
  `[PE7] who it is routed to sees it in a notification of the hub's page, and the button pressed there answers it${SKIPPED}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages({ whole: true });
    await using service = await createPushService();
    const hub = await stage.startHub("--push-text", "--push-private");
    await stage.join(hub);
    const ann = await pages.open(hub.firstMemberLink ?? "", { ...PHONE, permissions: ["notifications"] });
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.locator('.app[data-phase="ready"]').waitFor();
    await stage.admin("route", "--to", "Ann");
    const { arrived, deliver, shown, shows, press } = await pushedPage(ann, service);
    const asked = await stage.ask("Which button?");
    await arrived(1);
    expect(await shows(0)).toMatchObject({ tag: asked.id, actions: ["Yes", "No"] });
    await press(asked.id, "1");
    expect(await asked.ended).toMatchObject({ code: 0, out: "No\n" });
    await arrived(2);
    await deliver(1);
    await eventually(async () => expect(await shown()).toEqual([]));
  },
);

test.skipIf(noBrowser !== undefined)(
  `[PE9] typed: a task that needs two is in a notification of who may agree; it leads to the task, and is gone once they agreed${SKIPPED}`,
  async () => {
    await using stage = await openStage();
    await using scene = await openTaskScene("park_after_seconds = 86400");
    await using pages = await openHubPages({ whole: true });
    await using service = await createPushService();
    const hub = await stage.startHub("--push-text", "--push-private");
    const bob = await stage.person(hub, "Bob", "approver");
    await stage.admin("policy", "--two", "--kind", "task");
    await stage.join(hub, scene, scene.project, "--name", "laptop", "--tasks");
    await eventually(async () => expect((await bob.client.tasks()).places).toHaveLength(1));
    const ann = await pages.open(hub.firstMemberLink ?? "", { ...PHONE, permissions: ["notifications"] });
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.locator('.app[data-phase="ready"]').waitFor();
    await stage.admin("route", "--kind", "task", "--to", "everybody");
    const { arrived, deliver, shown, shows, press } = await pushedPage(ann, service);
    const order = ["run", '[{"say":"done"}]', "--hub", "--machine", "laptop", "--project", "shop"];
    expect((await scene.parley(order, { env: bob.env })).code).toBe(0);
    await arrived(1);
    const { tag, ...told } = await shows(0);
    expect(told).toMatchObject({ title: "Bob wants a task in shop on laptop", actions: [] });
    await press(tag, "");
    await ann.getByRole("button", { name: "Agree" }).click();
    await ann.getByText(/Bob and Ann gave it .*; received by laptop/).waitFor();
    await arrived(2);
    await deliver(1);
    await eventually(async () => expect(await shown()).toEqual([]));
  },
);
