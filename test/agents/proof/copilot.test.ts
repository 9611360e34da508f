import { waitForApproval, waitForInput, waitForQuestion } from "../../../src/agents/copilot/lab/screen.ts";
import { COPILOT_VERSIONS, copilotProgram, openCopilotStage } from "../copilot-stage.ts";
import type { Asked } from "./driver.ts";
import { inTerminal } from "./in-terminal.ts";
import { prove } from "./prove.ts";

const [version] = COPILOT_VERSIONS;
const field = ({ text, labels, header, multi = false }: Asked) => ({
  title: header,
  description: text,
  ...(multi
    ? { type: "array", items: { anyOf: labels.map((label) => ({ const: label, title: label })) } }
    : { type: "string", enum: labels }),
});

prove("[PT1] every case of the table", {
  agent: "copilot",
  version,
  program: copilotProgram(version),
  byKeys: true,
  asks: (id, questions) => ({
    tool: "ask_user",
    id,
    input: {
      message: questions[0]?.text,
      requestedSchema: { properties: Object.fromEntries(questions.map((asked, i) => [`q${i + 1}`, field(asked)])) },
    },
  }),
  calls: (id, file) => ({
    tool: "bash",
    id,
    input: { command: `touch ${file}`, description: "Make a file", mode: "sync", initial_wait: 5 },
  }),
  async open(script) {
    const stage = await openCopilotStage(version, script);
    const { tmux } = stage.lab;
    return inTerminal(stage, {
      shown: (what) => (what === "call" ? waitForApproval(tmux) : waitForQuestion(tmux, what.text)),
      idle: () => waitForInput(tmux),
      kill: () => tmux.closeWindow(),
    });
  },
});
