import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { mismatchAfter } from "../e2e/mismatch-stage.ts";
import { COMMAND, createProgram, type Program, UNTIL_STARTED } from "../e2e/program.ts";
import { openStage, shown, type Stage } from "../hub/hub-stage.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { guardOver, onScreen } from "./inbox-stage.ts";

setDefaultTimeout(TEST_MS);
// With CI=true a missing tmux fails instead.
const missing = Bun.which("tmux") === null && !process.env["CI"];
const inTmux = test.skipIf(missing);
if (missing) process.stderr.write("tmux is not installed: the inbox of a hub is not tried in it\n");

type Who = Awaited<ReturnType<Stage["person"]>>;
const ESC = "\u001b";
const DOWN = "\u001b[B";

/** A question for which nobody waits: so nobody starts a daemon again that was ended. */
async function ask(program: Program, cwd: string, words: string, options = ["Yes", "No"]): Promise<string> {
  const { out, err } = await program.parley(["ask", words, ...options.flatMap((o) => ["-o", o]), "--no-wait"], { cwd });
  if (out === "") throw new Error(err);
  return out.trim();
}
const outcomeOf = async (program: Program, id: string) => (await program.client().call("getAsk", { id })).outcome;

/** The typed command in a tmux of its own, as a member with a token. */
async function inbox({ machine }: Stage, name: string, { env }: Who) {
  const server = join(machine.root, `tmux-${name}`);
  const tmux = (...args: string[]) =>
    Bun.spawnSync(["tmux", "-f", "/dev/null", "-S", server, ...args], {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: machine.user,
        LANG: "C.UTF-8",
        TERM: "xterm-256color",
        PARLEY_HOME: machine.home,
        PARLEY_PORT: "0",
        PARLEY_CONFIG: "/dev/null",
        ...UNTIL_STARTED,
        ...env,
      },
    });
  tmux("new-session", "-d", "-s", "shell", "-x", "110", "-y", "32", "env PS1='> ' sh");
  const client = onScreen(machine, {
    columns: 110,
    rows: 32,
    command: ["tmux", "-S", server, "attach", "-t", "shell"],
  });
  await client.shows("> ");
  client.press(`${COMMAND.join(" ")} inbox --hub; echo "code=$?"\r`);
  await client.shows("Parley hub");
  return {
    ...client,
    /** Opens the dialog of the selected one and waits until its keys count. */
    async openDialog(row = "( ) 2. "): Promise<void> {
      client.press("\r");
      await client.shows(row);
      await guardOver();
    },
    async [Symbol.asyncDispose]() {
      tmux("kill-server");
      await client[Symbol.asyncDispose]();
    },
  };
}

