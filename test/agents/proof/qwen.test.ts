import { qwenInputBox } from "../../../src/agents/qwen/lab/qwen-lab.ts";
import { layout } from "../../../src/agents/qwen/screens/0.24.4/layout.ts";
import { openQwenStage, qwenProgram } from "../qwen-stage.ts";
import { driveKin } from "./kin.ts";
import { prove } from "./prove.ts";

const version = "0.24.4";

prove("[PT1] every case of the table", {
  agent: "qwen",
  version,
  program: qwenProgram(version),
  byKeys: true,
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
  open: (script) =>
    driveKin(
      (given) => openQwenStage(version, given),
      script,
      layout.read,
      (screen) => qwenInputBox(screen) === "",
    ),
});
