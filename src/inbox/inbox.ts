import { createHash } from "node:crypto";
import { titleOf } from "../agents/agents.ts";
import { askTitle } from "../core/ask/title.ts";
import { type ChannelName, isForKeys } from "../core/ask/channel.ts";
import type { Editable } from "../core/ask/edit-schema.ts";
import type { Answer } from "../core/ask/answer/answer.ts";
import type { Ask, Deadline, Kind, Origin } from "../core/ask/ask.ts";
import { ParleyError } from "../core/error.ts";
import type { AskEvent } from "../core/ask/event.ts";
import { makeId } from "../core/id.ts";
import type { Actor, Outcome } from "../core/ask/outcome.ts";
import type { Question } from "../core/ask/question.ts";
import { mismatchesOf } from "../core/receipt/mismatch.ts";
import { withPlace } from "../core/words/sandbox-words.ts";
import { sentence } from "../core/words/outcome/sentence.ts";
import { settle, type Settlement } from "../core/ask/settle.ts";
import type { ToolCall } from "../core/ask/tool-call.ts";
import type { Grant, GrantEvent } from "../core/grant/grant.ts";
import type { Task, TaskEvent } from "../core/task/task.ts";
import type { AskView } from "../protocol/view.ts";
import { createAskers, TAKEN } from "./answer-waiters.ts";
import { createSecrets } from "./secrets.ts";
import type { Appended, Store } from "../store/store.ts";

export type Clock = () => number;
export type Captured = {
  kind: Kind;
  questions: Question[];
  origin: Origin;
  key: string;
  channel: ChannelName;
  match?: string;
  call?: ToolCall;
  editable?: Editable;
  deadline?: Deadline;
  prefill?: Answer[];
  assumption?: number;
  raw?: unknown;
};
/** Decided before it was asked, and by which grant: `expected` is the version on which it was. */
export type Decided = {
  outcome: Outcome;
  grant?: { id: string; expected: number; events: (ask: string) => GrantEvent[] };
};
export type Inbox = ReturnType<typeof createInbox>;

