import { mannerOf } from "../../agents/capability/screen-layout.ts";
import { isGone } from "../gone.ts";
import { messageIn } from "./intent.ts";
import { mismatch } from "../match.ts";
import type { Screen } from "../screen.ts";
import type { Job, Step } from "./step.ts";

/** Esc closes the dialog of these questions, whatever stands in it. */
export function leaveStep(screen: Screen, { questions, intent, layout }: Job, place: string): Step {
  const manner = mannerOf(layout);
  const isOurs =
    screen.type === "question" &&
    questions.some((question) => mismatch(screen, question, { seen: true, manner }) === undefined);
  if (!isOurs) return { type: "stop", place, why: "it is not on the screen" };
  const press = { type: "press" as const, place, key: { name: "Escape" as const } };
  if (messageIn(intent) === undefined) return { ...press, expect: (after) => isGone(after, screen), leads: "done" };
  const leads = { at: "message" as const, fresh: true, ticked: 0, typed: 0 };
  return { ...press, expect: (after) => after.type === "prompt", leads };
}
