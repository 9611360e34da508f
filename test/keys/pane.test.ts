import { afterAll, beforeAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext } from "../../src/inbox/context.ts";
import { createInbox } from "../../src/inbox/inbox.ts";
import { createPaneWatch } from "../../src/delivery/pane-watch.ts";
import { createReconciler } from "../../src/inbox/reconcile.ts";
import { openPane } from "../../src/keys/pane.ts";
import { poll } from "../../src/lab/poll.ts";
import { createTmux, type Tmux } from "../../src/lab/tmux.ts";
import { namePane } from "../../src/surfaces/terminal/name-pane.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";

const missing = Bun.which("tmux") === null && process.env["CI"] !== "true";
const it = test.skipIf(missing);
const env = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LANG: "C.UTF-8" };
let tmux: Tmux;

beforeAll(async () => {
  if (missing) return;
  tmux = await createTmux();
  await tmux.open({ command: ["cat"], env, cwd: tmpdir(), width: 200, height: 10 });
});
afterAll(async () => {
  if (!missing) await tmux.close();
});

const command = async (...args: string[]) => {
  const child = Bun.spawn(["tmux", "-S", tmux.socket, ...args], { stderr: "pipe" });
  expect([args, await child.exited]).toEqual([args, 0]);
};

it("[KY19] text goes as literal keys: no shell, no key names, no end of a tmux command", async () => {
  const pane = await openPane(tmux.address());
  for (const text of [
    "Enter",
    "C-c",
    "$(touch /tmp/x) `id` ; \\;",
    "-l",
    "ends with ;",
    "ends with \\;",
    "'\"#{pid} 日本語 🦊",
  ]) {
    await pane.type(`[${text}`);
    await pane.key("Enter");
    // The terminal shows it once, and cat repeats it.
    await tmux.waitFor((screen) => screen.split(`[${text}\n`).length >= 3);
  }
});

it("[KY20] only the given pane of the given server, and only while its program alone gets the keys", async () => {
  const address = tmux.address();
  const pane = await openPane(address);
  expect(await problemOf(openPane({ ...address, id: "%77" }))).toContain("The tmux pane %77 is gone");
  expect(await problemOf(openPane({ ...address, id: "0" }))).toContain('"0" is not a tmux pane');
  expect(await problemOf(openPane({ ...address, pid: address.pid + 1 }))).toContain(
    "Another tmux server has taken the place",
  );
  expect(await problemOf(openPane({ server: "/nowhere/socket", id: "%0" }))).toContain("is gone");

  await command("copy-mode", "-t", address.id);
  expect(await problemOf(pane.capture())).toContain("somebody scrolls in it");
  await command("send-keys", "-t", address.id, "-X", "cancel");
  await command("set", "-w", "-t", address.id, "synchronize-panes", "on");
  expect(await problemOf(pane.capture())).toContain("its keys go to other panes too");
  await command("set", "-w", "-t", address.id, "synchronize-panes", "off");
  await command("select-pane", "-d", "-t", address.id);
  expect(await problemOf(pane.capture())).toContain("it takes no keys");
  await command("select-pane", "-e", "-t", address.id);
  expect(await pane.capture()).toMatchObject({ width: 200, height: 10 });
});

const problemOf = (trying: Promise<unknown>) =>
  trying.then(
    () => "none",
    (error: Error) => error.message,
  );

it("[KW15] another server at the same socket ends the watch and withdraws what was asked there", async () => {
  const store = openSqlite(":memory:");
  const inbox = createInbox({ store, now: Date.now });
  const log = () => {};
  const reconciler = createReconciler({ store, inbox, now: Date.now, log });
  const deliver = async () => {};
  const file = join(tmux.socket, "../panes.json");
  const context = createContext({ store, inbox, now: Date.now });
  const panes = createPaneWatch({ store, inbox, reconciler, deliver, context, file, now: Date.now, log });
  const here = tmux.address();
  const before = { ...here, pid: here.pid + 1 };
  const asked = (pane: typeof here) =>
    inbox.create({
      kind: "question",
      questions: [],
      origin: { agent: "claude-code", pane },
      key: "k",
      channel: "keys",
    });
  const [old, present] = [await asked(before), await asked(here)];
  expect(await panes.watch({ server: here.server, id: here.id })).toMatchObject(here);
  panes.stop();
  expect(await Bun.file(file).json()).toEqual([here]);

  await Bun.write(file, JSON.stringify([before]));
  panes.resume();
  expect(panes.list()).toHaveLength(1);
  await poll(async () => (panes.list().length === 0 ? true : undefined), {
    failure: () => "still watched",
  });
  expect((await store.ask(old.id))?.outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
  expect((await store.ask(present.id))?.state).toBe("open");
  panes.stop();
  await store.close();
});

it("[FM16] a tmux session names its pane as long as it has only one", async () => {
  const run = async (...args: string[]) => (await Bun.spawn(["tmux", "-S", tmux.socket, ...args]).stdout.text()).trim();
  const id = await run("new-session", "-d", "-P", "-F", "#{pane_id}", "-s", "work", "cat");
  const named = (name: string) => namePane(name, tmux.socket, {}).catch(({ message }: Error) => message);
  expect(await named("work")).toEqual({ server: tmux.socket, id });
  expect(await namePane("work", undefined, { TMUX: `${tmux.socket},1,0` })).toEqual({ server: tmux.socket, id });
  const other = await run("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "=work:", "cat");
  expect(await named("work")).toBe(`tmux session "work" has several panes: say which, ${id}, ${other}`);
  const none = "is not a pane such as %3, or a tmux session with one pane. See: tmux list-panes -a";
  for (const word of ["wor", "work:0", "nobody"]) expect(await named(word)).toBe(`"${word}" ${none}`);
});
