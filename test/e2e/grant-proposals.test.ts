import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UNTIL_RECEIVED } from "../patience.ts";
import { timeless } from "./cli-words.ts";
import { prompt } from "./comfort-prompt.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  mkdirSync(join(program.user, ".git"));
  mkdirSync(join(program.user, ".config/parley"), { recursive: true });
  writeFileSync(join(program.user, ".config/parley/config.toml"), 'approvals.must_ask = ["git push ..."]\n');
  await program.start();
});
afterAll(() => program.dispose());

const bash = (command: string, description = "x") => ({ tool: "Bash", input: { command, description } });

/** Approves one such call as a person does, and says what the command printed. */
async function approve(command: string, description?: string) {
  const asked = await prompt(program, bash(command, description));
  const [ran] = await Promise.all([
    program.parley(["answer", asked.id, "1", "--only"], { env: UNTIL_RECEIVED }),
    asked.takes(),
  ]);
  return { id: asked.id, out: ran.out };
}

test("[RC30] a program that answers with --json is told of the grant that is proposed, and without it of none", async () => {
  const told = async () => {
    const asked = await prompt(program, bash("npm run build"));
    const words = ["answer", asked.id, "1", "--only", "--json"];
    const [ran] = await Promise.all([program.parley(words, { env: UNTIL_RECEIVED }), asked.takes()]);
    return (JSON.parse(ran.out) as { proposal?: unknown }).proposal;
  };
  expect([await told(), await told()]).toEqual([undefined, undefined]);
  expect(await told()).toMatchObject({ title: "$ npm run build", for: "30m" });
});

const offer = (id: string) => program.client().call("grantOffer", { id });

test("[GP1] after three equal approvals one grant is proposed with what it would have saved; it is given by a person, once", async () => {
  for (const words of ["first", "second"]) expect((await approve("npm test", words)).out).not.toContain("Asked");
  await approve("npm run lint");
  const { id, out } = await approve("npm  'test'", "third");
  const short = id.slice(0, 6);
  expect(timeless(out).replace(/in \d+(\.\d)? (s|min):/, "in TIME:")).toBe(
    [
      '✓ Claude Code received "Approve" (TIME)',
      "Asked 3 times in TIME: $ npm test",
      `Allow it for 30m: parley answer ${short} --grant 30m · never propose it again: parley grants decline ${short}`,
      "",
    ].join("\n"),
  );
  // Nothing was given by that, and the next one shows it before it is answered.
  const asked = await prompt(program, bash("npm test"));
  expect((await program.client().call("listGrants", {})).grants).toEqual([]);
  expect((await program.parley(["show", asked.id])).out).toMatch(
    /\nAsked 3 times in [^\n]+: \$ npm test\nAllow it for 30m/,
  );
  const [given] = await Promise.all([
    program.parley(["answer", asked.id, "--grant", "30m", "--yes"], { env: UNTIL_RECEIVED }),
    asked.takes(),
  ]);
  expect(given.out).toContain("counts from now on");
  expect((await offer(id)).proposal).toBeUndefined();
  // Its end begins the count anew.
  await program.parley(["grants", "revoke", "--all"]);
  const { id: again } = await approve("npm test");
  expect((await offer(again)).proposal).toBeUndefined();
});

test("[GP2] what was declined is not proposed again for that pattern, also by another daemon; others are", async () => {
  for (let i = 0; i < 2; i++) await approve("make check");
  const { id } = await approve("make check");
  const { out, code } = await program.parley(["grants", "decline", id]);
  expect([code, out]).toEqual([0, "✓ a grant for $ make check is not proposed again\n"]);
  expect((await program.parley(["grants", "decline", id])).code).toBe(0);
  await program.kill9();
  await program.start();
  const { id: next, out: said } = await approve("make check");
  expect([said.includes("Asked"), (await offer(next)).proposal]).toEqual([false, undefined]);
  expect((await program.parley(["grants", "--all"])).out).toContain("declined: it is not proposed again");
  expect((await program.parley(["grants"])).out).not.toContain("make check");
  // To give it by hand is another thing.
  const given = await program.parley(["answer", next, "--grant", "2x", "--yes"]);
  expect(given.out).toContain("counts from now on");
});

