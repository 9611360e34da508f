import { expect } from "bun:test";
import { eventually } from "../patience.ts";
import { openOpencodeStage } from "./opencode-parley.ts";
import { eachOpencode, question } from "./opencode-stage.ts";

const CONFIG = `[autopilot]
mode = "on"
undo_seconds = 0
[[autopilot.rules]]
name = "mine"
match = { header = "Layout" }
choose = { label = "Grid" }
`;
const TEXT = "Which layout for the list?";
const input = { questions: [question(TEXT, ["Grid", "List"], { header: "Layout" })] };
const script = {
  list: [{ text: "Let me ask." }, { tool: "question", id: "call_list", input }],
  none: [{ text: "Nothing to do." }],
};

eachOpencode("a correction", ({ version, rest }) => {
  // 1.1.11 has no record that could prove it.
  if (version === "1.1.11") return;
  rest("[CL5] reaches a session of opencode that waits for a prompt, once; its record proves it", async () => {
    await using stage = await openOpencodeStage(version, script, { config: CONFIG });
    await stage.lab.prompt("SCENARIO:list please");
    const { id } = await stage.ask(TEXT, ({ state }) => state === "verified");
    await stage.lab.tmux.waitFor(/DONE\. I got/);
    expect((await stage.parley("digest", "correct", id, "2")).out).toContain("its agent is told at its next turn");
    await eventually(async () => expect((await stage.parley("log", id)).out).toContain("told of the correction"));
    const heard = () =>
      stage.model.requests.filter(({ messages }) => JSON.stringify(messages).includes("SCENARIO:none"));
    await stage.lab.prompt("SCENARIO:none please");
    await eventually(() => expect(heard().length).toBeGreaterThan(0));
    const longest = heard()
      .map(({ messages }) => JSON.stringify(messages))
      .toSorted((a, b) => b.length - a.length)[0];
    expect((longest ?? "").split(`[parley correction ${id}`).length - 1).toBe(1);
    expect(longest).toContain("The answer is: List");
  });
});