/** The one service every surface and every hook goes through. */
export function createInbox({ store, now }: { store: Store; now: Clock }) {
  const secrets = createSecrets(store);
  const askers = createAskers(store);

  /** Decides on the newest version and writes only if nobody was faster; then decides again. */
  async function change(
    id: string,
    decide: (ask: Ask) => AskEvent[],
    once?: { key: string; digest: string },
  ): Promise<Ask> {
    for (;;) {
      const ask = await store.ask(id);
      if (!ask) throw notFound(id);
      const decided = decide(ask);
      if (decided.length === 0) return ask;
      const events = secrets.takeFrom(ask, decided);
      const result = await store.append({
        at: now(),
        ask: { id, expected: ask.version, events },
        ...(once && { once }),
      });
      refuseReused(result, once);
      if (result.type !== "conflict" && result.ask) return result.ask;
    }
  }

  async function create(captured: Captured, once?: { key: string; digest: string }): Promise<Ask> {
    const ask = await write(captured, once ? { once } : {});
    if (!ask) throw new ParleyError("internal", "the new ask was not written");
    return ask;
  }

  /**
   * Contract: what `decide` says is in the same write as the Ask, so nobody ever sees it open; where its grant was changed
   * meanwhile, it is decided again.
   */
  async function createDecided(captured: Captured, decide: () => Promise<Decided | undefined>): Promise<Ask> {
    for (;;) {
      const decided = await decide();
      const ask = await write(captured, { ...(decided && { decided }) });
      if (ask) return ask;
    }
  }

  /** Undefined: somebody was faster with the grant. */
  async function write(
    captured: Captured,
    { once, decided }: { once?: { key: string; digest: string }; decided?: Decided },
  ): Promise<Ask | undefined> {
    const id = makeId(crypto.getRandomValues(new Uint8Array(16)));
    const settled: AskEvent[] = decided ? [{ type: "ask.settled", outcome: decided.outcome }] : [];
    const grant = decided?.grant && { ...decided.grant, events: decided.grant.events(id) };
    const result = await store.append({
      at: now(),
      ask: { id, expected: 0, events: [{ type: "ask.captured", ...captured }, ...settled] },
      ...(grant && { grant }),
      ...(once && { once }),
    });
    refuseReused(result, once);
    return result.type === "conflict" ? undefined : result.ask;
  }

  /** One Ask by its id or a unique prefix of it. */
  async function get(idOrPrefix: string): Promise<Ask> {
    const ask = await store.ask(idOrPrefix);
    if (ask) return ask;
    const [id, ...others] = idOrPrefix === "" ? [] : await store.idsLike(idOrPrefix);
    if (id === undefined) throw notFound(idOrPrefix);
    if (others.length > 0)
      throw new ParleyError("ambiguous", `"${idOrPrefix}" matches several questions: ${[id, ...others].join(", ")}`);
    return (await store.ask(id)) ?? notFoundNow(id);
  }

  async function workOnce(
    key: string,
    request: unknown,
    work: (once?: { key: string; digest: string }) => Promise<Ask>,
  ): Promise<Ask> {
    const digest = createHash("sha256").update(JSON.stringify(request)).digest("hex");
    const before = await store.used(key);
    if (!before) return work({ key, digest });
    refuseReused({ type: "replayed", ...before }, { digest });
    return before.ask;
  }

  return {
    askers,
    change,
    /** A task and the Ask it follows from, in one write. False: somebody was faster with either, and nothing was written. */
    async changeWithTask(
      { task, events }: { task: Task; events: readonly TaskEvent[] },
      own: { ask: Ask; events: readonly AskEvent[] },
    ): Promise<boolean> {
      const { type } = await store.append({
        at: now(),
        task: { id: task.id, expected: task.version, events },
        ask: { id: own.ask.id, expected: own.ask.version, events: own.events },
      });
      return type === "done";
    },
    /** An Ask and the grant given with it, in one write; `decide` sees the newest version. */
    async changeWithGrant(
      id: string,
      decide: (ask: Ask) => Promise<{ events: AskEvent[]; grant: GrantEvent }>,
    ): Promise<{ ask: Ask; grant: Grant }> {
      for (;;) {
        const ask = await store.ask(id);
        if (!ask) throw notFound(id);
        const { events, grant } = await decide(ask);
        const given = { id: grant.grant, expected: 0, events: [grant] };
        const own = events.length > 0 ? { ask: { id, expected: ask.version, events } } : {};
        const result = await store.append({ at: now(), ...own, grant: given });
        if (result.type === "done" && result.grant) return { ask: result.ask ?? ask, grant: result.grant };
      }
    },
    create,
    createDecided,
    get,
    reveal: secrets.reveal,
    /**
     * For whoever asked: the Ask once it has an outcome. Undefined: not within the time, or nobody is there to take it any more,
     * and it stays for the next. A write of its own: whoever waits when an answer is given may be gone when that is on disk.
     */
    async receive(id: string, ms: number, gone: AbortSignal): Promise<Ask | undefined> {
      const settled = await askers.settledWithin(id, ms, gone);
      if (!settled?.outcome || gone.aborted) return undefined;
      return change(id, ({ state }) => (state === "settled" ? [...TAKEN] : []));
    },
    async settle(
      id: string,
      settlement: Settlement,
      actor: Actor,
      once?: { key: string; digest: string },
    ): Promise<Ask> {
      const ask = await get(id);
      return change(ask.id, (current) => [settle(current, settlement, actor, now())], once);
    },
    /** Runs `work` at most once per key; the same key with another request is refused. */
    once(
      key: string | undefined,
      request: unknown,
      work: (once?: { key: string; digest: string }) => Promise<Ask>,
    ): Promise<Ask> {
      return key === undefined ? work() : workOnce(key, request, work);
    },
    view(ask: Ask, reachable: boolean): AskView {
      const agentTitle = withPlace(titleOf(ask.origin.agent), ask.origin);
      const mismatch = ask.state === "mismatched" ? { mismatch: mismatchesOf(ask, agentTitle).join("\n\n") } : {};
      return {
        ...ask,
        questions: withDiff(ask),
        agentTitle,
        title: askTitle(ask),
        sentence: sentence(ask, agentTitle, now()),
        reachable: reachable || isForKeys(ask),
        ...mismatch,
      };
    },
  };
}

/** An edit is shown as what it makes of the file that is there, not as what its agent says of it. */
const withDiff = ({ questions, diff }: Ask): Question[] =>
  diff === undefined ? questions : questions.map((question, i) => (i === 0 ? { ...question, body: diff } : question));

/** Also when both requests came at once, and the store was the one to notice. */
function refuseReused(result: Appended, once: { digest: string } | undefined): void {
  if (result.type === "replayed" && result.digest !== once?.digest)
    throw new ParleyError("idempotency_mismatch", "This idempotency key was used for another request");
}

const notFound = (id: string) => new ParleyError("not_found", `No question "${id}". See: parley ls --all`);
function notFoundNow(id: string): never {
  throw notFound(id);
}
