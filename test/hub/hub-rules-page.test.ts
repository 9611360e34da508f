import { expect, setDefaultTimeout, test } from "bun:test";
import { eventually, TEST_MS } from "../patience.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

test.skipIf(noBrowser !== undefined)(
  `[TM22] an admin sets, changes and removes a group, a route and a policy on a phone; the command says the same, and who is no admin only sees it${noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const hub = await stage.startHub();
    const ann = await pages.open(hub.firstMemberLink ?? "", PHONE);
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.locator('.app[data-phase="ready"]').waitFor();
    await stage.admin("token", "--member", "Bob", "--role", "answerer");
    await ann.goto(`${hub.page}/#/team`);
    const section = (name: string) => ann.getByRole("region", { name });
    const [groups, routes, policies] = [
      section("Groups"),
      section("Whom questions go to"),
      section("What answers need"),
    ];
    const dialog = ann.getByRole("dialog");
    const save = () => dialog.getByRole("button", { name: "Save" }).click();
    const remove = async () => {
      await dialog.getByRole("button", { name: "Remove" }).click();
      await dialog.getByRole("button", { name: "Press again to remove" }).click();
    };
    await routes.getByText("nobody is told, whoever looks answers").waitFor();
    await policies.getByText("the first answer counts").waitFor();

    // By keys alone: the dialog has the focus, Enter saves, and the focus is where it was.
    await groups.getByRole("button", { name: "New group" }).focus();
    await ann.keyboard.press("Enter");
    await dialog.getByLabel("Name").fill("ops");
    await ann.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("Who is in it?").waitFor();
    await dialog.getByLabel("Bob").press("Space");
    await ann.keyboard.press("Enter");
    await groups.getByRole("listitem").getByText("Bob", { exact: true }).waitFor();
    await eventually(async () => expect(await ann.evaluate("document.activeElement.textContent")).toBe("New group"));

    await routes.getByRole("button", { name: "New route" }).click();
    await dialog.getByLabel("Of kind").selectOption("approval");
    await dialog.getByLabel("To whom", { exact: true }).selectOption("the group ops");
    await dialog.getByLabel("Then to whom").selectOption("Ann");
    await dialog.getByRole("button", { name: "Ann earlier" }).click();
    await save();
    await routes.getByText("Ann, then the group ops; reminded and passed on after 10 min each").waitFor();
    expect(await stage.admin("route")).toEqual({
      routes: [
        {
          project: null,
          kind: "approval",
          stakes: false,
          afterMs: 600_000,
          to: [
            { type: "member", name: "Ann" },
            { type: "group", name: "ops" },
          ],
        },
      ],
    });
    await routes.getByRole("button", { name: "Change: every approval" }).click();
    await dialog.getByRole("button", { name: "Not Ann" }).click();
    await save();
    await routes.getByText(/^the group ops; reminded/).waitFor();

    await policies.getByRole("button", { name: "New policy" }).click();
    await dialog.getByLabel("a signature", { exact: true }).check();
    await dialog.getByLabel("Where this is at stake").selectOption("irreversible");
    await save();
    await policies.getByRole("button", { name: /^Change: everything where/ }).click();
    await dialog.getByLabel("two people, each with a signature").check();
    await save();
    await policies.getByText("two people, each with a signature").waitFor();
    const found = await stage.admin("policy");
    expect(found.policies).toEqual([
      expect.objectContaining({ two: true, signed: true, kind: null, stake: "irreversible" }),
    ]);
    // What somebody removed meanwhile cannot be changed: it is said, and shown.
    await policies.getByRole("button", { name: /^Change: everything where/ }).click();
    await stage.admin("policy", "--remove", found.policies[0].id);
    await save();
    await dialog.getByRole("alert").getByText("No such policy").waitFor();
    await ann.keyboard.press("Escape");
    await policies.getByText("the first answer counts").waitFor();
    // Nothing is wider than the phone.
    expect(await ann.evaluate("document.documentElement.scrollWidth")).toBe(390);

    const { link } = await stage.admin("invite", "Vic", "--role", "viewer");
    const vic = await pages.open(link);
    await vic.getByRole("button", { name: "Make a passkey" }).click();
    await vic.locator('.app[data-phase="ready"]').waitFor();
    await vic.goto(`${hub.page}/#/team`);
    await vic.getByText(/^the group ops; reminded/).waitFor();
    expect(await vic.getByRole("button", { name: /^(New|Change)/ }).count()).toBe(0);

    await groups.getByRole("button", { name: "Change: ops" }).click();
    await remove();
    await routes.getByText("(not here any more)").waitFor();
    await routes.getByRole("button", { name: "Change: every approval" }).click();
    await remove();
    await eventually(async () => expect(await stage.admin("route")).toEqual({ routes: [] }));
  },
);
