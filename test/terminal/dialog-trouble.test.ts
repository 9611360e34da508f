import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "../../src/lab/poll.ts";
import { KEY, NAME, STORE } from "./dialog-headless.ts";
import { openWindow, RESTORED } from "./dialog-window.ts";
import { eventually } from "../patience.ts";

type Window = Awaited<ReturnType<typeof openWindow>>;

/** The last bytes of a program that ended are still on their way to the screen. */
const restored = (window: Window) =>
  poll(() => (Bun.deepEquals(window.restored(), RESTORED) ? true : undefined), {
    failure: () => `not restored: ${JSON.stringify(window.restored())}\n${window.screen()}`,
  });

describe("the terminal is restored", () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const) {
    test(`[DG39] on ${signal}, which still ends the program as it does everywhere`, async () => {
      await using window = await openWindow({ questions: [STORE] });
      await window.ready();
      expect(window.isAlternate()).toBe(true);
      expect(window.restored()).not.toEqual(RESTORED);
      window.child.kill(signal);
      await window.child.exited;
      expect(window.child.signalCode).toBe(signal);
      await restored(window);
      await window.played(() => window.screen() === "before the dialog");
    });
  }

  test("[DG40] a host with a handler of its own survives the signal and gets the draft", async () => {
    await using window = await openWindow({ questions: [STORE], survive: "SIGTERM" });
    await window.ready();
    await window.play([KEY.space, "(•)"]);
    window.child.kill("SIGTERM");
    expect(await window.ended()).toMatchObject({ type: "aborted", draft: { entries: [{ picks: [0] }] } });
    await window.waitFor("host: SIGTERM");
    await restored(window);
  });

  test("[DG41] before an uncaught error or rejection is printed, so that it can be read; on exit too", async () => {
    for (const [trouble, code, shows] of [
      ["throw", 1, "thrown by the host"],
      ["reject", 1, "rejected by the host"],
      ["exit", 7, "before"],
    ] as const) {
      await using window = await openWindow({ questions: [STORE], trouble });
      await window.ready();
      window.child.kill("SIGUSR2");
      expect(await window.child.exited).toBe(code);
      await restored(window);
      await window.waitFor(shows);
      expect(window.screen()).not.toContain("Which store");
    }
  });

  test("[DG42] after submit, cancel, abort and a settlement by somebody else", async () => {
    for (const [keys, type] of [
      [KEY.enter, "submitted"],
      [KEY.escape, "cancelled"],
    ] as const) {
      await using window = await openWindow({ questions: [STORE] });
      await window.ready();
      window.send(keys);
      expect(await window.ended()).toMatchObject({ type });
      await restored(window);
    }
    await using aborted = await openWindow({ questions: [NAME], trouble: "abort" });
    await aborted.ready();
    await aborted.play(["half a thou", "half a thou"]);
    aborted.child.kill("SIGUSR2");
    expect(await aborted.ended()).toMatchObject({ type: "aborted", draft: { entries: [{ text: "half a thou" }] } });
    await restored(aborted);
    await using concluded = await openWindow({ questions: [NAME], trouble: "conclude" });
    await concluded.ready();
    concluded.child.kill("SIGUSR2");
    await concluded.ready("Answered on the web page by Ada: SQLite");
    concluded.send("x");
    expect(await concluded.ended()).toMatchObject({ type: "cancelled" });
    await restored(concluded);
  });

  test("[DG43] while it is suspended; continued it is drawn again with everything in it", async () => {
    const job = 'set -m; node_modules/.bin/bun test/terminal/dialog-program.ts "$0"; echo STOPPED; read -r line; fg; :';
    await using window = await openWindow({ questions: [NAME] }, { command: ["bash", "--norc", "-c", job] });
    await window.ready();
    await window.play(["kept text", "› kept text"]);
    window.send("\x1a");
    await window.waitFor("STOPPED");
    await restored(window);
    await window.play(["\r", "› kept text"], [KEY.enter, '"text":"kept text"']);
    await restored(window);
  });

  test("[DG44] a suspend that nobody could end goes on at once", async () => {
    await using window = await openWindow({ questions: [STORE] });
    await window.ready();
    window.child.kill("SIGTSTP");
    await window.played(() => window.raw().split("\x1b[?1049h").length > 2);
    await window.play([KEY.down, "❯ ( ) 2. Postgres"]);
  });

  test("[DG45] nothing that the terminal said to the dialog is left for the shell", async () => {
    const shell =
      'node_modules/.bin/bun test/terminal/dialog-program.ts "$0"; read -rsn1 -t 1 left; echo "left: [$left]"';
    const command = ["bash", "--norc", "-c", shell];
    // On a busy machine a reply may come later than any dialog waits for it: then it is tried again.
    await eventually(async () => {
      const input = { questions: [STORE], trouble: "abort at once" } as const;
      await using window = await openWindow(input, { command, replyMs: 100 });
      expect(await window.waitFor(/left: \[.*\]/)).toContain("left: []");
      expect(window.replies()).toContain("\x1b[?");
    });
  });
});

test("[DG46] it runs on Node as well, and gives the terminal back there too", async () => {
  const dir = await mkdtemp(join(tmpdir(), "parley-dialog-"));
  const program = join(import.meta.dir, "dialog-program.ts");
  const built = await Bun.build({ entrypoints: [program], target: "node", outdir: dir, naming: "program.mjs" });
  expect(built.success).toBe(true);
  const command = ["node", join(dir, "program.mjs")];
  for (const [trouble, shows] of [
    ["throw", "thrown by the host"],
    ["reject", "rejected by the host"],
  ] as const) {
    await using window = await openWindow({ questions: [STORE], trouble }, { command });
    await window.ready();
    window.child.kill("SIGUSR2");
    await window.waitFor(shows);
    await restored(window);
  }
  await using window = await openWindow({ questions: [STORE, NAME], readline: true }, { command });
  await window.ready();
  await window.play([KEY.down + KEY.enter, "Enter your answer:"], ["日本 🎉", "› 日本 🎉"], [KEY.enter, "Review"]);
  await window.play([KEY.enter, '{"type"'], ["hello\r", "host line: hello"]);
  window.send("bye\r");
  expect(await window.ended()).toEqual({
    type: "submitted",
    answers: [{ picks: [1] }, { picks: [], text: "日本 🎉" }],
  });
  await restored(window);
  await rm(dir, { recursive: true, force: true });
});