inTmux(
  "[HI1] parley inbox --hub lists what every machine asks, live, with who is on it and who looks; filters find machine and person",
  async () => {
    await using stage = await openStage();
    const hub = await stage.startHub();
    const other = createProgram();
    await using _ = { [Symbol.asyncDispose]: () => other.dispose() };
    const shop = join(other.user, "shop");
    mkdirSync(shop);
    await stage.join(hub, stage.machine, stage.project, "--name", "laptop");
    await stage.join(hub, other, shop, "--name", "server");
    const [ann, bob] = [await stage.person(hub, "Ann", "answerer"), await stage.person(hub, "Bob", "answerer")];
    await ask(stage.machine, stage.project, "Which button?");
    await using mine = await inbox(stage, "ann", ann);
    await mine.shows(/\[Waiting 1\][^]*❯ Which button\?[^]*laptop:project · /);
    // What is asked on another machine appears.
    const second = await ask(other, shop, "Which store?", ["Disk", "Tape"]);
    expect(await mine.shows(/\[Waiting 2\] {2}Settled 0 +● live[^]*server:shop · /)).not.toContain("Sessions");
    await using theirs = await inbox(stage, "bob", bob);
    await theirs.shows("❯ Which button?");
    // i: on it, for all to see; again: let go.
    mine.press("i");
    await mine.shows(/✓ Ann is on it, for [^]*i let go/);
    await theirs.shows(/laptop:project · [^\n]*Ann is on it/);
    theirs.press("/");
    await theirs.shows("Enter keeps it");
    theirs.press("for:ann");
    await theirs.shows(/^(?![^]*Which store\?)[^]*\[Waiting 1\][^]*Which button\?/);
    theirs.press("\u0015machine:server");
    await theirs.shows(/^(?![^]*Which button\?)[^]*\[Waiting 1\][^]*Which store\?/);
    theirs.press(ESC);
    await theirs.shows("[Waiting 2]");
    theirs.press("g");
    await theirs.shows("❯ Which button?");
    await theirs.openDialog();
    await mine.shows("Bob is looking");
    theirs.press(ESC);
    await mine.shows(/^(?![^]*is looking)/);
    // I: somebody else is on it, who may answer it; another name is said to be none and can be corrected.
    mine.press("I");
    await mine.shows("Hand over to:");
    mine.press("Bobby\r");
    await mine.shows('Nobody called "Bobby" may answer this here');
    mine.press("I");
    await mine.shows(/Hand over to: +Bobby/);
    mine.press("\u007f\u007f\r");
    await mine.shows("✓ Bob is on it, from Ann, for ");
    await theirs.shows(/laptop:project · [^\n]*Bob is on it/);
    mine.press("I");
    await mine.shows(/Hand over to: +a member/);
    mine.press("Ann\r");
    await mine.shows("✗ Bob is on it until ");
    mine.press("I");
    await mine.shows(/Hand over to: +Ann/);
    mine.press(ESC);
    await mine.shows(/^(?![^]*Hand over to)/);
    theirs.press("i");
    await theirs.shows("✓ nobody is on");
    await mine.shows(/^(?![^]*Bob is on it, f)/);
    // What a hub does not carry has no key.
    mine.press("?");
    const help = await mine.shows(/Keys[^]*say that you are on it/);
    for (const word of ["snooze", "allow it for a while", "tmux pane", "a task:"]) expect(help).not.toContain(word);
    mine.press("q");
    await mine.shows(/^(?![^]*say that you are on it)/);
    mine.press("s");
    // A machine that goes says since when it sleeps; what it asked stays.
    await other.kill9();
    expect(await mine.shows(/server:shop · [^\n]*asleep since/)).not.toContain("Snooze for");
    await other.start();
    await mine.shows(/^(?![^]*asleep)/);
    await stage.admin("route", "--to", "Ann", "--project", "shop");
    await mine.shows(/❯?\s*Which store\?\s[^]*for you[^]*Which button\?/);
    mine.press("g");
    await mine.shows("❯ Which store?");
    await mine.openDialog("( ) 2. Tape");
    mine.press("2\r");
    await mine.shows("✓ received by server");
    expect(await outcomeOf(other, second)).toMatchObject({ type: "answered", answers: [{ picks: [1] }] });
    mine.press("q");
    await mine.shows("code=0");
  },
);

inTmux(
  "[HI2] an answer is sent, then what its machine says of it; it is taken back while that sleeps; a decline goes the same way",
  async () => {
    await using stage = await openStage();
    const { machine } = stage;
    const hub = await stage.startHub();
    await stage.join(hub, machine, stage.project, "--name", "laptop");
    const ann = await stage.person(hub, "Ann", "answerer");
    const first = await ask(machine, stage.project, "First?");
    const second = await ask(machine, stage.project, "Second?");
    await using mine = await inbox(stage, "ann", ann);
    await mine.shows("❯ First?");
    await machine.kill9();
    await mine.shows(/❯ First\?[^]*asleep since/);
    await mine.openDialog();
    mine.press("2\r");
    await mine.shows(/\[Waiting 1\] {2}Settled 1[^]*… sent to laptop, which is away since/);
    mine.press("\t");
    await mine.shows(/\[Settled 1\][^]*… Ann answered [^]*hears it when it wakes[^]*u take back/);
    // What came under the cursor a moment ago is not taken back by one press.
    for (let seen = ""; !seen.includes("taken back");) {
      mine.press("u");
      seen = await mine.shows(/✓ taken back|press again/);
    }
    await mine.shows(/Waiting 2 {2}\[Settled 0\][^]*✓ taken back/);
    mine.press("\tg");
    await mine.shows(/\[Waiting 2\][^]*❯ First\?/);
    await mine.openDialog();
    mine.press("1\r");
    await mine.shows("… sent to laptop, which is away since");
    await machine.start();
    await mine.shows("✓ received by laptop");
    expect(await outcomeOf(machine, first)).toMatchObject({ answers: [{ picks: [0] }], actor: { surface: "hub" } });
    await mine.shows("❯ Second?");
    mine.press("d");
    await mine.shows("Enter: decline");
    mine.press("not now\r");
    await mine.shows(/\[Waiting 0\][^]*✓ received by laptop/);
    expect(await outcomeOf(machine, second)).toMatchObject({ type: "declined", message: "not now" });
  },
);

