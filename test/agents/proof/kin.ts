import type { ReadLayout } from "../../../src/agents/capability/screen-layout.ts";
import type { Say } from "../../../src/lab/model.ts";
import type { KinStage } from "../gemini-stage.ts";
import type { Driven } from "./driver.ts";
import { inTerminal } from "./in-terminal.ts";

/** Gemini CLI and Qwen Code. `isIdle`: the input box is there and empty. */
export async function driveKin(
  open: (script: Record<string, Say[]>) => Promise<KinStage>,
  script: Record<string, Say[]>,
  read: ReadLayout["read"],
  isIdle: (screen: string) => boolean,
): Promise<Driven> {
  const stage = await open(script);
  const { tmux } = stage.lab;
  const cursor = (text: string) => {
    const screen = read(text);
    return screen.type === "question" ? screen.rows.find((row) => row.cursor)?.number : undefined;
  };
  return inTerminal(stage, {
    shown: (what) => (what === "call" ? stage.waitForApproval() : stage.waitForQuestion(what.text)),
    async pointsAt(pick) {
      for (let i = 0; i < pick; i++) {
        await tmux.keys("Down");
        await tmux.waitFor((text) => cursor(text) === i + 2);
      }
      // A key that comes too soon after another is taken for something pasted.
      await Bun.sleep(300);
      return () => tmux.keys("Enter");
    },
    idle: () => tmux.waitFor(isIdle),
    async kill() {
      tmux.processes();
      process.kill(tmux.panePid(), "SIGKILL");
    },
  });
}
