import { editRefusal } from "../words/edit-words.ts";
import { ParleyError } from "../error.ts";
import { unifiedDiff } from "../text/unified-diff.ts";
import type { Answer } from "./answer/answer.ts";
import type { Ask } from "./ask.ts";
import type { Changed, Editable } from "./edit-schema.ts";
import type { Actor } from "./outcome.ts";

/** More is not changed by hand beside a question. */
export const LONGEST_EDIT = 20_000;
/** There nobody sees the whole of it. */
const NOT_FROM = new Set(["desktop", "link", "telegram", "slack", "push"]);

/**
 * The change that goes with an approval. Undefined: it is as it was.
 * Contract: a person's alone, of a call that its agent takes changed, approved for once.
 */
export function changeOf(ask: Ask, text: string, answer: Answer | undefined, actor: Actor): Changed | undefined {
  if (actor.type !== "person") throw new ParleyError("forbidden", "Only a person may change a call before allowing it");
  if (NOT_FROM.has(actor.surface))
    throw new ParleyError("forbidden", "A call is changed where all of it can be read, not from a notification");
  const refusal = editRefusal(ask, "The agent");
  if (refusal !== undefined || !ask.editable) throw wrong(refusal ?? "");
  const { what, text: asked, unlike } = ask.editable;
  const once = ask.questions[0]?.options.findIndex(({ effect }) => effect === "allow");
  if (answer?.picks.length !== 1 || answer.picks[0] !== once)
    throw wrong("A changed call is approved once: choose Approve");
  if (text === asked) return undefined;
  if (what === "command" && text.trim() === "") throw wrong("A command cannot be empty; to stop it, deny it");
  if (text.length > LONGEST_EDIT) throw wrong(`It has ${text.length} characters, more than ${LONGEST_EDIT}`);
  if (!text.isWellFormed() || (what === "command" ? /[^\P{Cc}\n\t]/u : /\0/).test(text))
    throw wrong(`The ${what} holds a character that the agent does not take`);
  if (text === unlike) throw wrong("It would replace the text by itself, which the agent refuses");
  return { what, text, diff: editDiff(ask.editable, text) };
}

/** As lines of a patch, without their heads. */
export const editDiff = ({ text, what }: Editable, now: string): string =>
  unifiedDiff({ before: `${text}\n`, after: `${now}\n` }, what)
    .slice(2)
    .join("\n");

const wrong = (message: string) => new ParleyError("invalid", message, { problems: [{ field: "changed", message }] });

/** Stands with what the agent is told of it, so that the proof is found in its record. */
export const changedMark = ({ id }: Pick<Ask, "id">): string => `[parley changed ${id}]`;

/** What the agent reads behind its result. `ran`: with what its own hook says that it ran. */
export function changedWords(ask: Pick<Ask, "id">, { what, diff }: Changed): string {
  return `The user changed the ${what} of this call before allowing it; what ran is the changed one:\n${diff}\n${changedMark(ask)}`;
}
