import { pointAt, pressEsc, waitForDialog } from "../../../src/agents/claude-code/lab/dialog.ts";
import { inputBox } from "../../../src/agents/claude-code/lab/prompt.ts";
import { guardOver } from "../../patience.ts";
import { openStage, programOf, question, VERSIONS } from "../stage.ts";
import { prove } from "./prove.ts";

const [version] = VERSIONS;

prove("[PT1] every case of the table", {
  agent: "claude-code",
  version,
  program: programOf(version),
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
  always: /^Always allow/,
  async open(script) {
    const stage = await openStage({ version, script });
    const { claude } = stage;
    const { tmux } = claude;
    return {
      ...stage,
      project: claude.project,
      prompt: claude.prompt,
      shown: async (what) =>
        what === "call" ? tmux.waitFor(/❯ 1\. Yes/).then(guardOver) : waitForDialog(tmux, what.text),
      async pointsAt(pick) {
        await pointAt(tmux, pick + 1);
        return () => tmux.keys("Enter");
      },
      escape: () => pressEsc(tmux),
      idle: () => tmux.waitFor((screen) => inputBox(screen) === "" && !screen.includes("esc to interrupt")),
      kill: () => claude.kill(),
      screen: tmux.screen,
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    };
  },
});
