import { mannerOf } from "../../agents/capability/screen-layout.ts";
import { pieces } from "../read/columns.ts";
import { PIECE } from "./drive-question.ts";
import { messageIn } from "./intent.ts";
import type { Screen } from "../screen.ts";
import { squeeze } from "../read/squeeze.ts";
import type { Job, Progress, Step } from "./step.ts";

/** After the chat was chosen: the message goes into the agent's input box. */
export function messageStep(screen: Screen, progress: Progress, { intent, layout }: Job, place: string): Step {
  const stop = (why: string): Step => ({ type: "stop", place, why });
  const text = messageIn(intent);
  if (text === undefined || screen.type !== "prompt") return stop("it is not on the screen; the dialog is closed");
  const all = mannerOf(layout) ? firstAlone(text) : pieces(text, PIECE);
  const upTo = (count: number) => squeeze(all.slice(0, count).join(""));
  if (squeeze(screen.draft) !== upTo(progress.typed)) return stop("somebody typed into it");
  const piece = all[progress.typed];
  const draft = (after: Screen) => (after.type === "prompt" ? squeeze(after.draft) : undefined);
  if (piece === undefined)
    return { type: "press", place, key: { name: "Enter" }, expect: (after) => draft(after) === "", leads: "done" };
  const [before, wanted] = [upTo(progress.typed), upTo(progress.typed + 1)];
  return {
    type: "press",
    place,
    key: { text: piece },
    expect: (after) => draft(after) === wanted,
    nearly: (after) => draft(after)?.startsWith(before) === true && wanted.startsWith(draft(after) ?? "-"),
    leads: { ...progress, fresh: false, typed: progress.typed + 1 },
  };
}

/** Some characters are keys while the input box is empty, and it may be slow to notice that it is not. */
function firstAlone(text: string): string[] {
  const [first = ""] = pieces(text, 1);
  return [first, ...pieces(text.slice(first.length), PIECE)];
}
