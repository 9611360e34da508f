import type { AskView } from "../../protocol/view.ts";
import type { Box } from "./draw/box.ts";
import type { KeyAction } from "./keys.ts";
import type { Prompt } from "./prompt.ts";

/** What keys open, and where. */
export type Stage = {
  show(box: Box): void;
  close(): void;
  type(prompt: Prompt | undefined): void;
  answer(ask: AskView): void;
  /** It came under the cursor a moment ago, so the key was meant for the one before. */
  isFresh(): boolean;
};
/** What can be done beside answering, which depends on whose inbox it is. */
export type Beside = {
  /** True: it was a key of these. */
  act(wanted: KeyAction, selected: AskView | undefined): boolean;
  /** The same for keys that mean something else on the open tab. */
  pressed?(key: string): boolean;
  /** What the dialog of an Ask may be left for. */
  leaveFor?: { grant(ask: AskView): void; change(ask: AskView): void };
  /** This one's dialog is open now; undefined: none any more. */
  looking?(id: string | undefined): void;
  /** This one is on the screen now. */
  drawn?(ask: AskView | undefined): void;
};
