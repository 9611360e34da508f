import { question } from "../stage.ts";
import { acpAgent, acpProgram, driveAcp } from "./acp.ts";
import { prove } from "./prove.ts";

const agent = acpAgent("claude-agent-acp 0.99.1");

prove("[PT1] every case of the table", {
  agent: "acp-claude",
  version: "0.99.1",
  program: acpProgram(agent),
  wordsKept: true,
  asks: (id, questions) => ({
    tool: "AskUserQuestion",
    id,
    input: {
      questions: questions.map(({ text, labels, header, multi = false }) =>
        question(text, labels, { header, multiSelect: multi }),
      ),
    },
  }),
  calls: (id, file) => ({
    tool: "Bash",
    id,
    input: { command: `install /dev/null ${file}`, description: "make a file" },
  }),
  open: (script) => driveAcp(agent, script),
});
