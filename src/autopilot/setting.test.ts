import { expect, test } from "bun:test";
import { parse } from "smol-toml";
import { checkConfig } from "../core/config/check.ts";
import { combine } from "../core/config/effective.ts";
import type { TrustState } from "../machine/settings/project-trust.ts";
import { createSettings } from "./setting.ts";

const source = () => ({ from: "default" as const });

function settingOf(
  toml: string,
  origin: { cwd?: string; project?: string; worktree?: string; family?: string },
  theirs = "",
  state: TrustState = "none",
) {
  const [mine, project] = [checkConfig(parse(toml), "user"), checkConfig(parse(theirs), "project")];
  if (!mine.ok || !project.ok) throw new Error(JSON.stringify([mine, project]));
  const layers = [
    { settings: mine.settings, source },
    { settings: project.settings, source, isProject: true },
  ];
  const effective = {
    ...combine(layers),
    user: "",
    problems: [],
    apart: project.settings,
    trust: { file: "/home/me/shop/.parley.toml", state },
  };
  return createSettings("/home/me")(effective, origin);
}
const mode = (projects: string, origin: { cwd?: string; project?: string; worktree?: string; family?: string }) =>
  settingOf(`[autopilot]\nmode = "suggest"\n[autopilot.projects]\n${projects}`, origin).mode;

test("[AU36] the mode of a project: its deepest folder, else its name, else its repository's, else the mode of all", () => {
  const shop = { cwd: "/home/me/src/shop", project: "shop" };
  expect(mode(`shop = "on"`, shop)).toBe("on");
  expect(mode(`shop = "on"\n"/home/me/src" = "off"`, shop)).toBe("off");
  expect(mode(`"~/src" = "off"\n"~/src/shop/" = "on"`, shop)).toBe("on");
  expect(mode(`"~/src/sho" = "on"`, shop)).toBe("suggest");
  expect(mode(`shop = "on"`, { cwd: "/tmp/tree-1", project: "tree-1", family: "shop" })).toBe("on");
  const tree = { cwd: "/tmp/tree-1", project: "shop", worktree: "tree-1" };
  expect([mode(`shop = "on"`, tree), mode(`shop = "on"\ntree-1 = "off"`, tree)]).toEqual(["on", "off"]);
  expect(mode(`other = "on"`, shop)).toBe("suggest");
});

test("[AU37] a project's rules come behind the person's where its file is trusted, and are none where it is not", () => {
  const rule = (name: string) => `[[autopilot.rules]]\nname = "${name}"\nchoose = "recommended"\n`;
  const shop = { cwd: "/home/me/shop/src", project: "shop" };
  const at = (state: TrustState) =>
    settingOf(`[autopilot.projects]\n"~/shop" = "on"\n${rule("mine")}`, shop, rule("theirs"), state);
  expect(at("trusted").rules.map(({ name, from }) => [name, from])).toEqual([
    ["mine", "user"],
    ["theirs", "project"],
  ]);
  for (const state of ["none", "changed", "untrusted", "link"] as const) {
    expect(at(state).rules.map(({ name }) => name)).toEqual(["mine"]);
    expect(at(state).trustsProject).toBe(false);
  }
});

const complaint = (toml: string) => {
  const checked = checkConfig(parse(toml), "user");
  return checked.ok ? [] : checked.complaints.map(({ message }) => message);
};

test("[AU38] settings that name a brain nobody defined are refused", () => {
  expect(complaint(`autopilot.brain = "x"`)).toEqual(["autopilot.brain: there is no [autopilot.brains.x]"]);
  expect(complaint(`autopilot.after_escalation = "brain:x"`)).toEqual([
    "autopilot.after_escalation: there is no [autopilot.brains.x]",
  ]);
  expect(complaint(`autopilot.after_escalation = "guess"`)).toEqual([
    `autopilot.after_escalation: expected wait, expire or "brain:<name>", not "guess"`,
  ]);
  expect(complaint(`autopilot.mode = "maybe"`)).toEqual([`autopilot.mode: expected off, suggest or on, not "maybe"`]);
});

test("[AU69] a rule that sends an approval or a plan to a brain is refused", () => {
  const asking = (kind: string) =>
    complaint(`
      [autopilot.brains.b]
      type = "command"
      command = ["x"]
      [[autopilot.rules]]
      name = "ask"
      match = { kind = ${kind} }
      brain = "b"
    `);
  expect(asking(`"question"`)).toEqual([]);
  expect(asking(`"approval"`)).toEqual(["autopilot.rules.0.brain: a brain never settles approvals"]);
  expect(asking(`["question", "plan"]`)).toEqual(["autopilot.rules.0.brain: a brain never settles plans"]);
});
