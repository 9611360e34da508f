import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onScreen } from "../terminal/inbox-stage.ts";
import { browserTests } from "../web/browser.ts";
import { createReceiver, type Receiver } from "./notify-stage.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
let receiver: Receiver;
let file = "";
beforeEach(() => {
  program = createProgram();
  receiver = createReceiver();
  file = join(program.user, ".config/parley/config.toml");
  mkdirSync(join(file, ".."), { recursive: true });
});
afterEach(async () => {
  await program.dispose();
  await receiver[Symbol.asyncDispose]();
});

/** Everything a person set up, and one letter too many in line 6. */
const settings = (more = "") =>
  [
    "[notify.ntfy]",
    `url = "${receiver.url}/topic"`,
    "[autopilot]",
    'mode = "on"',
    "[notify]",
    "enabeld = true",
    more,
  ].join("\n");
const WRONG = ":6:1: unknown key notify.enabeld; did you mean notify.enabled?";
const said = async (...args: string[]) => {
  const { out, err } = await program.parley(args);
  return out + err;
};

test("[MX30] one wrong key: everything else is in force, and doctor, status and whatever reads it say which line", async () => {
  writeFileSync(file, settings());
  // Before anything runs, too.
  const before = await program.parley(["doctor"]);
  expect(before.out).toContain(`✗ config       ${file}${WRONG}`);
  await program.start();

  const doctor = await program.parley(["doctor"]);
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`✗ config       ${file}${WRONG}`)]);
  expect(await said("status")).toContain(`✗ ${file}${WRONG}\n`);
  const status = JSON.parse((await program.parley(["status", "--json"])).out) as { problems: object[] };
  expect(status.problems).toMatchObject([{ file, line: 6, column: 1, key: "notify.enabled" }]);

  const test = await program.parley(["notify", "test", "--channel", "ntfy"]);
  expect([test.code, test.out]).toEqual([0, expect.stringContaining("✓ ntfy: published")]);
  expect(test.err).toBe(`✗ ${file}${WRONG}\n`);
  expect(receiver.requests).toHaveLength(1);
  expect((await program.parley(["autopilot"])).out).toStartWith("Mode:            on\n");
  const config = await program.parley(["config"]);
  expect([config.code, config.out]).toEqual([1, expect.stringContaining(`✗ ${file}${WRONG}\n`)]);
  expect(config.out).toEndWith("Settings with mistakes are ignored; the rest applies.\n");
});

test("[MX31] a command says what is wrong with what it reads, and nothing of the rest", async () => {
  writeFileSync(file, `[autopilot]\nmode = "om"\n[tasks]\nbudget_usd = "5"\n[notify.ntfy]\nurl = "ntfy.sh/x"\n`);
  await program.start();
  const autopilot = `✗ ${file}:2:1: autopilot.mode: expected off, suggest or on, not "om"\n`;
  expect((await program.parley(["autopilot"])).err).toBe(autopilot);
  const url = "expected an address that begins with http:// or https://";
  expect((await program.parley(["notify", "test"])).err).toBe(`✗ ${file}:6:1: notify.ntfy.url: ${url}\n`);
  expect((await program.parley(["tasks"])).err).toBe(
    `✗ ${file}:4:1: tasks.budget_usd: expected a number of dollars, not "5"\n`,
  );
  writeFileSync(
    file,
    `[approvals]\nmust_aks = ["git push ..."]\n[inbox]\nidle_sesions = true\n[notify]\ndigets = "08:00"\n`,
  );
  const [ask, idle, digest] = [
    `✗ ${file}:2:1: unknown key`,
    `✗ ${file}:4:1: unknown key`,
    `✗ ${file}:6:1: unknown key`,
  ];
  for (const [args, line] of [
    [["grants"], ask],
    [["setup", "claude-code", "--print"], ask],
    [["sessions"], idle],
    [["digest"], digest],
  ] as const)
    expect([args, (await program.parley([...args])).err]).toEqual([args, expect.stringContaining(line)]);
  writeFileSync(file, `[web]\naddres = "https://x.example"\n`);
  expect((await program.parley(["phone"])).err).toContain(`✗ ${file}:2:1: unknown key web.addres`);
  for (const quiet of [["ls"], ["autopilot", "--help"], ["autopilot", "--json"]])
    expect([quiet, (await program.parley(quiet)).err]).toEqual([quiet, ""]);
});

