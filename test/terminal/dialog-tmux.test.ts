import { expect, test } from "bun:test";
import { join } from "node:path";
import { poll } from "../../src/lab/poll.ts";
import { isAlive } from "../../src/lab/process-tree.ts";
import { createTmux, type Tmux } from "../../src/lab/tmux.ts";
import { FEATURES, STORE } from "./dialog-headless.ts";
import { guardOver } from "../patience.ts";

const ROOT = join(import.meta.dir, "../..");
const missing = Bun.which("tmux") === null && !process.env["CI"];
const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", TERM: "tmux-256color", LANG: "C.UTF-8" };

async function open(tmux: Tmux, input: object, size: { width: number; height: number }): Promise<void> {
  const script = 'echo "said before"; node_modules/.bin/bun test/terminal/dialog-program.ts "$1"; read -r line';
  await tmux.open({
    command: ["bash", "--norc", "-c", script, "bash", JSON.stringify(input)],
    env,
    cwd: ROOT,
    ...size,
  });
  await tmux.waitFor(/───/);
}

test.skipIf(missing)("[DG47] in tmux, from 40×10 to 300×100: choose, own text, review, submit", async () => {
  await using tmux = await createTmux();
  for (const [width, height] of [
    [40, 10],
    [80, 24],
    [300, 100],
  ] as const) {
    await open(tmux, { questions: [STORE, FEATURES] }, { width, height });
    await tmux.waitFor(/1\/2: Store[^]*❯ \( \) 1\. SQLite/);
    await guardOver();
    await tmux.keys("Down", "Enter");
    await tmux.waitFor(/2\/2: Features/);
    await tmux.keys("Space", "4", "Enter");
    await tmux.waitFor(/Enter your answer:/);
    await tmux.type("日本 🎉 é");
    await tmux.waitFor(/› 日本 🎉 é/);
    await tmux.keys("Enter");
    await tmux.waitFor(/\[x\] 4\. Other/);
    await tmux.keys("Enter");
    await tmux.waitFor(/─── Review ─[^]*Postgres[^]*日本 🎉 é/);
    await tmux.keys("Enter");
    const screen = await tmux.waitFor(/"submitted"/);
    expect(screen.replaceAll("\n", "")).toContain(
      '{"type":"submitted","answers":[{"picks":[1]},{"picks":[0],"text":"日本 🎉 é"}]}',
    );
    expect(screen).toContain("said before");
  }
});

test.skipIf(missing)(
  "[DG48] Ctrl+O shows what is behind it, in the terminal's own scrollback, and any key opens it again",
  async () => {
    await using tmux = await createTmux();
    await open(tmux, { questions: [STORE] }, { width: 80, height: 24 });
    await tmux.waitFor(/❯ \( \) 1\. SQLite/);
    await guardOver();
    await tmux.keys("Down", "C-o");
    const behind = await tmux.waitFor(/▸ Store {2}any key: open/);
    expect(behind).toContain("said before");
    await tmux.keys("Enter");
    expect(await tmux.waitFor(/❯ \( \) 2\. Postgres/)).not.toContain("said before");
    await tmux.keys("Enter");
    expect(await tmux.waitFor(/"submitted"/)).not.toContain("any key: open");
  },
);

test.skipIf(missing)("[DG59] a terminal that is closed ends the program too", async () => {
  await using tmux = await createTmux();
  const command = ["node_modules/.bin/bun", "test/terminal/dialog-program.ts", JSON.stringify({ questions: [STORE] })];
  await tmux.open({ command, env, cwd: ROOT });
  await tmux.waitFor(/SQLite/);
  const pid = tmux.panePid();
  await tmux.closeWindow();
  const gone = () => (isAlive(pid) ? undefined : true);
  expect(await poll(gone, { failure: () => `pid ${pid} still runs` })).toBe(true);
});