test("[GP3] nothing is proposed for what must be asked about, cannot be granted, or was not allowed by a person", async () => {
  for (const command of ["git push", "ls | wc"]) {
    let last = "";
    for (let i = 0; i < 3; i++) last = (await approve(command)).id;
    expect([command, (await offer(last)).proposal]).toEqual([command, undefined]);
  }
  let last = "";
  for (let i = 0; i < 3; i++) {
    const asked = await prompt(program, bash("ls docs"));
    await Promise.all([program.parley(["answer", asked.id, "Deny", "--only"], { env: UNTIL_RECEIVED }), asked.takes()]);
    last = asked.id;
  }
  expect((await offer(last)).proposal).toBeUndefined();
});

const PLAN = `# Ship it

1. Run \`npm test\`, then \`createUser()\` gets a field \`name\`
2. \`\`\`bash
   $ npm run build
   built in 3 s
   \`\`\`
3. \`git push\` at the end, \`cat a | wc\` never
`;

/** Any hook of a session in a turn of its own. */
function fire(session: string, tool: string, input: object, turn: string, event = "PermissionRequest") {
  const payload = {
    session_id: session,
    cwd: program.user,
    transcript_path: join(program.user, "none.jsonl"),
    prompt_id: turn,
    permission_mode: "default",
    hook_event_name: event,
    ...(tool !== "" && { tool_name: tool, tool_input: input }),
  };
  const hook = program.spawn(["hook", "claude-code", event], { stdin: JSON.stringify(payload) });
  return { hook, output: hook.stdout.text() };
}

async function waits(session: string, title: string) {
  const asks = async () => (await program.client().call("listAsks", { query: { session, state: "all" } })).asks;
  let id = "";
  const found = await holds(async () => {
    const ask = (await asks()).find((each) => each.reachable && each.title === title && !each.outcome);
    id = ask?.id ?? "";
    return ask !== undefined;
  });
  if (!found) throw new Error(`${title} does not wait`);
  return id;
}

test("[GP4] an accepted plan grants the commands it names, and no others; it ends with the plan", async () => {
  const session = crypto.randomUUID();
  const plan = fire(session, "ExitPlanMode", { plan: PLAN }, "turn-1");
  const id = await waits(session, "Ship it");
  const { out: shown } = await program.parley(["show", id]);
  expect(shown).toContain(
    [
      "The plan names 3 commands:",
      "  $ npm test",
      "  $ npm run build",
      "  $ git push (held back: you always want to be asked about “git push ...”)",
    ].join("\n"),
  );
  const looked = await program.parley(["answer", id, "1", "--grant", "plan"]);
  expect([looked.code, looked.out.startsWith("  Allows   $ npm test\n           $ npm run build\n")]).toEqual([
    1,
    true,
  ]);
  const wide = await program.parley(["answer", id, "1", "--grant", "plan", "--pattern", "npm *", "--yes"]);
  expect([wide.code, wide.err]).toEqual([2, '✗ The plan does not name the command "npm *"\n']);
  const denied = await program.parley(["answer", id, "Deny", "--grant", "plan", "--yes"]);
  expect([denied.code, denied.err]).toEqual([2, "✗ Only what accepts the plan can be picked with a grant\n"]);
  const given = await program.parley(["answer", id, "2", "--grant", "plan", "--yes"]);
  expect([given.code, given.out.match(/counts from now on/g)?.length]).toEqual([0, 2]);
  const { decision } = (JSON.parse(await plan.output) as { hookSpecificOutput: { decision: { behavior: string } } })
    .hookSpecificOutput;
  expect(decision.behavior).toBe("allow");

  for (const command of ["npm test", "npm run build"])
    expect(JSON.parse(await fire(session, "Bash", { command }, "turn-1").output)).toMatchObject({
      hookSpecificOutput: { decision: { behavior: "allow" } },
    });
  const asks = async (command: string, turn: string, who = session) => {
    const { hook } = fire(who, "Bash", { command }, turn);
    const found = await waits(who, `$ ${command}`);
    hook.kill("SIGKILL");
    await hook.exited;
    return found;
  };
  for (const command of ["npm test -w x", "git push", "npm run lint"]) await asks(command, "turn-1");
  await asks("npm test", "turn-1", crypto.randomUUID());
  await asks("npm test", "turn-2");
  const another = fire(session, "ExitPlanMode", { plan: "# Other" }, "turn-3");
  await waits(session, "Other");
  await holds(async () => (await program.client().call("listGrants", {})).grants.every(({ end }) => !end.plan));
  const { grants } = await program.client().call("listGrants", { query: { all: "true" } });
  const ofPlan = grants.filter(({ end }) => end.plan === session);
  expect(ofPlan.map(({ sentence }) => sentence)).toEqual(["ended: its plan is done", "ended: its plan is done"]);
  another.hook.kill("SIGKILL");
  await another.hook.exited;
});