test("[MX32] a project's file is told about where one stands in it, and the rest of it holds", async () => {
  const project = join(program.user, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  const theirs = join(project, ".parley.toml");
  writeFileSync(theirs, `[tasks]\non_idle = "cancel"\non_ded = "cancel"\n`);
  await program.start();
  const line = `✗ ${theirs}:3:1: unknown key tasks.on_ded; did you mean tasks.on_dead?\n`;
  expect((await program.parley(["tasks"], { cwd: project })).err).toBe(line);
  expect((await program.parley(["tasks"])).err).toBe("");
  expect((await program.parley(["status"], { cwd: project })).out).toContain(line);
  const { entries } = JSON.parse((await program.parley(["config", "--json"], { cwd: project })).out) as {
    entries: { key: string; value: unknown }[];
  };
  expect(entries.find(({ key }) => key === "tasks.on_idle")?.value).toBe("cancel");
});

test("[MX33] text that is no TOML: the running daemon goes on as before, a new one begins careful, both say the line", async () => {
  writeFileSync(file, `[autopilot]\nmode = "on"\n[tasks]\nbudget_usd = 5\n`);
  await program.start();
  expect(await said("autopilot")).toContain("Mode:            on\n");
  writeFileSync(file, `[autopilot]\nmode = on\n[tasks]\nbudget_usd = 5\n`);
  const wrong = `✗ ${file}:2:8: is not TOML: invalid value\n`;
  expect(await said("autopilot")).toContain("Mode:            on\n");
  expect(await said("autopilot")).toContain(wrong);
  expect(await said("status")).toContain(wrong);
  await program.terminate();
  await program.start();
  expect(await said("autopilot")).toContain("Mode:            off\n");
  expect(await said("autopilot")).toContain(wrong);
  expect((await program.parley(["doctor"])).out).toContain(`✗ config       ${wrong.slice(2, -1)}`);
  const config = await said("config");
  expect(config).toMatch(new RegExp(`tasks.budget_usd +0.01 +${file}:2 \\(cannot be read; this counts instead\\)`));
  writeFileSync(file, `[autopilot]\nmode = "on"\n`);
  expect(await said("autopilot")).toBe(await said("autopilot"));
  expect(await said("autopilot")).toContain("Mode:            on\n");
  expect(await said("status")).not.toContain("✗");
});

test("[MX34] the inbox on the terminal shows the line, and takes it away when the file is well", async () => {
  writeFileSync(file, settings());
  await program.start();
  await using inbox = onScreen(program, { columns: 140, env: { PARLEY_CONFIG: "" } });
  await inbox.shows(`✗ ${file}${WRONG}`);
  writeFileSync(file, "");
  await inbox.shows(/^(?!.*did you mean)/s);
  inbox.press("q");
  expect((await inbox.ended()).code).toBe(0);
});

const it = browserTests();
it("[MX35] the page shows the line, and takes it away when the file is well", async (web) => {
  const mine = join(web.program.user, ".config/parley/config.toml");
  mkdirSync(join(mine, ".."), { recursive: true });
  writeFileSync(mine, "port = 4747\nprot = 1\n");
  const page = await web.open();
  const banner = page.getByRole("alert");
  await banner.getByText(`${mine}:2:1: unknown key prot; did you mean port?`).waitFor();
  writeFileSync(mine, "");
  await banner.waitFor({ state: "detached" });
});
