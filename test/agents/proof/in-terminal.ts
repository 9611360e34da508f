import type { Tmux } from "../../../src/lab/tmux.ts";
import type { LabStage } from "../lab-stage.ts";
import type { Driven } from "./driver.ts";

type Lab = { tmux: Tmux; project: string; prompt(text: string): Promise<void> };
type Own = Pick<Driven, "shown" | "idle" | "kill"> & Partial<Driven>;

/** How most agents are driven: arrows and Enter in their terminal. */
export function inTerminal(stage: LabStage<Lab>, own: Own): Driven {
  const { tmux, project, prompt } = stage.lab;
  return {
    ...stage,
    project,
    prompt,
    async pointsAt(pick) {
      for (let i = 0; i < pick; i++) await tmux.keys("Down");
      return () => tmux.keys("Enter");
    },
    escape: () => tmux.keys("Escape"),
    screen: tmux.screen,
    ...own,
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}
