import type { Capture, KeysPane } from "../../src/keys/pane.ts";
import type { Recording } from "./recordings.ts";

/** What the agent did when its dialog was closed. */
export const CLOSED = ["● OK.", "", "─".repeat(40), "❯", "─".repeat(40), "  ? for shortcuts"].join("\n");

export type RecordedPane = KeysPane & {
  pressed: string[];
  /** Every look and every key, in order. */
  log: string[];
  /** What is shown from now on, instead of what was recorded. */
  show(text: string | undefined): void;
};

/** A pane that shows a recording and goes on by one screen with each key, whatever key it is. */
export function createRecordedPane(
  { job: { width, height }, screens }: Recording,
  onKey: (nth: number, pane: RecordedPane) => void = () => undefined,
): RecordedPane {
  let instead: string | undefined;
  const press = (key: string) => {
    pane.pressed.push(key);
    pane.log.push(key);
    onKey(pane.pressed.length, pane);
  };
  const pane: RecordedPane = {
    address: { server: "/nowhere", id: "%0" },
    pressed: [],
    log: [],
    show: (text) => void (instead = text),
    async capture(): Promise<Capture> {
      pane.log.push("look");
      return { text: instead ?? screens[pane.pressed.length]?.text ?? CLOSED, width, height };
    },
    key: async (name) => press(name),
    type: async () => press("text"),
  };
  return pane;
}
