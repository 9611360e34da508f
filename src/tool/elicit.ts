import type { ServerContext } from "@modelcontextprotocol/server";
import type { Answer } from "../core/ask/answer/answer.ts";
import { checkAnswers } from "../core/ask/answer/check-answer.ts";
import { answers, draftOf, openForm } from "../core/form/form.ts";
import type { Question } from "../core/ask/question.ts";
import { asRecord } from "../core/record.ts";
import type { ShowDialog } from "./dialog-ref.ts";

type Elicit = ServerContext["mcpReq"]["elicitInput"];
type FormParams = Extract<Parameters<Elicit>[0], { requestedSchema: unknown }>;

/** As long as the call itself: it ends by the signal. */
const NEVER_MS = 2 ** 31 - 1;
const AGAIN = "Each question needs an option, or your own words.";

/**
 * The questions as a form that the client shows itself. Contract: a form that the client closes without an answer, or
 * cannot show, decides nothing: many close it by themselves. The inbox goes on waiting then.
 */
export const elicitIn =
  (elicit: Elicit): ShowDialog =>
  async ({ questions, prefill, signal }) => {
    const nothing = draftOf(openForm(questions));
    const closed = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    for (let message = lead(questions); ; message = `${AGAIN}\n\n${lead(questions)}`) {
      const params: FormParams = { mode: "form", message, requestedSchema: schemaOf(questions, prefill) };
      const result = await elicit(params, { signal, timeout: NEVER_MS }).catch(() => undefined);
      if (signal.aborted) break;
      if (result?.action === "decline") return { type: "cancelled", draft: nothing };
      if (result?.action !== "accept") break;
      const checked = checkAnswers(questions, answersIn(questions, result.content));
      if (checked.ok) return { type: "submitted", answers: checked.answers };
    }
    await closed;
    return { type: "aborted", draft: nothing };
  };

const lead = ([first, ...others]: readonly Question[]): string =>
  others.length === 0 ? (first?.text ?? "") : `${others.length + 1} questions`;

/** Labels stand for themselves: clients of every version can offer them. Own words have a field of their own. */
function schemaOf(questions: readonly Question[], prefill: readonly Answer[] = []): FormParams["requestedSchema"] {
  const filled = answers(openForm(questions, { prefill }));
  const properties = questions.flatMap((question, i): [string, object][] => {
    const { text, header, multiSelect, options } = question;
    const labels = options.map(({ label }) => label);
    const picked = (filled[i]?.picks ?? []).map((pick) => labels[pick]);
    const about = options.map(({ label, description }) => (description === "" ? label : `${label}: ${description}`));
    const said = { title: header, description: [text, ...about].join("\n") };
    const choice = multiSelect
      ? { type: "array", items: { type: "string", enum: labels }, ...(picked.length > 0 && { default: picked }) }
      : { type: "string", enum: labels, ...(picked[0] !== undefined && { default: picked[0] }) };
    const own = { type: "string", title: `${header}: other`, description: "Your own words" };
    return [
      [nameOf(i), { ...said, ...choice }],
      [otherOf(i), { ...own, ...(filled[i]?.text !== undefined && { default: filled[i].text }) }],
    ];
  });
  return { type: "object", properties: Object.fromEntries(properties) } as FormParams["requestedSchema"];
}

function answersIn(questions: readonly Question[], content: unknown): Answer[] {
  const given = asRecord(content) ?? {};
  return questions.map(({ options, multiSelect }, i) => {
    const chosen = [given[nameOf(i)]].flat();
    const picks = chosen.map((value) => options.findIndex(({ label }) => label === value)).filter((pick) => pick >= 0);
    const own = given[otherOf(i)];
    const text = typeof own === "string" && own.trim() !== "" ? own : undefined;
    // Beside a default of the form, own words are what was meant.
    return { picks: multiSelect || text === undefined ? picks : [], ...(text !== undefined && { text }) };
  });
}

const nameOf = (i: number) => `question_${i + 1}`;
const otherOf = (i: number) => `question_${i + 1}_other`;
