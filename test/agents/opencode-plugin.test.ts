import { expect } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { readRecord } from "../../src/agents/opencode/record.ts";
import { createScriptedModel, type Say } from "../../src/lab/model.ts";
import { createOpencodeHome, opencodeEnvironment } from "../../src/agents/opencode/lab/home.ts";
import { createOpencodeLab } from "../../src/agents/opencode/lab/opencode-lab.ts";
import { waitForInput, waitForPermission, waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { eventually } from "../patience.ts";
import { createFakeParley, type FakeParley } from "./opencode-link.ts";
import { eachOpencode, opencodeProgram, question } from "./opencode-stage.ts";

const TEXT = "Which database should I use?";
const questions = [question(TEXT, ["PostgreSQL", "SQLite, embedded"])];
const ask = (id: string): Say => ({ tool: "question", id, input: { questions } });
const bash = (id: string, command: string): Say => ({ tool: "bash", id, input: { command, description: "Lab" } });
const script = {
  first: [{ text: "Let me ask." }, ask("call_first")],
  second: [ask("call_second")],
  third: [ask("call_third")],
  once: [bash("call_once", "echo once > once.txt")],
  denied: [bash("call_denied", "touch denied.txt")],
  always: [bash("call_always", "touch always.txt")],
  again: [bash("call_again", "touch again.txt")],
};

async function stage(version: string, parley: FakeParley) {
  const model = createScriptedModel({ script });
  const lab = await createOpencodeLab({ program: opencodeProgram(version), version, model, plugins: [parley.plugin] });
  const asks = async (name: string, kind: "question" | "permission" = "question") => {
    await lab.prompt(`SCENARIO:${name} please`);
    await (kind === "question" ? waitForQuestion(lab.tmux, TEXT) : waitForPermission(lab.tmux));
  };
  const asked = async (kind: "question" | "permission", name: string) => {
    const isIt = ({ tool }: Record<string, unknown>) => (tool as { callID: string }).callID === `call_${name}`;
    const carried = await parley.waitFor(`${kind}.asked`, isIt);
    return { ...carried, id: String(carried.event.properties["id"]) };
  };
  const close = async () => {
    await lab.close();
    await model.close();
  };
  return { model, lab, asks, asked, [Symbol.asyncDispose]: close };
}

eachOpencode("the plugin", ({ version, rest }) => {
  rest("[OC3] a question is answered from outside, in the terminal, and dismissed; each is heard of", async () => {
    await using parley = createFakeParley();
    await using real = await stage(version, parley);
    await eventually(() =>
      expect(parley.links.map(({ hello }) => hello)).toEqual([
        {
          agent: "opencode",
          version,
          pid: real.lab.pid(),
          directory: real.lab.project,
          record: real.lab.database,
          facts: { tmux: expect.stringContaining(real.lab.tmux.socket), pane: expect.stringMatching(/^%\d+$/) },
        },
      ]),
    );

    await real.asks("first");
    const first = await real.asked("question", "first");
    expect(first.event.properties).toMatchObject({ questions, tool: { callID: "call_first" } });
    expect((await parley.request("GET", "/question")).body).toMatchObject([{ id: first.id }]);
    const answers = [["SQLite, embedded"]];
    expect(await parley.request("POST", `/question/${first.id}/reply`, { answers })).toEqual({
      status: 200,
      body: true,
    });
    expect((await real.model.waitForToolResult("call_first")).text).toContain(`"${TEXT}"="SQLite, embedded"`);
    await waitForInput(real.lab.tmux);
    expect(await parley.waitFor("question.replied")).toMatchObject({
      event: { properties: { requestID: first.id, answers } },
    });
    // 1.1.11 has no database yet.
    if (version !== "1.1.11")
      await eventually(() =>
        expect(
          readRecord(real.lab.database, { session: String(first.event.properties["sessionID"]), key: "call_first" }),
        ).toMatchObject({
          received: { type: "answers", choices: [{ labels: ["SQLite, embedded"] }] },
        }),
      );
    // Before 1.18 a reply to what is no longer open is taken without a word.
    const late = await parley.request("POST", `/question/${first.id}/reply`, { answers: [["PostgreSQL"]] });
    expect(late.status).toBe(version === "1.18.33" ? 404 : 200);

    await real.asks("second");
    const second = await real.asked("question", "second");
    await real.lab.tmux.keys("Enter");
    expect(await parley.waitFor("question.replied", ({ requestID }) => requestID === second.id)).toMatchObject({
      event: { properties: { answers: [["PostgreSQL"]] } },
    });

    await waitForInput(real.lab.tmux);
    await real.asks("third");
    const third = await real.asked("question", "third");
    await real.lab.tmux.keys("Escape");
    await parley.waitFor("question.rejected", ({ requestID }) => requestID === third.id);
    await parley.waitFor("message.part.updated", ({ part }) => {
      const { callID, state } = part as { callID: string; state: { error?: string } };
      return callID === "call_third" && state.error?.includes("The user dismissed this question") === true;
    });
  });

  rest("[OC4] a permission is given once, refused with words and given for good, from outside", async () => {
    await using parley = createFakeParley();
    await using real = await stage(version, parley);
    const reply = (id: string, body: object) => parley.request("POST", `/permission/${id}/reply`, body);

    await real.asks("once", "permission");
    const once = await real.asked("permission", "once");
    expect(once.call).toMatchObject({ tool: "bash", input: { command: "echo once > once.txt" } });
    expect((await parley.request("GET", "/permission")).body).toMatchObject([{ id: once.id }]);
    expect(await reply(once.id, { reply: "once" })).toEqual({ status: 200, body: true });
    await real.model.waitForToolResult("call_once");
    await waitForInput(real.lab.tmux);
    expect(await Bun.file(`${real.lab.project}/once.txt`).text()).toBe("once\n");

    await real.asks("denied", "permission");
    const denied = await real.asked("permission", "denied");
    await reply(denied.id, { reply: "reject", message: "Use mktemp instead" });
    expect((await real.model.waitForToolResult("call_denied")).text).toContain("Use mktemp instead");
    await waitForInput(real.lab.tmux);

    await real.asks("always", "permission");
    const always = await real.asked("permission", "always");
    expect(always.event.properties["always"]).toEqual([version === "1.1.11" ? "touch*" : "touch *"]);
    await reply(always.id, { reply: "always" });
    await real.model.waitForToolResult("call_always");
    await waitForInput(real.lab.tmux);
    await real.lab.prompt("SCENARIO:again please");
    await real.model.waitForToolResult("call_again");
    expect(parley.carried.filter(({ event }) => event.type === "permission.asked")).toHaveLength(3);
  });

  rest(
    "[OC5] without a Parley nothing is different; one that comes later is found, and hears when opencode dies",
    async () => {
      await using parley = createFakeParley({ up: false });
      await using real = await stage(version, parley);
      await real.asks("first");
      await real.lab.tmux.keys("Enter");
      expect((await real.model.waitForToolResult("call_first")).text).toContain(`"${TEXT}"="PostgreSQL"`);
      await waitForInput(real.lab.tmux);

      await real.asks("second");
      parley.start();
      const { body } = await parley.request("GET", "/question");
      expect(body).toMatchObject([{ questions, tool: { callID: "call_second" } }]);
      await parley.stop();
      parley.start();
      await eventually(() => expect(parley.links).toHaveLength(1));
      await real.lab.kill();
      await eventually(() => expect(parley.links).toEqual([]));
    },
  );

  rest("[OC6] a run without a terminal ends by itself while it is linked", async () => {
    await using parley = createFakeParley();
    const wait = bash("call_wait", "until [ -e linked ]; do sleep 0.1; done");
    await using model = createScriptedModel({ script: { wait: [wait] } });
    const config = { permission: { bash: "allow" } };
    const dirs = await createOpencodeHome({ version, modelUrl: model.url, config, plugins: [parley.plugin] });
    const child = Bun.spawn([opencodeProgram(version), "run", "SCENARIO:wait"], {
      cwd: dirs.project,
      env: opencodeEnvironment(dirs.home),
      stdio: ["ignore", "pipe", "ignore"],
    });
    await eventually(() => expect(parley.links).toHaveLength(1));
    await writeFile(`${dirs.project}/linked`, "");
    const [out, code] = await Promise.all([child.stdout.text(), child.exited]);
    expect([out.includes("DONE. I got: call_wait"), code]).toEqual([true, 0]);
    await eventually(() => expect(parley.links).toEqual([]));
    await rm(dirs.home, { recursive: true, force: true, maxRetries: 5 });
  });
});
