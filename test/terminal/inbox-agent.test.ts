import { expect } from "bun:test";
import { eachVersion, openStage, question } from "../agents/stage.ts";
import { guardOver, onScreen } from "./inbox-stage.ts";

eachVersion("answered in the inbox", ({ version, it }) => {
  it("[IN65] the real agent receives what was chosen in the inbox, and its receipt is on the screen", async () => {
    await using stage = await openStage({ version });
    await using inbox = onScreen(stage.program);
    await inbox.shows("Nothing waits for you.");
    const { id } = await stage.asks([question("Which approach should we use?", ["Option A", "Option B"])], "call");
    await inbox.shows("❯ Which approach should we use?");
    inbox.press("\r");
    await inbox.shows("( ) 2. Option B");
    await guardOver();
    inbox.press("2");
    await inbox.shows("❯ (•) 2. Option B");
    inbox.press("\r");
    await inbox.shows(/✓ Claude Code received "Option B" \(.+\)/);
    const { text } = await stage.received("call");
    expect(text).toContain('"Which approach should we use?"="Option B"');
    expect(await stage.becomes(id, ({ state }) => state === "verified")).toMatchObject({
      outcome: { actor: { type: "person", surface: "inbox" } },
    });
    inbox.press("[");
    await inbox.shows(/\[Sessions 1\][^]*(finished|waiting for a prompt)[^]*Claude Code/);
  });
});
