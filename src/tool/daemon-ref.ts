import { unlessAborted } from "./abort.ts";
import type { LosslessAnswer } from "./answer.ts";
import { collect, type DialogQuestions, questionsOf, type ShowDialog } from "./dialog-ref.ts";
import { aborted, AskUserQuestionError, NOT_READY } from "./error.ts";
import { isAway, openInbox } from "./inbox.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { type Asker, originOf } from "./origin.ts";
import { collectOutcome } from "./outcome.ts";
import { race } from "./race.ts";
import type { AskUserQuestionArgs } from "./schema.ts";
import type { AskUserQuestionRef } from "./tool.ts";

export type DaemonRefOptions = Asker & {
  /** Shows the questions here as well; whoever answers first wins. */
  show?: ShowDialog | undefined;
  /** Hears in one line what happened, when the dialog here was closed because somebody else was first. */
  told?: (sentence: string) => void;
  /** When nobody has answered by then, the question expires. */
  timeoutMs?: number | undefined;
  /** Only Parley's own program can start its daemon. */
  startsDaemon?: boolean;
};
export type DaemonRef = AskUserQuestionRef & {
  /** Resolves when no call is running and everything aborted is taken back from the inbox. */
  idle(): Promise<void>;
};

/** For a daemon that is just being started again. */
const RESTART_MS = 3000;

/** Sends questions to Parley's inbox. Several at once wait there together; dialogs here are shown one after the other. */
export function createDaemonRef({
  told = () => {},
  timeoutMs,
  startsDaemon = false,
  ...options
}: DaemonRefOptions): DaemonRef {
  const inbox = openInbox(options.env ?? process.env, { wakes: startsDaemon });
  const show = options.show && oneAtATime(options.show);
  const busy = new Set<Promise<unknown>>();

  /** Undefined: there is no inbox now, but a dialog here. */
  async function create({ questions, answers }: AskUserQuestionArgs): Promise<string | undefined> {
    const timeout = timeoutMs === undefined ? {} : { timeout: { ms: timeoutMs } };
    // Nothing else that a model wrote: the inbox takes deadlines and origins too.
    const body = { questions, answers, origin: await originOf(options), ...timeout };
    try {
      return await inbox.create(body, show ? 0 : RESTART_MS);
    } catch (error) {
      if (!isAway(error)) throw error;
      if (show) return undefined;
      throw new AskUserQuestionError("invalid", `${NOT_READY}: ${(error as Error).message}`);
    }
  }

  async function wait(id: string, asked: DialogQuestions, signal: AbortSignal): Promise<LosslessAnswer[]> {
    if (show) return race({ ...asked, id, inbox, show, told, signal });
    const { outcome } = await inbox.outcome(id, signal);
    return collectOutcome(asked.questions, outcome);
  }

  async function ask(args: AskUserQuestionArgs, signal: AbortSignal): Promise<{ lossless: LosslessAnswer[] }> {
    const asked = questionsOf(args);
    if (signal.aborted) throw aborted();
    const created = create(args);
    try {
      const id = await unlessAborted(created, signal);
      if (id !== undefined) return { lossless: await wait(id, asked, signal) };
      return { lossless: collect(asked.questions, await (show as ShowDialog)({ ...asked, signal })) };
    } catch (error) {
      const isEnd = error instanceof AskUserQuestionError;
      if (signal.aborted || !isEnd) takeBack(created);
      throw isEnd ? error : signal.aborted ? aborted() : new AskUserQuestionError("invalid", (error as Error).message);
    }
  }

  function takeBack(created: Promise<string | undefined>): void {
    note(created.then((id) => (id === undefined ? undefined : inbox.withdraw(id)))).catch(() => undefined);
  }

  function note<T>(work: Promise<T>): Promise<T> {
    const ended: Promise<unknown> = work.catch(() => undefined).finally(() => busy.delete(ended));
    busy.add(ended);
    return work;
  }

  return {
    handlesAbort: true,
    current: (args, signal = new AbortController().signal) => note(ask(args, signal)),
    async idle() {
      while (busy.size > 0) await Promise.all(busy);
    },
  };
}
