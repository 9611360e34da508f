import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { UNTIL_RECEIVED } from "../patience.ts";
import { prompt } from "./comfort-prompt.ts";
import { linesOf, timeless } from "./cli-words.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const bash = (command: string, more: object = {}) => ({ tool: "Bash", input: { command, description: "x", ...more } });
type Fired = { session?: string; cwd?: string; tool?: string; input?: object };

/** A prompt's hook, as Claude Code starts it. It prints at once where a grant decides; else it waits. */
function fire(
  command: string,
  { session = crypto.randomUUID(), cwd = program.user, tool = "Bash", input }: Fired = {},
) {
  const payload = {
    session_id: session,
    cwd,
    transcript_path: join(program.user, "none.jsonl"),
    prompt_id: crypto.randomUUID(),
    permission_mode: "default",
    hook_event_name: "PermissionRequest",
    tool_name: tool,
    tool_input: input ?? bash(command).input,
  };
  const hook = program.spawn(["hook", "PermissionRequest"], { stdin: JSON.stringify(payload) });
  return { session, hook, output: hook.stdout.text() };
}

async function allows(command: string, more?: Fired): Promise<boolean> {
  const { session, hook, output } = fire(command, more);
  const asks = async () => (await program.client().call("listAsks", { query: { session, state: "all" } })).asks;
  const isKnown = await holds(async () => (await asks()).some(({ reachable, outcome }) => reachable || outcome));
  if (!isKnown) throw new Error("the prompt did not arrive");
  if ((await asks()).some(({ outcome }) => !outcome)) {
    hook.kill("SIGKILL");
    await hook.exited;
    return false;
  }
  const { decision } = (JSON.parse(await output) as { hookSpecificOutput: { decision: { behavior: string } } })
    .hookSpecificOutput;
  return decision.behavior === "allow";
}

async function grant(command: string, ...args: string[]) {
  const asked = await prompt(program, bash(command));
  const [ran] = await Promise.all([
    program.parley(["answer", asked.id, "--grant", ...args, "--yes"], { env: UNTIL_RECEIVED }),
    asked.takes(),
  ]);
  expect([ran.err, ran.code]).toEqual(["", 0]);
  const { grants } = await program.client().call("listGrants", {});
  return { id: grants[0]?.id ?? "", out: ran.out, asked };
}

test("[GR10] answer --grant shows what it will match, approves the call, and the next one is decided without being asked", async () => {
  const { id, out } = await grant("npm test", "30m");
  const folder = realpathSync(program.user);
  expect(timeless(out).replaceAll(/\d\d:\d\d/g, "CLOCK")).toBe(
    [
      "  Allows   $ npm test",
      "  That is  this command with exactly these words",
      `  Run in   ${folder}`,
      "  By       any agent and session that asks there",
      "  Until    CLOCK (TIME)",
      "  Never    with other words, ; && | & $ ` > or variables, sudo or eval, or in another folder: these ask",
      '✓ Claude Code received "Approve" (TIME)',
      `✓ grant ${id.slice(0, 6)} counts from now on; to end it: parley grants revoke ${id.slice(0, 6)}`,
      "",
    ].join("\n"),
  );
  const { session, output } = fire("npm  'test'");
  expect(JSON.parse(await output)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: "allow", updatedInput: { command: "npm  'test'" } } },
  });
  const [ask] = (await program.client().call("listAsks", { query: { session, state: "all" } })).asks;
  expect(ask?.outcome).toMatchObject({ actor: { type: "rule", surface: "grant" }, grant: id });
  const { out: why } = await program.parley(["why", ask?.id ?? ""]);
  expect(why).toContain(
    `It was answered by grant ${id.slice(0, 6)} (grant): Approve: not asked: grant ${id.slice(0, 6)} allows $ npm test.`,
  );
  for (const command of ["npm test x", "npm test && ls", "npm test $(ls)", "sudo npm test", "npm test > x"])
    expect([command, await allows(command)]).toEqual([command, false]);
  expect(await allows("", { input: { command: "npm test", dangerouslyDisableSandbox: true } })).toBe(false);
  const { out: listed } = await program.parley(["grants"]);
  expect(linesOf(listed)[0]).toBe(`${id.slice(0, 6)}  $ npm test`);
  expect(linesOf(listed)[1]).toStartWith("        used 1 time, until ");
  const { out: shown } = await program.parley(["grants", "show", id.slice(0, 5)]);
  expect(shown).toEndWith(`${id.slice(0, 6)} is live, used 1 time; the last one: parley why ${ask?.id.slice(0, 6)}\n`);
});

test("[GR11] a grant outlives a kill of the daemon, is counted to its last call, and then asks", async () => {
  const { id } = await grant("make all", "2x");
  expect(await allows("make all")).toBe(true);
  await program.kill9();
  await program.start();
  expect(await allows("make all")).toBe(true);
  expect(await allows("make all")).toBe(false);
  expect(await program.client().call("getGrant", { id })).toMatchObject({
    used: 2,
    sentence: "ended: all its calls are used",
  });
});

