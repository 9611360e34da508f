import { expect } from "bun:test";
import { createOpencodeServer } from "../../src/agents/opencode/lab/serve.ts";
import { createOpencodeLab } from "../../src/agents/opencode/lab/opencode-lab.ts";
import { waitForQuestion } from "../../src/agents/opencode/lab/screen.ts";
import { createScriptedModel } from "../../src/lab/model.ts";
import { isAlive } from "../../src/lab/process-tree.ts";
import { eventually } from "../patience.ts";
import { eachOpencode, opencodeProgram, question } from "./opencode-stage.ts";

const questions = [question("Which database should I use?", ["PostgreSQL", "SQLite, embedded"])];
const script = { ask: [{ text: "Let me ask." }, { tool: "question", id: "call_ask", input: { questions } }] };
const ANSWERED =
  'User has answered your questions: "Which database should I use?"="SQLite, embedded". You can now continue with the user\'s answers in mind.';

eachOpencode("the lab", ({ version, rest }) => {
  const program = opencodeProgram(version);

  rest("[OC1] the model receives exactly what is picked in the terminal, and nothing keeps running", async () => {
    await using model = createScriptedModel({ script });
    await using lab = await createOpencodeLab({ program, version, model });
    await lab.prompt("SCENARIO:ask please");
    await waitForQuestion(lab.tmux, "Which database should I use?");
    // Digits answer at once in 1.3.2 and 1.18.33 and do nothing in 1.1.11; these keys count in all three.
    await lab.tmux.keys("Down");
    await lab.tmux.keys("Enter");
    expect(await model.waitForToolResult("call_ask")).toEqual({
      toolUseId: "call_ask",
      isError: false,
      text: ANSWERED,
    });
    await lab.tmux.waitFor(/DONE\. I got: call_ask/);

    const pids = lab.tmux.processes().map(({ pid }) => pid);
    expect(pids).toContain(lab.pid());
    await lab.close();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  rest("[OC2] a server without a terminal asks the same question and takes the answer over HTTP", async () => {
    await using model = createScriptedModel({ script });
    await using server = await createOpencodeServer({ program, version, model });
    const created = await server.call("POST", "/session", {});
    const { id } = created.body as { id: string };
    const parts = [{ type: "text", text: "SCENARIO:ask please" }];
    await server.call("POST", `/session/${id}/prompt_async`, { parts });
    const [pending] = await eventually(async () => {
      const { body } = await server.call("GET", "/question");
      expect(body).toMatchObject([{ sessionID: id, questions, tool: { callID: "call_ask" } }]);
      return body as { id: string }[];
    });
    const answer = { answers: [["SQLite, embedded"]] };
    expect(await server.call("POST", `/question/${pending?.id}/reply`, answer)).toEqual({ status: 200, body: true });
    expect(await model.waitForToolResult("call_ask")).toMatchObject({ text: ANSWERED });
    // 1.1.11 knows no password: whoever reaches the port may answer.
    expect((await fetch(`${server.url}/question`)).status).toBe(version === "1.1.11" ? 200 : 401);
  });
});
