import { expect } from "bun:test";
import type { Say } from "../../src/lab/model.ts";
import { eachGemini, type KinStage, openGeminiStage } from "./gemini-stage.ts";
import { eachQwen, openQwenStage } from "./qwen-stage.ts";

const HEAD = "The user has answered through Parley. This is their answer, not an error; do not ask again.";
const options = ["PostgreSQL", "SQLite, embedded"].map((label) => ({ label, description: `What ${label} means` }));
const question = { header: "Database", question: "Which database?", options };
const isState = (stage: KinStage, text: string, state: string) =>
  stage.find((ask) => ask.questions[0]?.text === text && ask.state === state);
const runs: Say = { tool: "run_shell_command", id: "call_run", input: { command: "touch held.txt && echo made" } };

eachGemini("hold mode", ({ version, rest }) => {
  rest(
    "[GM13] no dialog opens; the answer is told as the reason of a denial, and read back from the chat file",
    async () => {
      const asks = { tool: "ask_user", id: "call_held", input: { questions: [{ ...question, type: "choice" }] } };
      await using stage = await openGeminiStage(version, { held: [asks] }, ["--project", "--hold"]);
      await stage.lab.prompt("SCENARIO:held please");
      const ask = await stage.find(({ state, reachable }) => state === "open" && reachable);
      await stage.parley("answer", ask.id, "2", "-m", "for now");
      const { text, isError } = await stage.model.waitForToolResult("call_held");
      expect([isError, text]).toEqual([true, expect.stringContaining(HEAD)]);
      expect(text).toContain("SQLite, embedded");
      expect(await isState(stage, "Which database?", "verified")).toMatchObject({
        deliveries: [{ channel: "hold", state: "verified" }],
      });
      expect(await stage.lab.tmux.screen()).not.toContain("Answer Questions");
    },
  );
});

eachQwen("hold mode", ({ version, rest }) => {
  rest(
    "[QW12] a question is told as the reason of a denial; a call is allowed, or denied with words, and the turn goes on",
    async () => {
      const asks = {
        tool: "ask_user_question",
        id: "call_held",
        input: { questions: [{ ...question, multiSelect: false }] },
      };
      const denied = { tool: "run_shell_command", id: "call_denied", input: { command: "touch denied.txt" } };
      await using stage = await openQwenStage(version, { held: [asks], run: [runs], denied: [denied] }, [
        "--project",
        "--hold",
      ]);
      await stage.lab.prompt("SCENARIO:held please");
      const ask = await stage.find(({ state, reachable }) => state === "open" && reachable);
      await stage.parley("answer", ask.id, "2");
      expect((await stage.model.waitForToolResult("call_held")).text).toStartWith(HEAD);
      await isState(stage, "Which database?", "verified");
      for (const [name, args, told] of [
        ["run", ["1"], "made"],
        ["denied", ["2", "-m", "Use mktemp instead"], "The user does not allow this: Use mktemp instead"],
      ] as const) {
        await stage.lab.prompt(`SCENARIO:${name} please`);
        const call = await stage.find(
          ({ state, kind, reachable }) => state === "open" && kind === "approval" && reachable,
        );
        await stage.parley("answer", call.id, ...args);
        expect((await stage.model.waitForToolResult(`call_${name}`)).text).toContain(told);
        await stage.find(({ id, state }) => id === call.id && state === "verified");
      }
    },
  );
});
