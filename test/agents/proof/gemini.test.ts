import { geminiInputBox } from "../../../src/agents/gemini/lab/gemini-lab.ts";
import { layout } from "../../../src/agents/gemini/screens/0.61.0/layout.ts";
import { geminiProgram, openGeminiStage } from "../gemini-stage.ts";
import { driveKin } from "./kin.ts";
import { prove } from "./prove.ts";

const version = "0.61.0";

prove("[PT1] every case of the table", {
  agent: "gemini",
  version,
  program: geminiProgram(version),
  byKeys: true,
  asks: (id, questions) => ({
    tool: "ask_user",
    id,
    input: {
      questions: questions.map(({ text, labels, header, multi = false }) => ({
        header,
        question: text,
        type: "choice",
        multiSelect: multi,
        options: labels.map((label) => ({ label, description: "One of them" })),
      })),
    },
  }),
  calls: (id, file) => ({
    tool: "run_shell_command",
    id,
    input: { command: `touch ${file}`, description: "to try it" },
  }),
  open: (script) =>
    driveKin(
      (given) => openGeminiStage(version, given),
      script,
      layout.read,
      (screen) => geminiInputBox(screen) === "",
    ),
});
