import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Config } from "../../src/core/config/config.ts";
import { createDesktop } from "../../src/notify/desktop/desktop.ts";
import { testNote } from "../../src/notify/note.ts";
import { isAlive, type ProcessName } from "../../src/machine/process/process.ts";
import { Database } from "bun:sqlite";
import { question } from "./api-request.ts";
import { desktopTest } from "./notify-desktop.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { eventually } from "../patience.ts";

let program: Program;
beforeEach(() => {
  program = createProgram();
  configure("after_seconds = 0");
});
afterEach(() => program.dispose());

function configure(notify: string): void {
  const file = join(program.user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `[notify]\n${notify}\n`);
}

const ask = (more: object = {}, origin: object = {}) =>
  program.client("agent").call("createAsk", {
    body: { questions: [question("Store", more)], origin: { project: "shop", ...origin } },
  });
const outcome = async (id: string) => (await program.client().call("getAsk", { id })).outcome;

/** The process that listens to the buttons of an Ask's notification. */
function listener(id: string): ProcessName | undefined {
  using db = new Database(join(program.home, "notify.db"), { readonly: true });
  const row = db.query<{ ref: string }, [string]>("SELECT ref FROM sends WHERE ask = ? AND state = 'sent'").get(id);
  return row ? (JSON.parse(row.ref) as { listener?: ProcessName }).listener : undefined;
}

