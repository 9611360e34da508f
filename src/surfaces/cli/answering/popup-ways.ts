import { ParleyError } from "../../../core/error.ts";
import { openDialog } from "../../../dialog/open-dialog.ts";
import type { Question } from "../../../core/ask/question.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Context } from "../context.ts";
import { inEditor } from "../../terminal/in-editor.ts";
import { giveGrant } from "./give-grant.ts";
import { settleAsk } from "./settle-ask.ts";

/** `again`: it still waits, and is shown once more; `isTold`: its receipt stands on the terminal. */
export type Ended = { sentence: string; code: number; again?: true; isTold?: true };

const NOTHING_SENT = "Nothing was sent.";

/** The call is changed here and allowed so: a command of one line in a field, anything else in the person's editor. */
export async function changeHere(ask: AskView, context: Context): Promise<Ended> {
  const { editable, questions } = ask;
  const pick = questions[0]?.options.findIndex(({ effect }) => effect === "allow") ?? -1;
  if (!editable || pick < 0) return again(NOTHING_SENT);
  const allow = (changed: string, sure: boolean) => {
    const answer = { action: "answer" as const, answers: [{ picks: [pick] }], changed };
    return settleAsk(ask, { ...answer, ...(sure && { sure }) }, context.client, context.terminal, "popup");
  };
  try {
    for (let text = editable.text; ;) {
      const typed = await typeText(editable, text, context);
      if (typed === undefined || typed === editable.text) return again(NOTHING_SENT);
      text = typed;
      try {
        return await allow(text, false);
      } catch (error) {
        const doubt = doubtIn(error);
        if (doubt === undefined) throw error;
        const decided = await isSure(doubt);
        if (decided === "left") return again(NOTHING_SENT);
        if (decided === "yes") return await allow(text, true);
      }
    }
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return again(`✗ ${error.message}`);
  }
}

/** What must be asked about needs a second yes. */
function doubtIn(error: unknown): string | undefined {
  const isDoubt = error instanceof ParleyError && error.problems.some(({ field }) => field === "sure");
  return isDoubt ? error.message.replace(/: confirm it once more.*$/, "") : undefined;
}

const again = (sentence: string): Ended => ({ sentence, code: 0, again: true, isTold: true });

async function typeText(
  { text, what }: NonNullable<AskView["editable"]>,
  start: string,
  context: Context,
): Promise<string | undefined> {
  if (what !== "command" || start.includes("\n")) return inEditor({ text: start, what }, context.terminal.env);
  const end = await openDialog({
    questions: [field(`Change the ${what}; what you allow is what runs`)],
    prefill: [{ picks: [], text: start }],
    closes: true,
    context: `It asks for:\n${text}`,
  });
  return end.type === "submitted" ? end.answers[0]?.text : undefined;
}

const field = (text: string): Question => ({ text, header: "Change", multiSelect: false, options: [] });

async function isSure(problem: string): Promise<"yes" | "change" | "left"> {
  const options = [
    { label: "Change it again", description: "Nothing was sent yet", recommended: false },
    { label: "Allow it all the same", description: "As it is now", recommended: false },
  ];
  const questions = [{ text: problem, header: "Sure", multiSelect: false, options }];
  const end = await openDialog({ questions, closes: true });
  if (end.type !== "submitted") return "left";
  return end.answers[0]?.picks[0] === 1 ? "yes" : "change";
}

/** Leave for a while, with what it will match shown first: the dialog gives way to lines for it. */
export async function grantHere(ask: AskView, context: Context): Promise<Ended> {
  const { client, terminal } = context;
  try {
    const given = { choices: [], message: [], text: [], decline: false, cancel: false, yes: false, json: false };
    const grant = ask.kind === "plan" ? "plan" : await howLong(ask, context);
    if (grant === "") return again(NOTHING_SENT);
    const code = await giveGrant(ask, { ...given, field: [], grant, surface: "popup" }, context);
    const { outcome, sentence } = await client.call("getAsk", { id: ask.id });
    return outcome ? { sentence, code, isTold: true } : again(NOTHING_SENT);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    terminal.err(`${error.message}\n`);
    return again(`✗ ${error.message}`);
  }
}

async function howLong(ask: AskView, { client, terminal }: Context): Promise<string> {
  const { ends, refused, proposal } = await client.call("grantOffer", { id: ask.id });
  if (refused !== undefined) throw new ParleyError("invalid", `This cannot be granted: ${refused}`);
  const usual = proposal?.for ?? ends[0] ?? "30m";
  const typed = await terminal.ask?.(
    `Allow it and calls like it for how long? (30m, 2h, 10x; Enter: ${usual}; n: not) `,
  );
  if (typed === undefined || /^n(o|ot)?$/i.test(typed.trim())) return "";
  return typed.trim() || usual;
}
