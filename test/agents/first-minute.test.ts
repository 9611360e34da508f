import { expect } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { eachVersion, openStage, programOf, question } from "./stage.ts";

const approach = question("Which approach should we use?", ["Option A", "Option B"]);

eachVersion("the first minute", ({ version, it }) => {
  it("[R27] on a fresh home: Parley asks whom to listen to, sets it up when told to, and the next question arrives", async () => {
    await using stage = await openStage({
      version,
      setup: false,
      async prepare({ home }) {
        await mkdir(join(home, "bin"));
        await symlink(programOf(version), join(home, "bin/claude"));
      },
    });
    const { home } = stage.claude;
    const env = { HOME: home, PATH: `${home}/bin:${process.env["PATH"]}` };
    expect((await stage.program.parley(["up", "--welcome"], { env })).code).toBe(0);
    const first = await stage.ask("Which agents should Parley listen to?");
    expect(first.questions[0]?.options.map(({ label }) => label)).toEqual(["Claude Code", "None yet"]);
    expect((await stage.answer(first.id, "1")).out).toBe("✓ Claude Code: see the next question\n");
    const settings = join(home, ".claude/settings.json");
    const apply = await stage.ask("Let Claude Code ask through Parley? This adds 12 hooks to ~/.claude/settings.json.");
    expect(apply.questions[0]?.options[0]?.preview).toContain("hook claude-code PermissionRequest --edits; exit 0");
    expect((await stage.answer(apply.id, "Apply")).out).toBe(
      "✓ Wrote ~/.claude/settings.json; start claude and ask it something\n",
    );
    expect(await Bun.file(settings).text()).toContain("hook claude-code PermissionRequest --edits; exit 0");
    await stage.takesUp();
    const ask = await stage.asks([approach]);
    expect((await stage.answer(ask.id, "2")).out).toStartWith('✓ Claude Code received "Option B"');
  });
});
