import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "bun:test";
import { waitForApproval, waitForInput, waitForQuestion } from "../../src/agents/codex/lab/screen.ts";
import { signal } from "../../src/lab/process-tree.ts";
import type { Say } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { eventually } from "../patience.ts";
import { type CodexStage, eachCodex, openCodexStage } from "./codex-stage.ts";

const CONFIG = `[autopilot]
mode = "on"
undo_seconds = 0
[[autopilot.rules]]
name = "mine"
match = { header = "Layout" }
choose = { label = "Grid" }
`;
const textOf = (name: string) => `Which one for the ${name}?`;
const asks = (name: string, header: string): Say => {
  const options = ["Grid", "List"].map((label) => ({ label, description: `What ${label} means` }));
  const input = { questions: [{ id: "one", header, question: textOf(name), options }] };
  return { tool: "request_user_input", id: `call_${name}`, input };
};
const script: Record<string, Say[]> = {
  ...Object.fromEntries(["list", "title"].map((name) => [name, [asks(name, "Layout")]])),
  ...Object.fromEntries(["open", "kept"].map((name) => [name, [asks(name, "Colour")]])),
  boss: [{ tool: "multi_agent_v1/spawn_agent", id: "call_boss", input: { message: "SCENARIO:child please" } }],
  child: [
    {
      tool: "exec_command",
      id: "call_child",
      input: { cmd: "touch /dev/null/child", sandbox_permissions: "require_escalated", justification: "to try it" },
    },
  ],
  none: [{ text: "Nothing to do." }],
};
const isNamed = (name: string) => (ask: AskView) => ask.deliveries.some(({ key }) => key === `call_${name}`);

/** One codex for all of a version. What kills its daemon comes last. */
eachCodex("codex, afterwards", ({ version, main, rest }) => {
  let opened: Promise<CodexStage> | undefined;
  const open = () => (opened ??= openCodexStage(version, script, CONFIG));
  afterAll(async () => (await opened)?.[Symbol.asyncDispose]());

  const decided = async (stage: CodexStage, name: string) => {
    await stage.lab.prompt(`SCENARIO:${name} please`);
    const { id } = await stage.find((ask) => isNamed(name)(ask) && ask.state === "verified");
    await waitForInput(stage.lab.tmux);
    return id;
  };
  const correct = async (stage: CodexStage, id: string) =>
    expect((await stage.parley("digest", "correct", id, "2")).out).toContain("its agent is told at its next turn");
  const isTold = (stage: CodexStage, id: string) =>
    eventually(async () => expect((await stage.parley("log", id)).out).toContain("told of the correction"));
  const goesOn = async (stage: CodexStage) => {
    const before = stage.model.requests.length;
    await stage.lab.prompt("SCENARIO:none please");
    await eventually(() => expect(stage.model.requests.length).toBeGreaterThan(before));
    await waitForInput(stage.lab.tmux);
  };

  main("[CL1] a correction reaches a session that waits for a prompt, once; its rollout proves it", async () => {
    const stage = await open();
    const id = await decided(stage, "list");
    await correct(stage, id);
    await isTold(stage, id);
    expect(inRollout(stage, `correction ${id}`)).toBe(1);
    await goesOn(stage);
    expect(heard(stage, `correction ${id}`)).toBe(1);
  });

  rest("[CL2] one that waits for an answer hears it when its turn is over, also from the next daemon", async () => {
    const stage = await open();
    const id = await decided(stage, "title");
    await stage.lab.prompt("SCENARIO:open please");
    await waitForQuestion(stage.lab.tmux, textOf("open"));
    await correct(stage, id);
    await stage.program.kill9();
    await stage.program.start({ PARLEY_CONFIG: join(stage.program.root, "config.toml") });
    const { id: asked } = await stage.find((ask) => isNamed("open")(ask) && ask.reachable);
    expect(inRollout(stage, `correction ${id}`)).toBe(0);
    await stage.parley("answer", asked, "1");
    await isTold(stage, id);
    // Whoever comes next looks at the rollout before it says anything.
    await stage.program.kill9();
    await stage.program.start({ PARLEY_CONFIG: join(stage.program.root, "config.toml") });
    await goesOn(stage);
    expect([inRollout(stage, `correction ${id}`), heard(stage, `correction ${id}`)]).toEqual([1, 1]);
  });

  rest("[CL7] what a subagent asks is one Ask of its session, with the subagent's name, and is answered", async () => {
    const stage = await open();
    await stage.lab.prompt("SCENARIO:boss please");
    const { id, origin } = await stage.find((ask) => isNamed("child")(ask) && ask.reachable);
    expect(origin).toMatchObject({ subagent: expect.any(String), subagentType: expect.stringMatching(/^\w+$/) });
    const { text } = await stage.model.waitForToolResult("call_boss");
    expect(JSON.parse(text)).toEqual({ agent_id: origin.subagent, nickname: origin.subagentType });
    await stage.parley("answer", id, "1");
    expect(await stage.find((ask) => ask.id === id && ask.state === "verified")).toMatchObject({
      deliveries: [{ channel: "remote", state: "verified" }],
    });
    // codex leaves the dialog of a subagent on the screen of its session: what is pressed there changes nothing.
    await waitForApproval(stage.lab.tmux);
    await stage.lab.tmux.keys("y");
    await waitForInput(stage.lab.tmux);
    expect((await stage.all()).filter(isNamed("child"))).toHaveLength(1);
    expect(stage.model.toolResults().filter(({ toolUseId }) => toolUseId === "call_child")).toHaveLength(1);
  });

  main(
    "[CL3] an answer that codex died with is told when its thread is resumed, once, also by the next daemon",
    async () => {
      const stage = await open();
      await stage.lab.prompt("SCENARIO:kept please");
      await waitForQuestion(stage.lab.tmux, textOf("kept"));
      const { id, origin } = await stage.find((ask) => isNamed("kept")(ask) && ask.reachable);
      signal(await stage.lab.daemonPid(), "SIGSTOP");
      // Nobody can say that it was received.
      await stage.program.parley(["answer", id, "2"]);
      await stage.lab.killDaemon();
      await stage.program.kill9();
      await stage.program.start({ PARLEY_CONFIG: join(stage.program.root, "config.toml") });
      await stage.lab.tmux.closeWindow();
      await stage.lab.start("resume", origin.session ?? "");
      expect(await stage.find((ask) => ask.id === id && ask.state === "verified")).toMatchObject({
        outcome: { type: "answered", answers: [{ picks: [1] }] },
        deliveries: [{ channel: "resume", state: "verified" }],
      });
      await goesOn(stage);
      expect([inRollout(stage, id), heard(stage, `[parley ${id}]`)]).toEqual([1, 1]);
      expect(JSON.stringify(stage.model.requests)).toContain("answered: List");
    },
  );
});

/** Lines of what the model reads, of all its threads. */
function inRollout({ lab }: CodexStage, words: string): number {
  const files = [...new Bun.Glob("**/rollout-*.jsonl").scanSync(join(lab.codex, "sessions"))];
  const lines = files.flatMap((file) => readFileSync(join(lab.codex, "sessions", file), "utf8").split("\n"));
  return lines.filter((line) => line.includes('"response_item"') && line.includes(words)).length;
}

/** How often the longest of its conversations holds it. */
function heard({ model }: CodexStage, words: string): number {
  const [longest = ""] = model.requests.map((each) => JSON.stringify(each)).toSorted((a, b) => b.length - a.length);
  return longest.split(words).length - 1;
}