inTmux("[HI3] who comes second is told who was first, when and with what, as on the command line", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  await stage.join(hub, machine, stage.project, "--name", "laptop");
  const [ann, bob] = [await stage.person(hub, "Ann", "answerer"), await stage.person(hub, "Bob", "answerer")];
  const first = await stage.ask("First?");
  const second = await stage.ask("Second?");
  await shown(bob.client, second.id, { state: "open" });
  await using mine = await inbox(stage, "ann", ann);
  await mine.shows("❯ First?");
  const byBob = (id: string, ...words: string[]) => machine.parley(["answer", id, ...words, "--hub"], { env: bob.env });
  // With its dialog open.
  await mine.openDialog();
  await byBob(first.id, "1");
  await mine.shows(/Bob was first \([^)]+\): Yes[^]*any key: close/);
  await guardOver();
  mine.press("x");
  // With something typed that was still to be sent.
  await mine.shows("❯ Second?");
  mine.press("d");
  await mine.shows("Enter: decline");
  mine.press("no");
  await mine.shows(/: no\b/);
  await byBob(second.id, "2");
  await mine.shows("[Waiting 0]");
  mine.press("\r");
  const screen = await mine.shows(/✗ too late: Bob was first \([^)]+\): No/);
  const typed = await machine.parley(["answer", second.id, "1", "--hub"], { env: ann.env });
  expect(typed).toMatchObject({ code: 4 });
  expect(screen).toContain(typed.out.trim());
  for (const { ended } of [first, second]) expect((await ended).code).toBe(0);
});

inTmux(
  "[HI4] who may only look is told so, before and when they try, and what they typed is there again and given back in the end",
  async () => {
    await using stage = await openStage();
    const { machine } = stage;
    const hub = await stage.startHub();
    await stage.join(hub);
    const vic = await stage.person(hub, "Vic", "viewer");
    const asked = await stage.ask("First?");
    await using mine = await inbox(stage, "vic", vic);
    await mine.shows(/❯ First\?[^]*You may look at this, not answer it: your role here is[^]*viewer/);
    await mine.openDialog("( ) 3. Other");
    mine.press(`${DOWN}${DOWN}\r`);
    await mine.shows("Enter your answer:");
    mine.press("my own words");
    await mine.shows("my own words");
    mine.press("\r");
    // In the dialog, which may cover the line above the keys, and there.
    await mine.shows(/✗ Your role here is viewer: you may not answer a question[^]*“my own words”[^]*✗ Your role/);
    await guardOver();
    mine.press(ESC);
    await mine.shows("What you entered is kept.");
    await mine.openDialog("“my own words”");
    mine.press(ESC);
    await mine.shows(/^(?![^]*3\. Other)/);
    mine.press("i");
    await mine.shows("✗ Your role here is viewer: you may not answer this");
    mine.press("q");
    await mine.shows(/Parley did not keep what you typed:\s+my own words\s+code=0/);
    expect((await machine.client().call("getAsk", { id: asked.id })).state).toBe("open");
    await machine.parley(["answer", asked.id, "1"]);
    await asked.ended;
  },
);

inTmux("[HI5] where two people are needed, or a signature, it says what the command line says", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  await stage.admin("policy", "--two", "--project", "project");
  await stage.join(hub, machine, stage.project, "--name", "laptop");
  const [ada, bob] = [await stage.person(hub, "Ada", "approver"), await stage.person(hub, "Bob", "approver")];
  const asked = await stage.ask("Deploy?");
  await using one = await inbox(stage, "ada", ada);
  await using two = await inbox(stage, "bob", bob);
  await one.shows(/❯ Deploy\?[^]*It needs two people/);
  await one.openDialog();
  one.press("1\r");
  await one.shows(/… 1 of 2: Ada chose Yes; another approver is needed[^]*u take back/);
  await two.shows(/1 of 2: Ada chose Yes/);
  await two.openDialog();
  two.press("1\r");
  await two.shows("✓ Ada and Bob agree; received by laptop");
  await one.shows("✓ Ada and Bob agree; received by laptop");
  expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });

  const [two2] = (await stage.admin("policy")).policies;
  await stage.admin("policy", "--remove", two2.id);
  await stage.admin("policy", "--signed", "--project", "project");
  const signed = await stage.ask("Really?");
  await one.shows(/❯ Really\?[^]*It needs a signature, on the hub's page/);
  await one.openDialog();
  one.press("1\r");
  await one.shows("✗ This answer has to be signed with your passkey: give it on the hub's page. A token cannot sign");
  await machine.parley(["answer", signed.id, "2"]);
  await one.shows("[Waiting 0]");
  await signed.ended;
});

