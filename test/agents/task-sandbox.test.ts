import { expect } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needsBubblewrap } from "../e2e/sandbox-stage.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { eachVersion, question } from "./stage.ts";
import { asks, openTaskStage } from "./task-stage.ts";

const database = question("Which database?", ["SQLite", "Postgres"]);

/** Another user of this machine: its own home, none of root's rights. */
const PLAIN = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "env", "-i"];

eachVersion("a task in a sandbox", ({ version, it, rest }) => {
  rest("[RC31] a plain user has the same sandbox: its tests pass without root's rights", async () => {
    needsBubblewrap();
    // Whoever runs this without them has run them so already.
    if (process.getuid?.() !== 0) return;
    const home = mkdtempSync(join(tmpdir(), "parley-plain-"));
    try {
      chmodSync(home, 0o777);
      const root = join(import.meta.dir, "../..");
      const env = [`PATH=${process.env["PATH"]}`, `HOME=${home}`, `TMPDIR=${home}`, "LANG=C.UTF-8", "CI=true"];
      const files = ["test/e2e/task-sandbox.test.ts", "test/hostile/sandbox.test.ts"];
      const tests = [join(root, "node_modules/.bin/bun"), "test", `--timeout=${TEST_MS}`, ...files];
      const child = Bun.spawn([...PLAIN, ...env, ...tests], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
      const said = await child.stderr.text();
      expect([await child.exited, said]).toEqual([0, expect.stringContaining(" 0 fail")]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("[SB1] it writes and commits in its worktree, sees nothing else of the home, asks, is parked and goes on in there", async () => {
    needsBubblewrap();
    await using stage = await openTaskStage({ version, parkAfter: 0 });
    const { home } = stage.program;
    const who = "-c user.name=Agent -c user.email=agent@example.com";
    const commit = `git add -A && git ${who} commit -qm made && git log --format=%s -1`;
    const command = `${commit}; echo seen: $(ls -A ${home}), $(ls -A $HOME/.config $HOME/.claude.json 2>&1), $(ls -A ${stage.project} ${stage.project}/.git)`;
    const asking = await stage.run([asks("toolu_db", database)], "--sandbox");
    const working = await stage.run(
      [
        { tool: "Write", id: "toolu_file", input: { file_path: "made.txt", content: "one\n" } },
        { tool: "Bash", id: "toolu_look", input: { command, description: "Look" } },
      ],
      "--sandbox",
      "--permission-mode",
      "bypassPermissions",
      "--gate",
      `test -e made.txt && ! test -e ${home}/daemon.json`,
    );
    const ask = await stage.waits(asking.id, "question");
    await stage.parks(asking.id);
    expect((await stage.parley("show", ask.id)).out).toContain("From: Claude Code (in a sandbox) ·");
    const told = await stage.parley("answer", ask.id, "2");
    expect(told.out + told.err).toStartWith('✓ Claude Code (in a sandbox) received "Postgres"');
    const sandbox = { network: "agent", read: [] };
    const answered = await stage.becomes(asking.id, ({ state }) => state === "done");
    expect(answered).toMatchObject({ run: 2, order: { sandbox, worktree: true } });
    await eventually(async () => expect((await stage.ask(ask.id)).state).toBe("verified"));

    const done = await stage.becomes(working.id, ({ state }) => state === "done");
    expect(done).toMatchObject({ diff: { files: 1, added: 1 }, checked: { ok: true } });
    const { text } = await stage.model.waitForToolResult("toolu_look");
    expect(text).toStartWith("made\nseen: worktrees, ls: cannot access");
    expect(text.split(", ").at(-1)).toBe(`${stage.project}: .git ${stage.project}/.git: objects`);
    const applied = await stage.parley("task", "apply", working.id);
    expect(applied.out + applied.err).toContain("applied: 1 commit, 1 file");
    expect(readFileSync(join(stage.project, "made.txt"), "utf8")).toBe("one\n");
    const shown = (await stage.parley("task", "show", working.id)).out;
    expect(shown).toMatch(/^  Sandbox +bubblewrap · network: what its agent needs$/m);
  });
});
