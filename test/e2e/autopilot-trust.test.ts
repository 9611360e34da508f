import { afterEach, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPilot, isSettled, type Pilot, RULE, stateIs } from "./autopilot-stage.ts";

const ON = `[autopilot]\ntrust.per_rule = 0\nundo_seconds = 0\n[autopilot.projects]\n"~/shop" = "on"\n`;
const HOLD = `[[autopilot.rules]]\nname = "mine-to-say"\nmatch = { header = "Choice" }\nact = "never-auto"\n`;
const CLAUDE = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };

let pilot: Pilot;
afterEach(() => pilot.dispose());

async function start(config = ON): Promise<string> {
  pilot = createPilot(config);
  await pilot.program.start();
  return join(pilot.project, ".parley.toml");
}
const here = (...args: string[]) => pilot.program.parley(args, { cwd: pilot.project });
const trust = (...args: string[]) => here("autopilot", "trust", "--yes", ...args);
const left = async (question: string) => pilot.becomes(await pilot.ask({ question }), stateIs("human"));
const settled = async (question: string) => (await pilot.becomes(await pilot.ask({ question }), isSettled)).outcome;

test("[DC1] a rule that an agent writes into its project answers nothing, also where its folder is named", async () => {
  const file = await start();
  writeFileSync(file, RULE);
  const { id, outcome } = await left("One?");
  expect(outcome).toBeUndefined();
  const why = `passed: ${file} is not trusted, so its 1 rule does not act: parley autopilot trust --file`;
  expect((await here("explain", id)).out).toContain(why);
  expect((await here("autopilot")).out).toContain(`${file} is not trusted: parley autopilot trust --file\n`);
  expect((await here("status")).out).toContain(`${file} is not trusted: parley autopilot trust --file\n`);
});

test("[DC2] a rule of a trusted file answers, and no more once the file has changed, until it is trusted again", async () => {
  const file = await start();
  writeFileSync(file, RULE);
  expect(await trust()).toMatchObject({ code: 0, out: expect.stringContaining(`✓ ${file} is trusted`) });
  expect((await settled("One?"))?.actor).toMatchObject({ type: "rule", name: "first" });
  writeFileSync(file, RULE.replace("List", "Grid"));
  const { id } = await left("Two?");
  const changed = `${file} changed since you trusted it`;
  expect((await here("explain", id)).out).toContain(
    `${changed}, so its 1 rule does not act: parley autopilot trust --file`,
  );
  for (const command of [["autopilot"], ["status"], ["doctor"]])
    expect((await here(...command)).out.replaceAll(/\s+/g, " ")).toContain(changed);
  const shown = (await trust()).out;
  expect(shown).toContain(`-choose = { label = "List" }\n`);
  expect(shown).toContain(`+choose = { label = "Grid" }\n`);
  expect((await settled("Three?"))?.answers).toEqual([{ picks: [0] }]);
});

test("[DC3] what held a question back in a trusted file goes on to, whatever becomes of the file and its folder", async () => {
  const file = await start();
  pilot.configure(ON.replace("undo_seconds = 0", 'undo_seconds = 0\nbrain = "b"') + pilot.brain("b", first).toml);
  writeFileSync(file, HOLD);
  await trust();
  const held = async (question: string, cwd = pilot.project) => {
    const { autopilot } = await pilot.becomes(await pilot.ask({ question, cwd }), stateIs("human"));
    expect(autopilot?.why).toBe('the rule "mine-to-say" says never');
  };
  await held("One?");
  writeFileSync(file, "");
  await held("Two?");
  rmSync(file);
  await held("Three?");
  mkdirSync(join(pilot.project, "inner/.git"), { recursive: true });
  await held("Four?", join(pilot.project, "inner"));
  expect((await here("autopilot", "trust", "--remove")).code).toBe(0);
  const five = await pilot.becomes(await pilot.ask({ question: "Five?" }), stateIs("suggested"));
  expect(five.autopilot?.proposal?.by).toMatchObject({ type: "brain", name: "b" });
});
const first = { actions: [{ action: "select", optionIndex: 0 }], reason: "because" };

test("[DC4] neither a link nor a moved folder lends its trust to another file", async () => {
  const file = await start();
  writeFileSync(file, RULE);
  await trust();
  renameSync(pilot.project, `${pilot.project}-old`);
  mkdirSync(join(pilot.project, ".git"), { recursive: true });
  writeFileSync(file, RULE.replace("List", "Grid"));
  await left("Another folder of that name?");
  rmSync(file);
  symlinkSync(join(`${pilot.project}-old`, ".parley.toml"), file);
  await left("A link to what was trusted?");
  expect(await trust()).toMatchObject({ code: 2, err: expect.stringContaining("is a link") });
  rmSync(pilot.project, { recursive: true });
  renameSync(`${pilot.project}-old`, pilot.project);
  expect((await settled("Back again?"))?.actor).toMatchObject({ type: "rule", name: "first" });
});

test("[DC5] an agent cannot trust a file, and neither can a script without saying so; a person sees what they trust", async () => {
  const file = await start();
  writeFileSync(file, `${RULE}# \u202e hidden\n`);
  const inside = await pilot.program.parley(["autopilot", "trust", "--yes"], { cwd: pilot.project, env: CLAUDE });
  expect(inside).toMatchObject({
    code: 77,
    err: "✗ Only a person may trust a project's file; this comes from inside an agent's session\n",
  });
  expect(await here("autopilot", "trust", "--file")).toMatchObject({
    code: 2,
    err: "✗ This needs a terminal to ask you, or --yes\n",
  });
  const seen = JSON.parse((await here("autopilot", "trust", "--file", "--json")).out) as {
    state: string;
    digest: string;
  };
  expect(seen).toMatchObject({ file, state: "untrusted", rules: 1 });
  expect((await trust()).out).toContain("+# \\u{202e} hidden\n");
  const client = pilot.program.client();
  writeFileSync(file, RULE.replace("List", "Grid"));
  const stale = client.call("setTrust", { body: { folder: pilot.project, digest: seen.digest } });
  expect(stale).rejects.toMatchObject({ code: "stale_version", message: `${file} changed while you looked at it` });
  await left("Still?");
});

test("[DC6] a trust outlives the daemon; of a file that is not trusted nothing counts that lets an agent go on", async () => {
  const file = await start();
  writeFileSync(file, `${RULE}[tasks]\non_error = "retry"\non_idle = "cancel"\n[notify]\nenabled = false\n`);
  const setting = async (key: string) => {
    const { entries } = JSON.parse((await here("config", "--json")).out) as {
      entries: { key: string; value: unknown }[];
    };
    return entries.find((entry) => entry.key === key)?.value;
  };
  const all = () => Promise.all(["tasks.on_error", "tasks.on_idle", "notify.enabled"].map(setting));
  expect(await all()).toEqual(["escalate", "cancel", false]);
  await trust();
  await pilot.program.kill9();
  expect(await all()).toEqual(["retry", "cancel", false]);
  await pilot.program.start();
  expect(await all()).toEqual(["retry", "cancel", false]);
  expect((await settled("One?"))?.actor).toMatchObject({ type: "rule", name: "first" });
});
