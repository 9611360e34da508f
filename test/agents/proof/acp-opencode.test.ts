import { question } from "../opencode-stage.ts";
import { acpAgent, acpProgram, driveAcp } from "./acp.ts";
import { prove } from "./prove.ts";

const agent = acpAgent("opencode 1.18.33");

prove("[PT1] every case of the table", {
  agent: "acp-opencode",
  version: "1.18.33",
  program: acpProgram(agent),
  wordsKept: true,
  onlyLeave: true,
  asks: (id, [asked]) => ({ tool: "question", id, input: { questions: [question(asked?.text ?? "", [])] } }),
  calls: (id, file) => ({ tool: "bash", id, input: { command: `touch ${file}`, description: "Makes a file" } }),
  open: (script) => driveAcp(agent, script),
});
