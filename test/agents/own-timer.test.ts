import { expect } from "bun:test";
import { eachVersion, openStage, question } from "./stage.ts";

const approach = question("Which approach should we use?", ["Option A", "Option B", "Option C"]);

// Alone, because it only waits: a minute is the shortest that the agent's timer can be set to.
eachVersion("the agent's own timer", ({ version, once }) => {
  once("[R12] the agent's own timer ends the Ask as expired", async () => {
    await using stage = await openStage({ version, settings: { askUserQuestionTimeout: "60s" } });
    const ask = await stage.asks([approach]);
    const ended = await stage.becomes(ask.id, (found) => found.state === "closed");
    expect(ended.outcome).toMatchObject({ type: "expired", reason: "the agent's own timer ran out" });
  });
});
