import { existsSync, statSync } from "node:fs";
import { agentNamed } from "../../agents/agents.ts";
import type { Ask, Delivery } from "../../core/ask/ask.ts";
import { decisionToSend, keptMark } from "../../core/receipt/send.ts";
import type { RunStart } from "../../core/task/run-start.ts";
import { inParagraphs, type Task } from "../../core/task/task.ts";
import type { Store } from "../../store/store.ts";
import { answerText } from "./answer-text.ts";
import { GO_ON } from "./escalate.ts";
import { wasTold } from "./was-told.ts";

type Deps = {
  store: Store;
  /** The Ask as the agent's record says it is. */
  reconcile(ask: string): Promise<Ask | undefined>;
};
/** `spent`: of these asks, calls that were allowed once and may have been made already. */
export type Debt = { asks: Ask[]; spent: Set<string>; words: string | undefined };

/** What people said to a task's agent and its own record does not show: it has not heard it, whatever was sent. */
export function createOwed({ store, reconcile }: Deps) {
  async function owed(task: Task, asks: readonly Ask[]): Promise<Debt> {
    // A record that is not there shows nothing: then the word of an agent that ended well is enough.
    const isInDoubt = mayBeUnheard(task) && (!task.end?.ok || (await recordOf(task)) !== undefined);
    const recorded = await asRecorded(asks.filter((each) => !isOwn(each)));
    const misheard = await misheardIn(task, recorded);
    const found = recorded.filter(
      (ask) => ask.state === "settled" || (ask.state === "delivered" && isInDoubt) || misheard.includes(ask),
    );
    const spent = found.filter((ask) => isSpent(task, ask)).map(({ id }) => id);
    return { asks: found, spent: new Set(spent), words: await unheardWords(task) };
  }

  /**
   * As the agent's record says they are. Also what nobody noted as handed over: a daemon that was killed with that word on
   * its way knows nothing of it, and would tell it a second time.
   */
  async function asRecorded(asks: readonly Ask[]): Promise<Ask[]> {
    const isOnItsWay = ({ state }: Ask) => state === "settled" || state === "delivered";
    const found = asks.map(async (ask) => (isOnItsWay(ask) && !isOwn(ask) ? reconcile(ask.id) : ask));
    return (await Promise.all(found)).filter((ask) => ask !== undefined);
  }

  /**
   * Answered and never handed over, while its agent wrote down something else: its hook ended without a word. An unattended
   * agent has nobody who would set it right; that it was told since then stands in its record, and is not told again.
   */
  async function misheardIn(task: Task, asks: readonly Ask[]): Promise<Ask[]> {
    const isMisheard = ({ state, sentAt }: Delivery) => state === "mismatched" && sentAt === undefined;
    const found = asks.filter(({ kind, deliveries }) => kind === "question" && deliveries.some(isMisheard));
    if (found.length === 0) return found;
    const lines = agentNamed(task.order.agent)?.record?.lines;
    const record = await recordOf(task);
    return record && lines ? found.filter((ask) => !wasTold(record, 0, lines, keptMark(ask))) : [];
  }

  async function unheardWords(task: Task): Promise<string | undefined> {
    const { start } = task;
    const words = start?.how === "message" ? (start.words ?? (start.asks ? undefined : start.message)) : undefined;
    if (start?.how !== "message" || words === undefined || words === GO_ON || !mayBeUnheard(task)) return undefined;
    const lines = agentNamed(task.order.agent)?.record?.lines;
    const record = await recordOf(task);
    return record !== undefined && lines && wasTold(record, start.recordSize ?? 0, lines, words) ? undefined : words;
  }

  /**
   * As in a restored backup of the time before it did: an agent that is resumed for such a call waits for words instead. Where a
   * run was resumed for it already, the result is that run's: in words the answer would be told twice.
   */
  async function hasReturned(task: Task, asks: readonly Ask[]): Promise<boolean> {
    if (asks.some((ask) => wasFor(task, ask))) return false;
    const path = await recordOf(task);
    const record = path === undefined ? undefined : agentNamed(task.order.agent)?.record?.open(path);
    await record?.refresh();
    return asks.some(({ deliveries }) => deliveries.some(({ key }) => (record?.results(key) ?? 0) > 0));
  }

  async function recordOf({ session }: Task): Promise<string | undefined> {
    const path = session === undefined ? undefined : (await store.session(session))?.transcript;
    return path !== undefined && existsSync(path) ? path : undefined;
  }

  return {
    owed,
    misheardIn,
    asRecorded,
    recordOf,
    /** A start with everything that is owed; words of a person come after the answers, the newest last. */
    async startWith(task: Task, asks: readonly Ask[], words?: string): Promise<RunStart> {
      const { asks: all, spent, words: before } = await owed(task, asks);
      if (words === undefined && before === undefined && isPutOff(task, all) && !(await hasReturned(task, all)))
        return { how: "deferred", asks: all.map(({ id }) => id) };
      const said = words === GO_ON && before !== undefined ? before : inParagraphs(before, words);
      const record = await recordOf(task);
      const given = all.flatMap(({ id }) => (spent.has(id) ? [] : [id]));
      return {
        how: "message",
        message: inParagraphs(all.length > 0 ? answerText(all, spent) : undefined, said) || GO_ON,
        ...(given.length > 0 && { asks: given }),
        ...(said !== "" && { words: said }),
        ...(record !== undefined && { recordSize: statSync(record).size }),
      };
    },
    /** The same for a session that is begun anew: a call that was allowed in the old one is asked for again. */
    async wordsFor(task: Task, asks: readonly Ask[], words?: string): Promise<string> {
      const { asks: all, words: before } = await owed(task, asks);
      const told = all.filter((ask) => !isAllowed(ask));
      return inParagraphs(told.length > 0 ? answerText(told) : undefined, before, words);
    },
  };
}

export const isOwn = ({ deliveries }: Ask) => deliveries.some(({ channel }) => channel === "self");

/** What an agent that ended well did not write down it did not need; unless it was to ask for it again and did not. */
const mayBeUnheard = ({ start, end }: Task): boolean => !end?.ok || end.elsewhere === true || start?.how === "deferred";

const isAllowed = (ask: Ask): boolean =>
  (ask.kind === "approval" || ask.kind === "plan") &&
  ask.outcome !== undefined &&
  decisionToSend(ask, ask.outcome).allow;

/** The agent had the allowance in its hands, and died before it wrote down what came of it. A plan can be accepted twice. */
function isSpent({ used = [] }: Task, ask: Ask): boolean {
  if (ask.kind !== "approval" || !isAllowed(ask)) return false;
  const isHanded = ask.deliveries.some(({ state, channel }) => state === "sent" && channel !== "resume");
  return isHanded || used.some(({ ask: id }) => id === ask.id);
}

/** The agent put off exactly this call and asks for it again by itself; also when the run resumed for it has died. */
function isPutOff({ start, end }: Task, [ask, ...others]: readonly Ask[]): boolean {
  const keys = ask?.deliveries.map(({ key }) => key) ?? [];
  // What it has a wrong answer to has returned.
  if (!end || others.length > 0 || keys.length > 1 || !ask || ask.state === "mismatched") return false;
  return end.deferred === keys[0] || (wasFor({ start }, ask) && !end.ok);
}

const wasFor = ({ start }: Pick<Task, "start">, { id }: Ask): boolean =>
  start?.how === "deferred" && start.asks?.includes(id) === true;
