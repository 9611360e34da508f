import { expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ask } from "../../src/core/ask/ask.ts";
import type { BrainRequest } from "../../src/brain/brain.ts";
import { createBrain } from "../../src/brain/create-brain.ts";
import { tellBrain } from "../../src/brain/tell-brain.ts";
import { createReplies } from "../../src/brain/replies.ts";
import { BrainConfig } from "../../src/core/autopilot/brain-config.ts";
import { claudeEnvironment, createClaudeHome } from "../../src/agents/claude-code/lab/home.ts";
import { messageReply, MessagesRequest, textsOf } from "../../src/lab/messages-api.ts";
import { eachVersion, programOf } from "../agents/stage.ts";
import { askOf, database } from "../sample.ts";

/** The real Claude Code with a person's settings, whose model says what `say` says to the n-th message. */
async function stage(version: string, say: (n: number) => string) {
  const hook = { hooks: [{ type: "command", command: 'touch "$HOME/hooked"' }] };
  const events = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];
  const { home } = await createClaudeHome({ hooks: Object.fromEntries(events.map((event) => [event, [hook]])) });
  const folder = join(home, "empty");
  await mkdir(folder);
  const requests: MessagesRequest[] = [];
  const model = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.method !== "POST" || !request.url.includes("/v1/messages")) return Response.json({});
      const body = MessagesRequest.parse(await request.json());
      return messageReply(body, [{ block: { type: "text", text: say(requests.push(body)) }, afterMs: 0 }]);
    },
  });
  const env = { ...claudeEnvironment(home, model.url.origin), CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "outer" };
  const config = BrainConfig.parse({ type: "claude", program: programOf(version) });
  const deps = { env, replies: createReplies(), folder, parley: "parley" };
  return {
    home,
    requests,
    think: (request: BrainRequest) => createBrain("claude", config, deps)(request, new AbortController().signal),
    tell: (ask: Ask, text: string) => tellBrain(config, deps, { ask, text }, new AbortController().signal),
    async [Symbol.asyncDispose]() {
      await model.stop(true);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

eachVersion("as a brain", ({ version, main, it }) => {
  main(
    "[BR39] it gets the question in one turn, without tools and without hooks, and a bad reply goes back once",
    async () => {
      const reply = (optionIndex: number) =>
        `I decide:\n${JSON.stringify({ actions: [{ action: "select", optionIndex }], reason: "Why.", confidence: 1 })}`;
      await using brain = await stage(version, (n) => reply(n < 3 ? 9 : 1));
      expect(await brain.think({ ask: askOf(), documents: [], phase: "plan" })).toMatchObject({
        settlement: { action: "answer", answers: [{ picks: [1] }] },
        reason: "Why.",
        confidence: 1,
        sentBack: [{ message: "There is no option 9" }],
      });
      expect(brain.requests.map(({ tools }) => tools)).toEqual([[], [], []]);
      const told = brain.requests.map(({ messages }) => messages.flatMap(textsOf).join("\n"));
      expect(told[0]).toContain("Does this need a person?");
      expect(told[1]).toContain("Which database?");
      expect(told[2]).toContain("There is no option 9");
      expect(JSON.stringify(brain.requests[1])).toContain("You decide for a person who is away");
      expect(existsSync(join(brain.home, "hooked"))).toBe(false);
    },
  );

  it("[DC24] it is told what became of its decision in the session that decided, and asked there again; one that is gone begins anew", async () => {
    await using brain = await stage(version, () => `{"actions":[{"action":"select","optionIndex":0}]}`);
    const id = crypto.randomUUID();
    await brain.think({ ask: askOf(), documents: [], conversation: { id, continues: false } });
    const actor = { type: "brain" as const, surface: "autopilot", name: "claude", conversation: id };
    const ask = askOf({ outcome: { type: "answered", actor, at: 1, answers: [{ picks: [0] }] } });
    await brain.tell(ask, "MISMATCH: it received something else.");
    await brain.think({ ask: askOf(), documents: [], conversation: { id, continues: true } });
    const told = brain.requests.map(({ messages }) => messages.map((each) => textsOf(each).join("\n")).join("\n"));
    const words = ["Which database?", '"optionIndex":0', "MISMATCH: it received something else."];
    expect(words.map((word) => told[2]?.includes(word))).toEqual([true, true, true]);
    expect(words.map((word) => told[4]?.includes(word))).toEqual([true, true, true]);
    // Whether a person is needed it judges in a session that knows of nothing.
    expect(told[3]).not.toContain("MISMATCH");
    const projects = join(brain.home, ".claude/projects");
    expect((await readdir(projects, { recursive: true })).filter((name) => name.endsWith(".jsonl"))).toHaveLength(3);
    await rm(projects, { recursive: true });
    await brain.tell(ask, "MISMATCH: it received something else.");
    expect(brain.requests).toHaveLength(6);
    expect(existsSync(join(brain.home, "hooked"))).toBe(false);
  });

  it("[BR40] a file that a question names with @ is not read", async () => {
    await using brain = await stage(version, () => `{"actions":[{"action":"select","optionIndex":0}]}`);
    const secret = join(brain.home, "secret.txt");
    writeFileSync(secret, "TOP-SECRET-CONTENT");
    const text = `See @${secret} and @"${secret}" and\n@${secret}\n@~/secret.txt @../secret.txt`;
    await brain.think({ ask: askOf({ questions: [{ ...database, text }] }), documents: [] });
    expect(brain.requests).toHaveLength(2);
    expect(JSON.stringify(brain.requests)).toContain("secret.txt");
    expect(JSON.stringify(brain.requests)).not.toContain("TOP-SECRET-CONTENT");
  });
});
