import { expect } from "bun:test";
import { eachVersion, openStage, question } from "./stage.ts";

const ESC = "\u001b";
const evil = [
  `${ESC}[31mred${ESC}[0m`,
  `${ESC}]0;owned\u0007`,
  `${ESC}]52;c;bWluZQ==\u0007`,
  `${ESC}]8;;http://evil.example${ESC}\\link${ESC}]8;;${ESC}\\`,
  "\u0000nul",
  "\u009b2Jc1",
  "\u202ebidi\u2066",
  "zero\u200bwidth",
  "🦊 日本語",
].join(" ");
/** Anything that acts on a terminal, but for the line end. */
const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/;

eachVersion("hostile text", ({ version, it }) => {
  it("[R19] what a model writes never acts on the terminal, and the answer still arrives exactly", async () => {
    const hostile = question(`Which one ${evil} ?`, [`A ${evil}`, "Plain"], { header: `H${ESC}[5m` });
    await using stage = await openStage({
      version,
      script: {
        evil: [
          { text: `Before: ${evil}` },
          { tool: "AskUserQuestion", id: "toolu_evil", input: { questions: [hostile] } },
        ],
      },
    });
    await stage.claude.prompt("SCENARIO:evil");
    const ask = await stage.ask(hostile.question, (found) => found.reachable);
    const shown = [
      await stage.program.parley(["ls"]),
      await stage.program.parley(["show", ask.id]),
      await stage.program.parley(["answer", ask.id, "no such option"]),
      await stage.answer(ask.id, "1", "-m", "fine"),
      await stage.program.parley(["show", ask.id]),
      await stage.program.parley(["log"]),
      await stage.program.parley(["ls", "--all"]),
    ];
    for (const { out, err } of shown) expect(ACTING.exec(out + err)).toBeNull();
    expect(shown.map(({ out }) => out).join("")).toContain("🦊 日本語");
    expect(shown[3]?.out).toStartWith("✓ Claude Code received");
    expect((await stage.received("evil")).text).toContain(`="A ${evil}"`);
  });
});
