import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { AGENTS } from "../src/agents/agents.ts";
import { acp } from "../src/agents/acp/acp.ts";
import { claudeCode } from "../src/agents/claude-code/claude-code.ts";
import { codex } from "../src/agents/codex/codex.ts";
import { copilot } from "../src/agents/copilot/copilot.ts";
import { gemini } from "../src/agents/gemini/gemini.ts";
import { opencode } from "../src/agents/opencode/opencode.ts";
import { qwen } from "../src/agents/qwen/qwen.ts";
import { pi } from "../src/agents/pi/pi.ts";
import { recordedAcp } from "./acp/recorded.ts";
import { agentContract } from "./contract/agent.ts";

agentContract(claudeCode, { gaps: { remote: "it listens nowhere; its hooks wait for the answer" } });

const recorded = join(import.meta.dir, "../src/agents/opencode/fixtures/1.18.33/answered-outside/events.jsonl");
agentContract(opencode, {
  events: readFileSync(recorded, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { event?: unknown }).event ?? JSON.parse(line)),
  gaps: {
    hooks: "it starts no programs; its plugin holds a connection",
    headless: "opencode run answers every permission with no by itself",
    screens: "its connection answers while the dialog is open, so keys are not needed",
  },
});

const said = join(import.meta.dir, "../src/agents/codex/fixtures/0.166.0/approval-accept/messages.jsonl");
agentContract(codex, {
  events: readFileSync(said, "utf8")
    .trim()
    .split("\n")
    .map((line) => ({ message: (JSON.parse(line) as { m: unknown }).m })),
  gaps: {
    hooks: "its hooks run before the dialog, which they would hide; its socket answers while that is open",
    screens: "its socket answers while the dialog is open, so keys are not needed",
  },
});

const shown = join(import.meta.dir, "../src/agents/pi/fixtures/0.73.1/events.jsonl");
agentContract(pi, {
  events: readFileSync(shown, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown),
  gaps: {
    hooks: "it starts no programs; its extension holds a connection",
    headless: "pi -p has no dialogs: its extensions are told that nobody is there",
    screens: "its connection answers while the dialog is open, so keys are not needed",
  },
});

agentContract(acp, {
  events: recordedAcp().flatMap(({ told }) => told),
  gaps: {
    hooks: "it is whatever agent the editor starts; hooks of that stand aside, so that one question is one Ask",
    record: "the protocol names none; what the agent says of the call afterwards is the receipt",
    headless: "an editor drives it; a task has none",
    screens: "the dialog is the editor's, not a terminal's",
    install: "which command it stands before, only the editor's settings say: parley acp --settings prints the entry",
    doctor: "there is no one program of that name to look at",
    lab: "the test that runs real agents behind it needs their packages, which a person does not have",
  },
});

agentContract(copilot, {
  gaps: {
    remote: "it listens nowhere; its record tells what it asks, and keys answer it",
    headless: "with -p it offers no questions and denies what needs leave by itself",
  },
});

const TYPED = "nothing listens in its terminal; its own dialog is answered by keys";
const ALONE = "gemini -p is not offered the question tool, and denies every call that needs leave by itself";
agentContract(gemini, { gaps: { remote: TYPED, headless: ALONE } });
agentContract(qwen, { gaps: { remote: TYPED } });

test("[AG9] every agent there is has passed the contract here", () => {
  const contracted = [claudeCode, opencode, codex, copilot, gemini, qwen, pi, acp];
  expect(AGENTS.map(({ name }) => name)).toEqual(contracted.map(({ name }) => name));
});
