import { titleOf } from "../../agents/agents.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { isForTerminal } from "../../core/ask/channel.ts";
import type { Actor } from "../../core/ask/outcome.ts";
import { ParleyError } from "../../core/error.ts";
import { capitalised, safeLine } from "../../core/text/text.ts";
import { TERMINAL_ONLY } from "../../core/words/ask-words.ts";
import { denialWords } from "../../core/words/outcome/denial.ts";
import { describeAnswers } from "../../core/words/outcome/describe-answer.ts";
import { describeOutcome } from "../../core/words/outcome/sentence.ts";
import type { Clock, Inbox } from "../../inbox/inbox.ts";
import type { ConfigFiles } from "../../machine/settings/config-file.ts";
import type { Log } from "../../machine/log.ts";
import { createSerial } from "../../machine/time/serial.ts";
import type { Ledger, MessageRow } from "../../store/ledger.ts";
import type { Store } from "../../store/store.ts";
import { type ChatDraft, newDraft } from "./chat-draft.ts";
import { chatStep, chatView } from "./chat-form.ts";
import { type Sheet, sheetOf } from "./chat-sheet.ts";
import { isGrave, isGraver } from "./pressable.ts";
import type { NoForm, Reply, TakeReply, Told } from "../messenger.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  config: ConfigFiles;
  ledger: Ledger;
  pageOf: (ask: string) => string | undefined;
  now: Clock;
  log: Log;
};

export type Replies = { take: TakeReply; sheet: (ask: string) => Promise<Sheet | NoForm> };

const GONE = "That question is gone. What waits is in your inbox.";

/**
 * The one door for what people send back by a messenger: the same settle function, the same checks, whichever it was.
 * Contract: never throws what a person could have caused; a reply that comes twice counts once, also over restarts.
 */
export function createReplies({ store, inbox, config, ledger, pageOf, now, log }: Deps): Replies {
  const serial = createSerial();
  return { take: (reply) => serial(reply.ask, () => take(reply)), sheet };

  /** The Ask as it is now, for a form. */
  async function sheet(id: string): Promise<Sheet | NoForm> {
    const ask = await store.ask(id);
    if (!ask) return { state: "unknown", words: GONE };
    if (ask.outcome) return { state: "settled", words: settledWords(ask) };
    const { notify } = (await config.current(ask.origin.cwd)).values;
    const found = sheetOf(ask, titleOf(ask.origin.agent), {
      approvals: notify.buttons_for_approvals,
      page: pageOf(id),
    });
    return found.where === undefined
      ? found
      : { state: "refused", words: `This one is not answered here. ${found.where}` };
  }

  async function take(reply: Reply): Promise<Told> {
    const row = reply.message === undefined ? undefined : ledger.message(reply.messenger, reply.message);
    const key = `${reply.messenger} ${reply.id}`;
    const before = await store.used(key);
    // Answered already, by this very reply: whoever sent it has perhaps not heard so.
    if (before) return { state: "answered", words: answeredWords(before.ask) };
    const ask = await store.ask(reply.ask);
    if (!ask) return { state: "unknown", words: GONE };
    // Another one of the same name in a database that was put back has other words.
    if (row && row.ask !== ask.id) return { state: "unknown", words: GONE };
    if (ask.outcome) return noted(ask, reply, { state: "settled", words: settledWords(ask) });
    // Its own dialog has opened since it was sent: there is nothing to be pressed here any more.
    if (isForTerminal(ask)) return noted(ask, reply, { state: "settled", words: `Not answered. ${TERMINAL_ONLY}` });
    const { notify } = (await config.current(ask.origin.cwd)).values;
    // These have buttons only where the note is whole (`noteOf`).
    const isPush = reply.messenger === "push";
    const shown = isPush || reply.messenger === "desktop";
    const allowed = { approvals: notify.buttons_for_approvals, page: pageOf(ask.id), shown };
    if (isOneTap(ask, reply)) return noted(ask, reply, { state: "refused", words: `Not answered. ${AT_STAKE}` });
    const step = chatStep(ask, draftOf(ask, row), reply.id, reply.input, allowed);
    if ("refused" in step) return noted(ask, reply, { state: "refused", words: `Not answered. ${step.refused}.` });
    if ("answers" in step) return noted(ask, reply, await settle(ask, step.answers, reply, row, key));
    if (row) ledger.keepMessage({ ...row, draft: step.draft });
    const view = chatView(ask, step.draft, titleOf(ask.origin.agent), allowed);
    return { state: "kept", words: step.words, view };
  }

  async function settle(
    ask: Ask,
    answers: Answer[],
    { messenger, person, version }: Reply,
    row: MessageRow | undefined,
    key: string,
  ): Promise<Told> {
    const actor: Actor = { type: "person", surface: messenger, ...(person && { name: person.name }) };
    const settlement = { action: "answer" as const, answers, version: version ?? row?.version };
    try {
      const settled = await inbox.once(key, { ask: ask.id, answers }, (once) =>
        inbox.settle(ask.id, settlement, actor, once),
      );
      return { state: "answered", words: answeredWords(settled) };
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      if (error.code === "already_settled") return { state: "settled", words: `${error.message}.` };
      log("info", "a reply was refused", { ask: ask.id, messenger, code: error.code });
      return { state: "refused", words: `Not answered. ${error.message}.` };
    }
  }

  /** What came back is part of the Ask's history; if that cannot be written, the person is answered all the same. */
  async function noted(ask: Ask, { messenger, person }: Reply, told: Told): Promise<Told> {
    const words = safeLine(told.words, { max: 300 });
    await inbox
      .change(ask.id, () => [
        { type: "ask.messaged", messenger, step: "replied", ...(person && { to: person.name }), words },
      ])
      .catch((error: unknown) => log("error", "a reply was not noted", { ask: ask.id, error: String(error) }));
    return told;
  }

  function settledWords(ask: Ask): string {
    return `Already settled: ${describeOutcome(ask, now())}.`;
  }
}

const AT_STAKE = "Something is at stake in it: open the question, or its form, to answer it.";

/** Nothing serious is one touch away; where a press is kept until it is sent (`chatStep`) there are two. */
function isOneTap(ask: Ask, { messenger, input }: Reply): boolean {
  if (input.type !== "press" || messenger === "telegram") return false;
  return messenger === "desktop" ? isGraver(ask) : isGrave(ask);
}

function answeredWords({ questions, outcome }: Ask): string {
  const denied = outcome && denialWords({ questions }, outcome);
  if (denied) return capitalised(denied);
  return `Answered: ${safeLine(describeAnswers(questions, outcome?.answers ?? []), { max: 300 })}`;
}

function draftOf(ask: Ask, row: MessageRow | undefined): ChatDraft {
  const kept = row?.draft as Partial<ChatDraft> | undefined;
  return kept?.answers?.length === ask.questions.length ? { ...newDraft(ask), ...kept } : newDraft(ask);
}
