import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { opencodeEnvironment, pretendInstalled } from "../../src/agents/opencode/lab/home.ts";
import { createOpencodeLab } from "../../src/agents/opencode/lab/opencode-lab.ts";
import { waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { createScriptedModel } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { freePort } from "../../src/lab/free-port.ts";
import { eventually } from "../patience.ts";
import { eachOpencode, opencodeProgram, question } from "./opencode-stage.ts";

const [FIRST, SECOND] = ["Which database should I use?", "Which port should it have?"] as const;
const call = (id: string, text: string) => ({
  tool: "question",
  id,
  input: { questions: [question(text, ["The first", "The second, longer one"])] },
});
const script = { ask: [call("call_first", FIRST)], both: [call("call_first", FIRST), call("call_second", SECOND)] };

const asked = (program: Program, text: string, ready: (ask: AskView) => boolean = ({ reachable }) => reachable) =>
  eventually(async () => {
    const { asks } = await program.client("human").call("listAsks", { query: { state: "all" } });
    const found = asks.find((ask) => ask.questions[0]?.text === text && ready(ask));
    if (!found) throw new Error(JSON.stringify(asks, null, 1));
    return found;
  });

eachOpencode("ways to an agent", ({ version, rest }) => {
  const program = opencodeProgram(version);

  rest(
    "[OR14] a terminal started with --port is watched by its address, without a plugin: the first answer wins",
    async () => {
      await using model = createScriptedModel({ script });
      const port = freePort();
      await using lab = await createOpencodeLab({ program, version, model, args: ["--port", String(port)] });
      const parley = createProgram();
      try {
        await parley.start();
        const url = `http://127.0.0.1:${port}`;
        expect(await parley.parley(["watch", url])).toMatchObject({
          code: 0,
          out: `✓ watching ${url}: opencode ${version}\n`,
        });
        await lab.prompt("SCENARIO:ask please");
        await waitForQuestion(lab.tmux, FIRST);
        const { id } = await asked(parley, FIRST);
        expect((await parley.parley(["answer", id, "2"])).out).toContain("✓ opencode received");
        expect((await model.waitForToolResult("call_first")).text).toContain(`"${FIRST}"="The second, longer one"`);
        await lab.tmux.waitFor((screen) => screen.includes("DONE. I got: call_first"));
      } finally {
        await parley.dispose();
      }
    },
  );

  rest("[OR15] set up for one project: what is asked there is answered, and removed it leaves nothing", async () => {
    await using model = createScriptedModel({ script });
    const parley = createProgram();
    await parley.start();
    const setup = (home: string, cwd: string, ...args: string[]) =>
      parley.parley(["setup", "opencode", "--project", "--yes", ...args], {
        env: { HOME: home, XDG_CONFIG_HOME: opencodeEnvironment(home)["XDG_CONFIG_HOME"] ?? "" },
        cwd,
      });
    try {
      await using lab = await createOpencodeLab({
        program,
        version,
        model,
        env: { PARLEY_HOME: parley.home, PARLEY_PORT: "0" },
        async prepare({ home, project }) {
          expect(await setup(home, project)).toMatchObject({ code: 0, err: "" });
          await pretendInstalled(join(project, ".opencode"), version);
        },
      });
      const plugin = join(lab.project, ".opencode/plugin/parley.js");
      expect(existsSync(plugin)).toBe(true);
      await lab.prompt("SCENARIO:ask please");
      const { id } = await asked(parley, FIRST);
      expect((await parley.parley(["answer", id, "1"])).out).toContain("✓ opencode received");
      expect((await model.waitForToolResult("call_first")).text).toContain(`"${FIRST}"="The first"`);
      expect(await setup(lab.home, lab.project, "--remove")).toMatchObject({ code: 0, err: "" });
      expect([existsSync(plugin), existsSync(join(lab.project, ".opencode/plugin"))]).toEqual([false, false]);
    } finally {
      await parley.dispose();
    }
  });

  rest(
    "[OR16] two questions in one message are two: each gets its own answer, whichever is answered first",
    async () => {
      await using model = createScriptedModel({ script });
      const port = freePort();
      await using lab = await createOpencodeLab({ program, version, model, args: ["--port", String(port)] });
      const parley = createProgram();
      try {
        await parley.start();
        expect((await parley.parley(["watch", `http://127.0.0.1:${port}`])).code).toBe(0);
        await lab.prompt("SCENARIO:both please");
        const [first, second] = [await asked(parley, FIRST), await asked(parley, SECOND)];
        expect((await parley.parley(["answer", second.id, "2"])).out).toContain("✓ opencode received");
        expect((await parley.parley(["answer", first.id, "1"])).out).toContain("✓ opencode received");
        expect((await model.waitForToolResult("call_second")).text).toContain(`"${SECOND}"="The second, longer one"`);
        expect((await model.waitForToolResult("call_first")).text).toContain(`"${FIRST}"="The first"`);
        for (const text of [FIRST, SECOND]) await asked(parley, text, ({ state }) => state === "verified");
      } finally {
        await parley.dispose();
      }
    },
  );
});
