import type { Ask } from "../../core/ask/ask.ts";
import { ParleyError } from "../../core/error.ts";
import type { MustAsk } from "./must-ask.ts";
import { mustAskWords } from "./must-ask.ts";

/**
 * What must be asked about was asked before the change: a command that only now fits such a pattern is allowed when the person
 * says so once more.
 */
export async function refuseUnsure(ask: Ask, changed: string, mustAsk: MustAsk): Promise<void> {
  if (ask.editable?.what !== "command") return;
  const patternFor = (command: string) =>
    mustAsk.patternFor({
      kind: ask.kind,
      session: ask.origin.cwd === undefined ? {} : { cwd: ask.origin.cwd },
      call: { type: "command", command },
    });
  const [was, is] = [await patternFor(ask.editable.text), await patternFor(changed)];
  if (is === undefined || is === was) return;
  const message = `${mustAskWords(is)}, and the command fits it as you changed it: confirm it once more (--yes)`;
  throw new ParleyError("invalid", message, { problems: [{ field: "sure", message }] });
}
