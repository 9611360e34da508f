import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "bun:test";
import { MODEL } from "../../src/agents/pi/lab/home.ts";
import { waitForInput, waitForQuestion } from "../../src/agents/pi/lab/screen.ts";
import type { Say } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import { createScratchProject } from "../hosts/scratch.ts";
import { eachPi, openPiStage, piProgram } from "./pi-stage.ts";

const options = ["red", "green"];
const asks = (name: string, more: object = {}): Say => ({
  tool: "ask_select",
  id: `call_${name}`,
  input: { title: `Which colour for ${name}?`, options, ...more },
});
const own: Say = {
  tool: "ask_user_question",
  id: "call_own",
  input: {
    questions: [
      {
        question: "Which size?",
        multiSelect: false,
        header: "Size",
        options: ["small", "large"].map((label) => ({ label, description: label })),
      },
    ],
  },
};
const script = {
  first: [asks("first")],
  second: [asks("second")],
  timed: [asks("timed", { timeout: 1500 })],
  again: [asks("again")],
  both: [asks("both-1"), asks("both-2")],
  own: [own],
};

eachPi("pi beside its terminal", ({ version, rest, once }) => {
  once(
    "[PK16] set-up shows one file, is found by doctor, keeps another's file, and is taken out to the byte",
    async () => {
      await using stage = await openPiStage(version, script);
      const { lab, program } = stage;
      const env = { HOME: lab.home, PATH: `${dirname(piProgram(version))}:${process.env["PATH"]}` };
      const run = (...args: string[]) => program.parley(args, { env, cwd: lab.project });
      const file = join(lab.agent, "extensions/parley.js");
      expect(existsSync(file)).toBe(true);
      expect((await run("setup", "pi", "--yes")).out).toContain("Already set up");
      const doctor = await run("doctor");
      expect(doctor.out).toContain(`pi ${version} (`);
      expect(doctor.out).toContain(`${file} connects pi to this Parley`);
      await run("setup", "pi", "--remove", "--yes");
      expect(readdirSync(dirname(file))).toEqual(["asking.js"]);
      writeFileSync(file, "export default () => {};\n");
      const refused = await run("setup", "pi", "--yes");
      expect([refused.code === 0, refused.err]).toEqual([false, expect.stringContaining("is not Parley's")]);
      expect(await Bun.file(file).text()).toBe("export default () => {};\n");
    },
  );

  rest("[PK17] in RPC mode the client has the dialog too: the first answer wins, a late one is dropped", async () => {
    await using stage = await openPiStage(version, script);
    const { lab, model } = stage;
    const pi = Bun.spawn([piProgram(version), ...MODEL, "--mode", "rpc"], {
      env: lab.env,
      cwd: lab.project,
      stdio: ["pipe", "pipe", "ignore"],
    });
    try {
      const said: { type: string; id: string; method: string; title?: string }[] = [];
      const reading = (async () => {
        let rest = "";
        const decoder = new TextDecoder();
        for await (const chunk of pi.stdout) {
          const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
          rest = lines.pop() ?? "";
          said.push(...lines.filter(Boolean).map((line) => JSON.parse(line) as (typeof said)[number]));
        }
      })();
      const tell = (message: object) => (pi.stdin.write(`${JSON.stringify(message)}\n`), pi.stdin.flush());
      const asked = async (name: string) => {
        await tell({ type: "prompt", message: `SCENARIO:${name} please` });
        const { id } = await poll(
          () => said.find(({ type, title }) => type === "extension_ui_request" && title?.includes(name)),
          { failure: () => JSON.stringify(said) },
        );
        const ask = await stage.find(
          (each) => each.deliveries.some(({ key }) => key === `call_${name}`) && each.reachable,
        );
        return { id, ask };
      };
      const outside = await asked("first");
      expect((await stage.parley("answer", outside.ask.id, "green")).out).toContain("✓ pi received");
      expect((await model.waitForToolResult("call_first")).text).toBe("The user said: green");
      await tell({ type: "extension_ui_response", id: outside.id, value: "red" });
      await poll(() => said.find(({ type }) => type === "agent_end"), { failure: () => JSON.stringify(said) });

      const inside = await asked("second");
      await tell({ type: "extension_ui_response", id: inside.id, value: "red" });
      expect((await model.waitForToolResult("call_second")).text).toBe("The user said: red");
      expect(await stage.find(({ id, state }) => id === inside.ask.id && state === "closed")).toMatchObject({
        outcome: { type: "answered-elsewhere", answers: [{ picks: [0] }] },
      });
      expect(model.toolResults().filter(({ toolUseId }) => toolUseId === "call_first")).toHaveLength(1);
      pi.kill();
      await reading;
    } finally {
      pi.kill("SIGKILL");
      await pi.exited;
    }
  });

  rest("[PK18] a dialog that runs out of time expires; after a reload of pi's extensions they still race", async () => {
    await using stage = await openPiStage(version, script);
    const { lab } = stage;
    await lab.prompt("SCENARIO:timed please");
    const timed = await stage.find(({ state }) => state === "closed");
    expect(timed.outcome).toMatchObject({ type: "expired" });
    await waitForInput(lab.tmux);
    await lab.prompt("/reload");
    await lab.tmux.waitFor(/Reloaded/);
    await lab.prompt("SCENARIO:again please");
    const { id } = await stage.find(({ deliveries, reachable }) => deliveries[0]?.key === "call_again" && reachable);
    expect((await stage.parley("answer", id, "red")).out).toContain("✓ pi received");
    expect((await stage.model.waitForToolResult("call_again")).text).toBe("The user said: red");
  });

  rest("[PK19] two calls at once ask one after the other or both: each gets its own answer", async () => {
    await using stage = await openPiStage(version, script);
    await stage.lab.prompt("SCENARIO:both please");
    for (const [title, pick] of [
      ["Which colour for both-1?", "red"],
      ["Which colour for both-2?", "green"],
    ] as const) {
      const { id } = await stage.find(({ questions, reachable }) => reachable && questions[0]?.text === title);
      await stage.program.parley(["answer", id, pick]);
    }
    expect((await stage.model.waitForToolResult("call_both-1")).text).toBe("The user said: red");
    expect((await stage.model.waitForToolResult("call_both-2")).text).toBe("The user said: green");
  });

  rest("[PK20] pi install takes the package, with the tool; beside set-up there is still one Ask each", async () => {
    using scratch = createScratchProject();
    await using stage = await openPiStage(version, script);
    const { lab } = stage;
    const from = join(scratch.dir, "node_modules/parley-inbox");
    mkdirSync(join(from, "src/agents/pi"), { recursive: true });
    writeFileSync(
      join(from, "src/agents/pi/extension.js"),
      await Bun.file(join(import.meta.dir, "../../src/agents/pi/extension.js")).text(),
    );
    const env = { ...lab.env, PARLEY_HOME: stage.program.home };
    const installed = Bun.spawnSync([piProgram(version), "install", from], { env, cwd: lab.project });
    expect(installed.exitCode).toBe(0);
    await lab.kill();
    Object.assign(lab.env, { PARLEY_HOME: stage.program.home });
    await lab.start();
    await lab.prompt("SCENARIO:first please");
    await waitForQuestion(lab.tmux, "Which colour for first?");
    const { id } = await stage.find(({ reachable }) => reachable);
    await stage.parley("answer", id, "green");
    expect((await stage.model.waitForToolResult("call_first")).text).toBe("The user said: green");
    await lab.prompt("SCENARIO:own please");
    const tool = await stage.find(({ questions, reachable }) => reachable && questions[0]?.text === "Which size?");
    await stage.parley("answer", tool.id, "large");
    expect((await stage.model.waitForToolResult("call_own")).text).toContain("Size: large");
    const { asks } = await stage.program.client("human").call("listAsks", { query: { state: "all", limit: 50 } });
    expect(asks).toHaveLength(2);
  });
});