test("[RD1] what a daemon plays to itself after its start, where there are grants, is seen and kept by nobody", async () => {
  const { id } = await grant("make stage", "3x");
  expect(await allows("make stage")).toBe(true);
  await program.kill9();
  const stored = async () => {
    const { asks } = await program.client().call("listAsks", { query: { state: "all", limit: 500 } });
    const { sessions } = await program.client().call("listSessions", { query: { limit: 500 } });
    return { asks: asks.map((ask) => ask.id).toSorted(), sessions: sessions.map((each) => each.id).toSorted() };
  };
  await program.start({ PARLEY_LOG: "debug" });
  const before = await stored();
  expect(await holds(() => readFileSync(program.paths.log, "utf8").includes('"rehearsed"'))).toBe(true);
  expect(await stored()).toEqual(before);
  expect(await program.client().call("getGrant", { id })).toMatchObject({ used: 1, state: "live" });
  const { grants } = await program.client().call("listGrants", {});
  expect(grants.map(({ pattern }) => pattern.text)).not.toContain("true");
  expect(await allows("make stage")).toBe(true);
  expect(await allows("true")).toBe(false);
  const { events } = await program.client().call("readLog", { query: { limit: 1000 } });
  expect(JSON.stringify(events)).not.toContain("rehears");
});

test("[GR12] of many calls at once no more are allowed than were granted", async () => {
  const { id } = await grant("make race", "3x");
  const fired = Array.from({ length: 6 }, () => fire("make race"));
  const known = async () => (await program.client().call("getGrant", { id })).used;
  expect(await holds(async () => (await known()) === 3)).toBe(true);
  const open = async () =>
    (await program.client().call("listAsks", { query: { limit: 500 } })).asks.filter(
      ({ title }) => title === "$ make race",
    );
  expect(await holds(async () => (await open()).filter(({ reachable }) => reachable).length === 3)).toBe(true);
  for (const { hook } of fired) hook.kill("SIGKILL");
  await Promise.all(fired.map(({ hook }) => hook.exited));
  expect(await known()).toBe(3);
});

test("[GR13] a grant is edited after it was shown, and revoked at once", async () => {
  const { id } = await grant("npm run build", "10x");
  expect(await allows("npm run lint")).toBe(false);
  const looked = await program.parley(["grants", "edit", id, "--pattern", "npm run *"]);
  expect([looked.code, linesOf(looked.out).at(-1)]).toEqual([
    1,
    "Nothing was changed. To change it without being asked: --yes",
  ]);
  expect(await allows("npm run lint")).toBe(false);
  expect((await program.parley(["grants", "edit", id, "--pattern", "npm run *", "--yes"])).code).toBe(0);
  expect(await allows("npm run lint")).toBe(true);
  expect(await allows("npm run ../lint")).toBe(false);
  const bad = await program.parley(["grants", "edit", id, "--pattern", "npm run * ; ls", "--yes"]);
  expect([bad.code, bad.err]).toEqual([
    2,
    '✗ No grant can have the pattern "npm run * ; ls": it is more than one command\n',
  ]);
  const revoked = await program.parley(["grants", "revoke", id]);
  expect(revoked.out).toBe(`✓ grant ${id.slice(0, 6)} is revoked: $ npm run *\n`);
  expect(await allows("npm run lint")).toBe(false);
});

test("[GR14] what cannot be decided is not granted, and without a yes nothing is", async () => {
  const refused = async (command: string, ...args: string[]) => {
    const asked = await prompt(program, bash(command));
    const ran = await program.parley(["answer", asked.id, "--grant", ...args]);
    const { state } = await program.client().call("getAsk", { id: asked.id });
    await asked.hangsUp();
    return [ran.code, ran.err || linesOf(ran.out).at(-1), state];
  };
  expect(await refused("ls | wc", "30m", "--yes")).toEqual([2, "✗ This cannot be granted: it is a pipeline\n", "open"]);
  expect(await refused("ls a", "30m")).toEqual([
    1,
    "Nothing was granted. To give it without being asked: --yes",
    "open",
  ]);
  expect(await refused("ls a", "for ever", "--yes")).toEqual([
    2,
    '✗ A grant is for 30m, 2h (24h at most), 10x (1000x at most), task or plan, not "for ever"\n',
    "open",
  ]);
  expect(await refused("ls a", "task", "--yes")).toEqual([
    2,
    "✗ No task asks this: give it for a time or for calls\n",
    "open",
  ]);
  expect(await refused("ls a", "plan", "--yes")).toEqual([
    2,
    "✗ No plan was accepted in this session: give it for a time or for calls\n",
    "open",
  ]);
  expect(await refused("ls a", "30m", "--pattern", "ls b", "--yes")).toEqual([
    2,
    '✗ The pattern "ls b" does not match what is asked about\n',
    "open",
  ]);
});

test("[GR15] a file is granted by where it really is", async () => {
  const project = join(program.user, "shop");
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(join(project, ".git"));
  symlinkSync("/tmp", join(project, "src", "out"));
  const write = (path: string) => ({ tool: "Write", cwd: project, input: { file_path: path, content: "x" } });
  const { session, hook, output } = fire("", write(join(project, "src/a.ts")));
  const asks = async () => (await program.client().call("listAsks", { query: { session } })).asks;
  expect(await holds(async () => (await asks())[0]?.reachable === true)).toBe(true);
  const [ask] = await asks();
  const { grant: given } = await program
    .client()
    .call("giveGrant", { id: ask?.id ?? "", body: { for: "5x", pattern: "src/**" } });
  expect([given.title, given.folder]).toEqual(["write src/**", realpathSync(project)]);
  expect(JSON.parse(await output)).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
  await hook.exited;
  expect(await allows("", write(join(project, "src/deep/b.ts")))).toBe(true);
  for (const path of ["src/out/b.ts", "b.ts", "src/../b.ts", "src/.env"])
    expect([path, await allows("", write(join(project, path)))]).toEqual([path, false]);
});
