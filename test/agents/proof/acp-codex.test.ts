import { acpAgent, acpProgram, driveAcp } from "./acp.ts";
import { prove } from "./prove.ts";

const agent = acpAgent("codex-acp 2.6.0");

prove("[PT1] every case of the table", {
  agent: "acp-codex",
  version: "2.6.0",
  program: acpProgram(agent),
  wordsKept: true,
  picksOne: true,
  untold: true,
  asks: (id, questions) => ({
    tool: "request_user_input",
    id,
    input: {
      questions: questions.map(({ text, labels, header }, i) => ({
        id: `q${i + 1}`,
        header,
        question: text,
        options: labels.map((label) => ({ label, description: "One of them" })),
      })),
    },
  }),
  calls: (id, file) => ({
    tool: "exec_command",
    id,
    input: { cmd: `touch ${file}`, sandbox_permissions: "require_escalated", justification: "to try it" },
  }),
  open: (script) => driveAcp(agent, script),
});
