import { waitForInput, waitForPermission, waitForQuestion } from "../../../src/agents/opencode/lab/screen.ts";
import { openOpencodeStage } from "../opencode-parley.ts";
import { OPENCODE_VERSIONS, opencodeProgram, question } from "../opencode-stage.ts";
import { inTerminal } from "./in-terminal.ts";
import { prove } from "./prove.ts";

const [version] = OPENCODE_VERSIONS;

prove("[PT1] every case of the table", {
  agent: "opencode",
  version,
  program: opencodeProgram(version),
  asks: (id, questions) => ({
    tool: "question",
    id,
    input: {
      questions: questions.map(({ text, labels, header, multi = false }) =>
        question(text, labels, { header, multiple: multi }),
      ),
    },
  }),
  calls: (id, file) => ({ tool: "bash", id, input: { command: `touch ${file}`, description: "Makes a file" } }),
  async open(script) {
    const stage = await openOpencodeStage(version, script);
    const { tmux } = stage.lab;
    return inTerminal(stage, {
      shown: (what) => (what === "call" ? waitForPermission(tmux) : waitForQuestion(tmux, what.text)),
      idle: () => waitForInput(tmux),
      kill: () => stage.lab.kill(),
    });
  },
});
