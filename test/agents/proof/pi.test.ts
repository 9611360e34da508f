import { waitForInput, waitForQuestion } from "../../../src/agents/pi/lab/screen.ts";
import { openPiStage, PI_VERSIONS, piProgram } from "../pi-stage.ts";
import { inTerminal } from "./in-terminal.ts";
import { prove } from "./prove.ts";

const [version] = PI_VERSIONS;

prove("[PT1] every case of the table", {
  agent: "pi",
  version,
  program: piProgram(version),
  wordsApart: true,
  asks: (id, [asked]) => ({
    tool: asked?.labels.length === 0 ? "ask_input" : "ask_select",
    id,
    input: { title: asked?.text, options: asked?.labels },
  }),
  // The gate of an extension: pi itself asks for nothing.
  calls: (id, file) => ({ tool: "bash", id, input: { command: `rm -rf ./nothing-there && touch ${file}` } }),
  async open(script) {
    const stage = await openPiStage(version, script);
    const { tmux } = stage.lab;
    return inTerminal(stage, {
      shown: (what) => waitForQuestion(tmux, what === "call" ? "Dangerous command:" : what.text),
      async pointsAt(pick, { labels }) {
        for (let i = 0; i < pick; i++) await tmux.keys("Down");
        await tmux.waitFor((screen) => screen.includes(`→ ${labels[pick]}`));
        return () => tmux.keys("Enter");
      },
      idle: () => waitForInput(tmux),
      kill: () => stage.lab.kill(),
    });
  },
});
