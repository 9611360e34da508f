import { waitForApproval, waitForInput, waitForQuestion } from "../../../src/agents/codex/lab/screen.ts";
import { CODEX_VERSIONS, codexProgram, openCodexStage } from "../codex-stage.ts";
import { inTerminal } from "./in-terminal.ts";
import { prove } from "./prove.ts";

const [version] = CODEX_VERSIONS;

prove("[PT1] every case of the table", {
  agent: "codex",
  version,
  program: codexProgram(version),
  picksOne: true,
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
  async open(script) {
    const stage = await openCodexStage(version, script);
    const { tmux } = stage.lab;
    return inTerminal(stage, {
      shown: (what) => (what === "call" ? waitForApproval(tmux) : waitForQuestion(tmux, what.text)),
      idle: () => waitForInput(tmux),
      kill: () => stage.lab.killDaemon(),
    });
  },
});
