import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { needsBubblewrap } from "../e2e/sandbox-stage.ts";
import { eventually } from "../patience.ts";
import { eachVersion, question } from "./stage.ts";
import { asks, openTaskStage } from "./task-stage.ts";

const database = question("Which database?", ["SQLite", "Postgres"]);

eachVersion("a task in a sandbox", ({ version, it }) => {
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
