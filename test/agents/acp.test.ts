import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ACP_AGENTS, type AcpAgent, openAcpStage } from "./acp-stage.ts";
import { type Case, eachOf } from "./each-version.ts";

const NAMES = ["claude-agent-acp 0.99.1", "opencode 1.18.33", "qwen-code 0.24.4", "codex-acp 2.6.0"];
const agentOf = (name: string) => ACP_AGENTS[name] as AcpAgent;
const eachAcp = eachOf({
  title: "an ACP agent",
  versions: NAMES,
  programOf: (name) => agentOf(name).command.at(agentOf(name).command[1]?.startsWith("/") ? 1 : 0) ?? "",
});
/** It has nothing of the kind. */
const none: Case = () => undefined;
const option = (options: unknown, kind: string) =>
  (options as { optionId: string; kind: string }[]).find((each) => each.kind === kind)?.optionId;

eachAcp("behind parley acp", ({ version: name, it, rest }) => {
  it("[AC30] a permission allowed in Parley runs, and the editor takes its dialog back", async () => {
    await using stage = await openAcpStage(agentOf(name));
    const done = stage.prompt("bash");
    const { id } = await stage.asks();
    const ask = await stage.ask(({ reachable }) => reachable);
    expect(ask.questions[0]?.title).toBe("$ touch labfile.txt");
    await stage.program.parley(["answer", ask.id, "1"]);
    expect(await done).toMatchObject({ stopReason: "end_turn" });
    expect(stage.cancelled).toEqual([id]);
    await stage.ask(({ state }) => state === "verified");
    expect(existsSync(join(stage.project, "labfile.txt"))).toBe(true);
  });

  rest("[AC31] the editor first: its choice counts, and Parley says which it was", async () => {
    await using stage = await openAcpStage(agentOf(name));
    const done = stage.prompt("bash");
    const { id, params } = await stage.asks();
    await stage.ask(({ reachable }) => reachable);
    const optionId = option(params["options"], "reject_once");
    stage.send({ id, result: { outcome: { outcome: "selected", optionId } } });
    await done;
    const { outcome } = await stage.ask(({ state }) => state === "closed");
    expect([outcome?.type, stage.cancelled]).toEqual(["declined", []]);
    expect(existsSync(join(stage.project, "labfile.txt"))).toBe(false);
  });

  const agent = agentOf(name);
  const asking: Case = agent.script.ask ? rest : none;
  const hooked: Case = agent.alsoSetUp === undefined ? none : rest;
  asking("[AC32] a question answered in Parley is what the model reads", async () => {
    await using stage = await openAcpStage(agent);
    const done = stage.prompt("ask");
    await stage.asks();
    const ask = await stage.ask(({ reachable }) => reachable);
    expect(ask.questions.map(({ text }) => text)).toEqual(["Which database should I use?"]);
    await stage.program.parley(["answer", ask.id, "2"]);
    await done;
    expect((await stage.model.waitForToolResult("call_ask")).text).toContain("SQLite");
    await stage.ask(({ state }) => state === (agent.isTold ? "verified" : "delivered"));
  });

  hooked("[AC34] one that is set up with Parley too asks once: one Ask, not two", async () => {
    await using stage = await openAcpStage(agent, { alsoSetUp: true });
    const done = stage.prompt("bash");
    const { id, params } = await stage.asks();
    await stage.ask(({ reachable }) => reachable);
    const optionId = option(params["options"], "allow_once");
    stage.send({ id, result: { outcome: { outcome: "selected", optionId } } });
    await done;
    await stage.ask(({ outcome }) => outcome?.type === "answered-elsewhere");
    const { asks } = await stage.program.client("human").call("listAsks", { query: { state: "all", limit: 500 } });
    expect(asks.map(({ origin }) => origin.agent)).toEqual(["acp"]);
  });

  rest("[AC33] denied and stopped in Parley, nothing runs and the turn is over", async () => {
    await using stage = await openAcpStage(agentOf(name));
    const done = stage.prompt("bash");
    await stage.asks();
    const ask = await stage.ask(({ reachable }) => reachable);
    const stop = String(ask.questions[0]?.options.length);
    await stage.program.parley(["answer", ask.id, stop], { env: { PARLEY_RECEIPT_MS: "1" } });
    expect(["cancelled", "end_turn"]).toContain(String((await done)["stopReason"]));
    expect(existsSync(join(stage.project, "labfile.txt"))).toBe(false);
  });
});
