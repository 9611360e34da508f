import { basename } from "node:path";
import { mannerOf } from "../../agents/capability/screen-layout.ts";
import { isGone } from "../gone.ts";
import type { Intent } from "./intent.ts";
import { cursorRow, type ApprovalScreen, type Row, type Screen } from "../screen.ts";
import { squeeze } from "../read/squeeze.ts";
import type { Job, Press, Step } from "./step.ts";

type Verdict = Extract<Intent, { type: "verdict" }>;

/** A call is allowed or denied by a row of its dialog. Contract: only where that dialog shows what a person was shown. */
export function approvalStep(screen: Screen, job: Job, intent: Verdict, place: string): Step {
  const stop = (why: string): Step => ({ type: "stop", place, why });
  if (screen.type !== "approval") return stop("it is not on the screen");
  if (!isAbout(screen, intent)) return stop("the screen does not show this call, or not all of it");
  const label = mannerOf(job.layout)?.verdicts[intent.row];
  const [wanted, ...others] = screen.rows.filter(({ text }) => label?.test(text));
  const cursor = cursorRow(screen.rows);
  if (!wanted || others.length > 0) return stop("the dialog has no such row");
  if (!cursor) return stop("the cursor is not on the screen");
  const base = { type: "press" as const, place };
  return cursor.number === wanted.number ? chosen(base, screen, intent) : nearer(base, screen, cursor, wanted);
}

function chosen(base: Pick<Press, "type" | "place">, screen: ApprovalScreen, { text }: Verdict): Press {
  const key = { name: "Enter" as const };
  if (text === undefined) return { ...base, key, expect: (after) => isGone(after, screen), leads: "done" };
  const leads = { at: "message" as const, fresh: true, ticked: 0, typed: 0 };
  return { ...base, key, expect: (after) => after.type === "prompt", leads };
}

function nearer(base: Pick<Press, "type" | "place">, screen: ApprovalScreen, from: Row, to: Row): Press {
  const down = (from.number ?? 0) < (to.number ?? 0);
  const next = (from.number ?? 0) + (down ? 1 : -1);
  return {
    ...base,
    key: { name: down ? "Down" : "Up" },
    expect: (after) => !isGone(after, screen) && after.type === "approval" && cursorRow(after.rows)?.number === next,
    leads: { at: 0, fresh: false, ticked: 0, typed: 0 },
  };
}

function isAbout({ about, shown }: ApprovalScreen, { call, body }: Verdict): boolean {
  const drawn = squeeze(shown);
  switch (call.type) {
    case "command":
      return drawn === squeeze(call.command);
    case "write":
      return (
        squeeze(about).includes(squeeze(basename(call.path))) && changesIn(body).every((line) => drawn.includes(line))
      );
    case "read":
      return squeeze(about + shown).includes(squeeze(call.path));
    case "fetch":
      return drawn.includes(squeeze(call.url));
  }
}

/** What would be added and taken away. */
function changesIn(body: string): string[] {
  return body.split("\n").flatMap((line) => (/^[+-] /.test(line) ? [squeeze(line.slice(2))] : []));
}
