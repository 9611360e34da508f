import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMAND, createProgram, type Program } from "../e2e/program.ts";
import { ask, guardOver, onScreen, type Opened } from "./inbox-stage.ts";

// With CI=true a missing tmux fails instead.
const missing = Bun.which("tmux") === null && !process.env["CI"];
const inTmux = test.skipIf(missing);
if (missing) process.stderr.write("tmux is not installed: the inbox is not tried in it\n");

let program: Program;
let server: string;
beforeEach(async () => {
  program = createProgram();
  server = join(program.root, "tmux");
  await program.start();
});
afterEach(async () => {
  tmux("kill-server");
  await program.dispose();
});

function tmux(...args: string[]): string {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: program.user,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PARLEY_HOME: program.home,
    PARLEY_PORT: "0",
    PARLEY_CONFIG: "/dev/null",
  };
  const { stdout } = Bun.spawnSync(["tmux", "-f", "/dev/null", "-S", server, ...args], { env });
  return stdout.toString().trim();
}

/** A person's terminal, attached to a tmux server of its own with a shell in it. */
async function attached(): Promise<Opened> {
  tmux("new-session", "-d", "-s", "shell", "-x", "100", "-y", "30", "env PS1='> ' sh");
  const client = onScreen(program, { command: ["tmux", "-S", server, "attach", "-t", "shell"] });
  await client.shows("> ");
  return client;
}
const parley = COMMAND.join(" ");
const outcome = async (id: string) => (await program.client().call("getAsk", { id })).outcome;

inTmux(
  "[IN57] parley popup shows the oldest question over the pane, then the next with the receipt, and is gone with Esc",
  async () => {
    const { id } = await ask(program, { text: "Oldest?", options: ["SQLite", "Postgres"] });
    await ask(program, { text: "Later?" });
    await using client = await attached();
    client.press(`${parley} popup; echo "code=$?"\r`);
    expect(await client.shows(/┌[^]*Oldest\?[^]*\( \) 2\. Postgres/)).not.toContain("Later?");
    await guardOver();
    client.press("2");
    await client.shows("❯ (•) 2. Postgres");
    client.press("\r");
    await client.shows(/saved: "Postgres"[^]*Later\?[^]*\( \) 1\. Yes/);
    await guardOver();
    client.press("\u001b");
    await client.shows(/^code=0$/m);
    expect(await outcome(id)).toMatchObject({ answers: [{ picks: [1] }], actor: { surface: "popup" } });
  },
);

inTmux("[IN58] a key of tmux opens the popup, and the inbox works inside of one", async () => {
  await ask(program, { text: "Oldest?", options: ["SQLite", "Postgres"] });
  await using client = await attached();
  tmux("bind-key", "-n", "F5", "run-shell", "-b", `${parley} popup || true`);
  tmux("bind-key", "-n", "F6", "display-popup", "-E", "-w", "95%", "-h", "95%", parley);
  client.press("\u001b[15~");
  await client.shows("( ) 2. Postgres");
  await guardOver();
  client.press("\u001b");
  // The popup itself is gone, not only what was in it: until then every key is for it.
  await client.shows(/^(?![^]*┌)/);
  client.press("\u001b[17~");
  await client.shows(/\[Waiting 1\][^]*❯ Oldest\?/);
  client.press("q");
  await client.shows(/^(?![^]*Waiting)/);
});

inTmux("[IN59] t goes to the pane of the agent that asked", async () => {
  tmux("new-session", "-d", "-s", "agent", "-x", "100", "-y", "30", "echo I am the agent; exec cat");
  await using client = await attached();
  const id = tmux("display-message", "-p", "-t", "agent", "#{pane_id}");
  await ask(program, { text: "Oldest?", origin: { pane: { server, id } } });
  client.press(`${parley}\r`);
  await client.shows("❯ Oldest?");
  client.press("t");
  await client.shows("I am the agent");
});

test("[IN60] outside of tmux the popup is the dialog itself; what was typed is kept when it is left", async () => {
  const { id } = await ask(program, { text: "Oldest?" });
  await using first = onScreen(program, { args: ["popup"] });
  await first.shows("3. Other");
  await guardOver();
  first.press("\u001b[B\u001b[B\r");
  await first.shows("Enter your answer:");
  first.press("half");
  await first.shows("half");
  first.child.kill("SIGTERM");
  expect((await first.ended()).code).toBe(0);
  const { draft, by } = await program.client().call("getDraft", { id });
  expect([draft?.entries[0]?.text, by]).toEqual(["half", "popup"]);
  expect(await outcome(id)).toBeUndefined();

  await using second = onScreen(program, { args: ["popup"] });
  await second.shows("“half”");
  await program
    .client()
    .call("settleAsk", { id, body: { action: "answer", answers: [{ picks: [0] }], surface: "web" } });
  await second.shows(/answered by web .* ago: Yes/);
  await guardOver();
  second.press("x");
  expect((await second.ended()).code).toBe(4);
});

test("[IN61] with nothing waiting the popup says so and is done, also without a terminal", async () => {
  expect(await program.parley(["popup"])).toEqual({ code: 0, out: "Nothing waits for you.\n", err: "" });
  const { id } = await ask(program, { text: "Oldest?" });
  expect((await program.parley(["popup"])).err).toBe("✗ This needs a terminal; see: parley ls, parley answer\n");
  await program.parley(["snooze", id, "1h"]);
  expect((await program.parley(["popup"])).out).toBe("Nothing waits for you.\n");
  expect((await program.parley(["inbox"])).err).toBe("✗ The inbox needs a terminal; see: parley ls, parley review\n");
});
