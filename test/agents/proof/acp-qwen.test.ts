import { acpAgent, acpProgram, driveAcp } from "./acp.ts";
import { prove } from "./prove.ts";

const agent = acpAgent("qwen-code 0.24.4");

prove("[PT1] every case of the table", {
  agent: "acp-qwen",
  version: "0.24.4",
  program: acpProgram(agent),
  wordsKept: true,
  asks: (id, questions) => ({
    tool: "ask_user_question",
    id,
    input: {
      questions: questions.map(({ text, labels, header, multi = false }) => ({
        header,
        question: text,
        multiSelect: multi,
        options: labels.map((label) => ({ label, description: "One of them" })),
      })),
    },
  }),
  calls: (id, file) => ({
    tool: "run_shell_command",
    id,
    input: { command: `touch ${file}`, description: "to try it", is_background: false },
  }),
  open: (script) => driveAcp(agent, script),
});
