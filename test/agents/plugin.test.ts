import { expect, test } from "bun:test";
import { join } from "node:path";
import { pluginFiles } from "../../src/agents/plugins.ts";
import { waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { openOpencodeStage } from "./opencode-parley.ts";
import { eachOpencode, question as opencodeQuestion } from "./opencode-stage.ts";
import { eachVersion, openStage, programOf, question } from "./stage.ts";

const root = join(import.meta.dir, "../..");

test("[PL1] what hosts install is what set-up would write: npx bun scripts/build-plugins.ts", async () => {
  const { version } = (await Bun.file(join(root, "package.json")).json()) as { version: string };
  for (const [path, text] of Object.entries(pluginFiles(version)))
    expect([path, await Bun.file(join(root, path)).text()]).toEqual([path, text]);
});

eachVersion("the plugin of Claude Code", ({ version, it }) => {
  it("[PL2] the agent itself finds it valid, installs it from its marketplace, and one question goes through", async () => {
    const claude = programOf(version);
    const run = async (env: Record<string, string>, ...args: string[]) => {
      const child = Bun.spawn([claude, ...args], { cwd: env["HOME"] ?? "/", env, stdio: ["ignore", "pipe", "pipe"] });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${out}${err}`);
      return out;
    };
    await using stage = await openStage({
      version,
      setup: false,
      async prepare({ home }) {
        const env = { HOME: home, PATH: process.env["PATH"] ?? "", CLAUDE_CONFIG_DIR: join(home, ".claude") };
        expect(await run(env, "plugin", "validate", join(root, "plugins/claude-code"))).toContain("passed");
        expect(await run(env, "plugin", "validate", root)).toContain("passed");
        await run(env, "plugin", "marketplace", "add", root);
        await run(env, "plugin", "install", "parley@parley");
      },
    });
    await stage.program.start();
    const ask = await stage.asks([question("Which approach should we use?", ["Option A", "Option B"])]);
    expect((await stage.answer(ask.id, "2")).out).toStartWith('✓ Claude Code received "Option B"');
    expect((await stage.received()).text).toContain("Option B");
    const at = { env: { HOME: stage.claude.home }, cwd: stage.claude.project };
    const doctor = async () => (await stage.program.parley(["doctor"], at)).out;
    expect(await doctor()).toContain("its plugin parley@parley starts Parley");
    // And with the hooks of set-up beside it: one question, one Ask.
    expect((await stage.program.parley(["setup", "claude-code", "--yes"], at)).code).toBe(0);
    expect(await doctor()).toContain("its plugin parley@parley starts Parley too");
    await stage.claude.kill();
    await stage.claude.resume();
    const second = await stage.asks([question("And now?", ["Go on", "Stop"])], "second");
    expect((await stage.answer(second.id, "1")).out).toStartWith('✓ Claude Code received "Go on"');
    const { asks } = await stage.program.client().call("listAsks", { query: { state: "all" } });
    expect(new Set(asks.map(({ title }) => title))).toEqual(new Set(["And now?", "Which approach should we use?"]));
    expect(asks).toHaveLength(2);
  });
});

eachOpencode("the package for its plugin list", ({ version, it }) => {
  it("[PL3] opencode loads it from its list, and one question goes through", async () => {
    const TEXT = "Which database should I use?";
    const questions = [opencodeQuestion(TEXT, ["PostgreSQL", "SQLite"])];
    const script = { first: [{ tool: "question", id: "call_first", input: { questions } }] };
    await using stage = await openOpencodeStage(version, script, { plugins: [join(root, "plugins/opencode")] });
    await stage.lab.prompt("SCENARIO:first please");
    await waitForQuestion(stage.lab.tmux, TEXT);
    const { id } = await stage.ask(TEXT, ({ reachable }) => reachable);
    expect((await stage.parley("answer", id, "2")).code).toBe(0);
    expect((await stage.model.waitForToolResult("call_first")).text).toContain("SQLite");
  });
});