inTmux(
  "[HI6] without its hub it says so and shows what it had, an answer stays in its dialog; it comes back by itself with what happened, also that an answer was overtaken",
  async () => {
    await using stage = await openStage();
    const { machine } = stage;
    const hub = await stage.startHub();
    await stage.join(hub, machine, stage.project, "--name", "laptop");
    const ann = await stage.person(hub, "Ann", "answerer");
    const first = await ask(machine, stage.project, "First?");
    const second = await ask(machine, stage.project, "Second?");
    await using mine = await inbox(stage, "ann", ann);
    await mine.shows(/❯ First\?[^]*Second\?/);
    await machine.kill9();
    await mine.shows("asleep since");
    await mine.openDialog();
    mine.press("1\r");
    await mine.shows("… sent to laptop");
    await hub.kill();
    await mine.shows(/\[Waiting 1\] {2}Settled 1 +the hub is away, trying again …[^]*❯ Second\?/);
    await mine.openDialog();
    mine.press("2\r");
    await mine.shows(/✗ No hub answers at [^]*❯ \(•\) 2\. No/);
    await guardOver();
    // Meanwhile its own machine goes on, and somebody there answers.
    await machine.start();
    expect((await machine.parley(["answer", first, "2"])).code).toBe(0);
    await hub.start();
    await mine.shows("● live");
    await shown(ann.client, first, { intent: { state: "overtaken" } });
    mine.press(ESC);
    await mine.shows("What you entered is kept.");
    mine.press("\t");
    await mine.shows(/\[Settled 1\][^]*✗ Ann answered [^]*laptop was faster/);
    mine.press("\t");
    await mine.openDialog("❯ (•) 2. No");
    mine.press("\r");
    await mine.shows("✓ received by laptop");
    expect(await outcomeOf(machine, second)).toMatchObject({ answers: [{ picks: [1] }] });
    // Whoever is revoked is told so, and sees no more.
    await stage.admin("revoke", "Ann");
    await ask(machine, stage.project, "Third?");
    expect(await mine.shows("This token is unknown here")).not.toContain("Third?");
  },
);

inTmux("[HI14] whoever answered in a hub's inbox hears when the agent received something else", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const project = join(machine.root, "project");
  mkdirSync(project);
  await stage.join(hub, machine, project, "--name", "laptop");
  const [ann, bob] = [await stage.person(hub, "Ann", "answerer"), await stage.person(hub, "Bob", "answerer")];
  await using mine = await inbox(stage, "ann", ann);
  await using theirs = await inbox(stage, "bob", bob);
  await mismatchAfter(machine, async ({ id }) => {
    await Promise.all([mine, theirs].map((each) => each.shows("❯ Which approach")));
    // Now: a key takes away what was said before it.
    theirs.press("\t");
    await theirs.shows("[Settled 0]");
    await ann.client.answer(id, { action: "answer", answers: [{ picks: [0] }] });
  });
  await mine.shows(/✗ laptop:project “Which approach[^]*Your\s+answer\s+was\s+not\s+submitted\s+correctly/);
  // It is nobody else's: Bob's inbox has heard of it too, and says nothing of its own.
  expect(await theirs.shows(/\[Settled 1\][^]*received something else/)).not.toContain("✗ laptop:project");
});

test("[HI7] an agent does not open a hub's inbox, and without a terminal it says what to type instead", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "answerer");
  const told = await stage.machine.parley(["inbox", "--hub"], { env: ann.env });
  expect(told).toMatchObject({ code: 2, err: "✗ The inbox needs a terminal; see: parley ls --hub\n" });
  await using inside = onScreen(stage.machine, {
    args: ["inbox", "--hub"],
    env: { ...ann.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "11111111-1111-4111-8111-111111111111" },
  });
  await inside.shows("Only a person may answer through a hub");
  expect((await inside.ended()).code).toBe(77);
  await hub.kill();
  await using away = onScreen(stage.machine, { args: ["inbox", "--hub"], env: ann.env });
  await away.shows("No hub answers at");
  await eventually(() => expect(away.child.exitCode).not.toBeNull());
});