desktopTest("[N14] a question is on the screen, word for word, until it is settled", async (desktop) => {
  await program.start(desktop.env);
  const text = `<b>Which</b> & "why"? C:\\new \\033[31m ünï 🙂?`;
  const { id } = await ask({ question: text, multiSelect: true });
  expect(await holds(() => desktop.displayed() === 1)).toBe(true);
  await program.parley(["answer", id, "1"]);
  expect(await holds(() => desktop.displayed() === 0)).toBe(true);
  expect(await holds(() => desktop.history().length === 1)).toBe(true);
  const [shown] = desktop.history();
  expect(shown).toMatchObject({ appname: "Parley", summary: expect.stringMatching(/^shop: <b>Which<.b> & "why"\?/) });
  const plain = (shown?.body ?? "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  expect(plain).toBe(`${text}\n1. SQLite – one file\n2. PostgreSQL – a server\n(several may be chosen)`);
});

desktopTest("[N14] a button answers with its option, on the surface desktop", async (desktop) => {
  await program.start(desktop.env);
  const { id } = await ask();
  expect(await holds(() => desktop.displayed() === 1)).toBe(true);
  expect((await desktop.press("PostgreSQL")).toSorted()).toEqual(["Open the question", "PostgreSQL", "SQLite"]);
  expect(await holds(async () => (await outcome(id)) !== undefined)).toBe(true);
  expect(await outcome(id)).toMatchObject({
    type: "answered",
    answers: [{ picks: [1] }],
    actor: { type: "person", surface: "desktop" },
  });
  expect(await holds(() => desktop.displayed() === 0)).toBe(true);
});

desktopTest("[N14] one with buttons is taken back too, and its process ends", async (desktop) => {
  await program.start(desktop.env);
  const { id } = await ask();
  expect(await holds(() => listener(id) !== undefined)).toBe(true);
  const process = listener(id) as ProcessName;
  expect(await holds(() => isAlive(process) && desktop.displayed() === 1)).toBe(true);
  await program.parley(["answer", id, "1"]);
  expect(await holds(() => desktop.displayed() === 0 && !isAlive(process))).toBe(true);
});

for (const how of ["terminate", "kill9"] as const)
  desktopTest(
    `[N14] after ${how} the notification stays, its buttons go, and it is still taken back`,
    async (desktop) => {
      await program.start(desktop.env);
      const { id } = await ask();
      expect(await holds(() => listener(id) !== undefined)).toBe(true);
      const process = listener(id) as ProcessName;
      await program[how]();
      if (how === "terminate") expect(await holds(() => !isAlive(process))).toBe(true);
      await program.start(desktop.env);
      expect(await holds(() => !isAlive(process) && listener(id) === undefined)).toBe(true);
      expect([desktop.displayed(), desktop.history()]).toEqual([1, []]);
      await program.parley(["answer", id, "1"]);
      expect(await holds(() => desktop.displayed() === 0)).toBe(true);
      expect(await holds(() => desktop.history().length === 1)).toBe(true);
    },
  );

desktopTest("[N14] without gdbus it is replaced by one that goes at once", async (desktop) => {
  const bin = join(program.root, "bin");
  mkdirSync(bin);
  symlinkSync(Bun.which("notify-send") ?? "", join(bin, "notify-send"));
  await program.start({ ...desktop.env, PATH: bin });
  const { id } = await ask();
  expect(await holds(() => desktop.displayed() === 1)).toBe(true);
  await program.parley(["answer", id, "1"]);
  expect(await holds(() => desktop.displayed() === 0)).toBe(true);
  await eventually(() => expect(desktop.history().map(({ summary }) => summary)).toEqual(["Settled"]));
});

desktopTest("[N13] a test of the desktop is on the screen", async (desktop) => {
  await program.start(desktop.env);
  const { code, out } = await program.parley(["notify", "test", "--channel", "desktop"]);
  expect([code, out]).toEqual([0, "✓ desktop: shown by notify-send\n"]);
  expect(await holds(() => desktop.displayed() === 1)).toBe(true);
});

test("[N16] without a desktop the agent's terminal rings, if the person wants it", async () => {
  configure("after_seconds = 0\n[notify.desktop]\nbell = true");
  const socket = join(program.root, "tmux");
  const tmux = (...args: string[]) =>
    Bun.spawnSync(["tmux", "-S", socket, "-f", "/dev/null", ...args], { env: { PATH: process.env["PATH"] ?? "" } })
      .stdout.toString()
      .trim();
  tmux("new-session", "-d", "-x", "80", "-y", "24", "cat");
  try {
    const id = tmux("new-window", "-d", "-P", "-F", "#{pane_id}", "cat");
    const rang = () => tmux("display-message", "-p", "-t", id, "#{window_bell_flag}");
    await program.start();
    expect(rang()).toBe("0");
    await ask({}, { pane: { server: socket, id } });
    expect(await holds(() => rang() === "1")).toBe(true);
  } finally {
    tmux("kill-server");
  }
});

test("[N14] on macOS the text is an argument of the script, never part of it", async () => {
  const bin = mkdtempSync(join(tmpdir(), "parley-bin-"));
  try {
    writeFileSync(join(bin, "osascript"), `#!/bin/sh\nprintf '%s\\0' "$@" >"${bin}/seen"\n`);
    chmodSync(join(bin, "osascript"), 0o700);
    const env = { PATH: `${bin}:${process.env["PATH"]}` };
    const desktop = createDesktop({ env, platform: "darwin", pressed: () => {}, clicked: () => {} });
    const note = { ...testNote(0), title: `x" & (do shell script "id")`, body: `-e "quit"\n$(id)` };
    const { notify } = Config.parse({});
    expect(desktop.off(notify, note)).toBeUndefined();
    const sent = await desktop.send(note, [], notify, new AbortController().signal);
    expect(sent).toEqual({ ref: {}, detail: "shown by osascript" });
    const [script, ...texts] = readFileSync(join(bin, "seen"), "utf8").split("\0display notification");
    expect(script).toBe("-e\0on run argv\0-e");
    expect(texts.join("")).toBe(
      ` (item 2 of argv) with title (item 3 of argv)\0-e\0end run\0parley\0${note.body}\0${note.title}\0`,
    );
  } finally {
    rmSync(bin, { recursive: true });
  }
});

test.each([
  ["darwin", {}, "off; osascript is not there"],
  ["linux", {}, "off; notify-send is not installed"],
] as const)("[N14] where there is no desktop (%s) it says why", (platform, env, words) => {
  const desktop = createDesktop({ env: { PATH: "/nowhere", ...env }, platform, pressed: () => {}, clicked: () => {} });
  expect(desktop.off(Config.parse({}).notify, testNote(0))).toBe(words);
  const off = Config.parse({ notify: { desktop: { enabled: false } } }).notify;
  expect(desktop.off(off, testNote(0))).toBe("off; notify.desktop.enabled is false");
});
