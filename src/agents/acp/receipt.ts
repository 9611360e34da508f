import type { Question } from "../../core/ask/question.ts";
import type { Received, ReceivedChoice } from "../../core/receipt/received.ts";
import { answersIn, questionsIn } from "./asked-as-permission.ts";
import { choicesIn, formQuestions } from "./form.ts";
import { type Call, Elicitation, ElicitationResult, type Event, Permission, PermissionResult } from "./payload.ts";
import { textsIn } from "./permission.ts";

type Told = { questions: Question[]; received: Received };

/** What the agent was answered with, by its editor. Undefined: it cannot be read. */
export function readReply(event: Event): Told | undefined {
  return readResult(event, "", false);
}

/**
 * What the agent says of the call after Parley has answered. A permission's is proof enough: what was allowed has run, what
 * was not has failed. A form's is proof only where the agent repeats what it was told; else nothing is claimed.
 */
export function readCame(event: Event): Told | undefined {
  const text = saidOf(event.call);
  const read = readResult(event, text, event.call?.status === "failed");
  if (read?.received.type !== "answers")
    return read?.received.type === "refused" && !isPermission(event) ? undefined : read;
  return read.received.choices.every((choice) => choice && isIn(choice, text)) ? read : undefined;
}

function readResult(event: Event, text: string, isError: boolean): Told | undefined {
  return isPermission(event) ? permission(event, text, isError) : elicitation(event, text);
}

function permission({ params, call, result }: Event, text: string, isError: boolean): Told | undefined {
  const asked = Permission.safeParse(params).data;
  const { outcome, optionId } = PermissionResult.safeParse(result).data?.outcome ?? {};
  if (!asked) return undefined;
  const questions = questionsIn(call) ?? [];
  const pick = asked.options.findIndex((option) => option.optionId === optionId);
  const kind = asked.options[pick]?.kind ?? "";
  if (outcome !== "selected" || kind === "") return { questions, received: { type: "refused", by: "escape", text } };
  const isAllowed = kind.startsWith("allow");
  if (questions.length > 0 && isAllowed) {
    const choices = answersIn(questions, result);
    return { questions, received: { type: "answers", choices, text } };
  }
  if (questions.length > 0) return { questions, received: { type: "refused", by: "escape", text } };
  if (isAllowed) return { questions, received: { type: "ran", text, isError, pick } };
  return { questions, received: { type: "denied", text, isWordless: true } };
}

function elicitation({ params, result }: Event, text: string): Told | undefined {
  const form = Elicitation.safeParse(params).data;
  const questions = form && formQuestions(form);
  const { action, content = {} } = ElicitationResult.safeParse(result).data ?? {};
  if (!form || !questions) return undefined;
  if (action !== "accept") return { questions, received: { type: "refused", by: "escape", text } };
  const choices = choicesIn(form, questions, content);
  const unread = choices.includes(undefined) ? { unread: JSON.stringify(content).slice(0, 2000) } : {};
  return { questions, received: { type: "answers", choices, ...unread, text: text || JSON.stringify(content) } };
}

const isPermission = ({ method }: Event): boolean => method === "session/request_permission";

/** All that the agent says of a call's end. */
function saidOf(call: Call | undefined): string {
  if (!call) return "";
  const raw =
    call.rawOutput === undefined
      ? ""
      : typeof call.rawOutput === "string"
        ? call.rawOutput
        : JSON.stringify(call.rawOutput);
  return [...textsIn(call.content), raw].filter(Boolean).join("\n");
}

/** As it is, or as JSON writes it. */
function isIn({ labels, text, note }: ReceivedChoice, said: string): boolean {
  const parts = [...labels, ...[text ?? [], note ?? []].flat()];
  return (
    parts.length > 0 && parts.every((part) => said.includes(part) || said.includes(JSON.stringify(part).slice(1, -1)))
  );
}
