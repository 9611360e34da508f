import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pluginFiles } from "../../src/agents/plugins.ts";
import { waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { waitForQuestion as waitForGemini } from "../../src/agents/gemini/lab/gemini-lab.ts";
import { eachGemini, geminiProgram, openUnsetGeminiStage } from "./gemini-stage.ts";
import { openOpencodeStage } from "./opencode-parley.ts";
import { eachOpencode, question as opencodeQuestion } from "./opencode-stage.ts";
import { createProgram } from "../e2e/program.ts";
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

eachVersion("the plugin of Claude Code, taken out", ({ version, rest }) => {
  rest(
    "[SP2] set-up notices it; parley uninstall names it with the command that removes it, runs that, and says it where there is no claude",
    async () => {
      const program = createProgram();
      try {
        const [bin, config] = [join(program.root, "host"), join(program.user, ".claude")];
        mkdirSync(bin);
        const env = { HOME: program.user, PATH: process.env["PATH"] ?? "", CLAUDE_CONFIG_DIR: config };
        const claude = async (...args: string[]) => {
          const child = Bun.spawn([programOf(version), ...args], {
            cwd: program.user,
            env,
            stdio: ["ignore", "pipe", "pipe"],
          });
          expect([args, await child.exited]).toEqual([args, 0]);
        };
        await claude("plugin", "marketplace", "add", root);
        await claude("plugin", "install", "parley@parley");
        const list = () => readFileSync(join(config, "plugins/installed_plugins.json"), "utf8");
        const uninstall = (path: string, ...args: string[]) =>
          program.parley(["uninstall", ...args], { env: { ...env, PATH: path }, cwd: program.user });
        const plain = env.PATH.split(":")
          .filter((folder) => !existsSync(join(folder, "claude")))
          .join(":");
        expect((await uninstall(plain, "--print")).out).toContain(
          "of Claude Code: claude plugin uninstall parley@parley",
        );
        const setUp = await program.parley(["setup", "claude-code", "--print"], { env, cwd: program.user });
        expect(setUp.err).toBe(
          "! Claude Code has Parley as a plugin too. One is enough: claude plugin uninstall parley@parley, or parley setup claude-code --remove\n",
        );
        const without = await uninstall(plain, "--yes");
        expect([without.code, without.err]).toEqual([
          1,
          expect.stringContaining(
            "claude is not on your PATH. Take it out with: claude plugin uninstall parley@parley",
          ),
        ]);
        expect(list()).toContain("parley@parley");
        symlinkSync(programOf(version), join(bin, "claude"));
        expect(await uninstall(`${bin}:${plain}`, "--yes")).toMatchObject({ code: 0, err: "" });
        expect(list()).not.toContain("parley@parley");
      } finally {
        await program.dispose();
      }
    },
  );
});

eachOpencode("the package for its plugin list", ({ version, rest }) => {
  rest("[PL3] opencode loads it from its list, and one question goes through", async () => {
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

eachGemini("the extension", ({ version, rest }) => {
  rest(
    "[SP1] Gemini CLI finds it valid, installs it, and one question goes through; parley uninstall takes it out by Gemini CLI's own command",
    async () => {
      const TEXT = "Which database should I use?";
      const options = ["PostgreSQL", "SQLite"].map((label) => ({ label, description: `What ${label} means` }));
      const questions = [{ header: "Database", question: TEXT, type: "choice", options }];
      const script = { first: [{ tool: "ask_user", id: "call_first", input: { questions } }] };
      const extensions = async (home: string, ...args: string[]) => {
        const child = Bun.spawn([geminiProgram(version), "extensions", ...args], {
          cwd: home,
          env: { HOME: home, PATH: process.env["PATH"] ?? "" },
          stdio: ["ignore", "pipe", "pipe"],
        });
        const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
        if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${out}${err}`);
        return out + err;
      };
      const folder = join(root, "plugins/gemini");
      await using stage = await openUnsetGeminiStage(version, script, async ({ home }) => {
        expect(await extensions(home, "validate", folder)).toContain("successfully validated");
        expect(await extensions(home, "install", "--consent", folder)).toContain("installed successfully");
      });
      await stage.lab.prompt("SCENARIO:first please");
      await waitForGemini(stage.lab.tmux, TEXT);
      const { id } = await stage.find(({ questions: [asked] }) => asked?.text === TEXT);
      expect((await stage.parley("answer", id, "2")).out).toStartWith('✓ Gemini CLI received "SQLite"');
      expect((await stage.model.waitForToolResult("call_first")).text).toContain("SQLite");
      const bin = join(stage.program.root, "host");
      mkdirSync(bin);
      symlinkSync(geminiProgram(version), join(bin, "gemini"));
      const env = { HOME: stage.lab.home, PATH: `${bin}:${process.env["PATH"]}` };
      const gone = await stage.program.parley(["uninstall", "--yes"], { env, cwd: stage.lab.project });
      expect(gone).toMatchObject({ code: 0, err: "" });
      expect(gone.out).toContain("of Gemini CLI: gemini extensions uninstall parley");
      expect(existsSync(join(stage.lab.home, ".gemini/extensions/parley"))).toBe(false);
    },
  );
});
