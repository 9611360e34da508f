import { existsSync } from "node:fs";
import type { HookReading } from "../../agents/capability/reading.ts";
import { isOver } from "../../core/task/task-state.ts";
import { askTitle } from "../../core/ask/title.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { ParleyError } from "../../core/error.ts";
import { type EndReason, endOf, type Grant, type GrantEvent } from "../../core/grant/grant.ts";
import type { Place } from "../../core/grant/match.ts";
import { allowedBy } from "../../core/words/grant-words.ts";
import { isAllowed } from "../../core/receipt/send.ts";
import type { Log } from "../../machine/log.ts";
import { realTopOf } from "../../machine/git/project-top.ts";
import { realPath } from "../../machine/file/real-path.ts";
import type { Store } from "../../store/store.ts";
import type { MustAsk } from "./must-ask.ts";
import type { Clock, Decided } from "../inbox.ts";

type Asked = HookReading & { type: "asked" };
type Deps = { store: Store; now: Clock; log: Log; mustAsk?: MustAsk };
type Grammar = Awaited<ReturnType<typeof grammar>>;
const MOST_KNOWN = 1000;
export type Grants = ReturnType<typeof createGrants>;

/** The shell's grammar is loaded when there is a grant to compare with, not before. */
export const grammar = () => import("../../core/grant/match.ts");
/** For one decision: each path is looked up once, with however many grants it is compared. */
export function placeAt(cwd: string): Place {
  const known = new Map<string, string | undefined>();
  const real = (path: string) => {
    if (!known.has(path)) known.set(path, realPath(path));
    return known.get(path);
  };
  return { cwd, real };
}

/** A command runs where it ran; files lie below the project. Undefined: that is no more. */
export async function folderFor({ type }: ToolCall, cwd: string): Promise<string | undefined> {
  const real = realPath((type === "command" ? undefined : await realTopOf(cwd)) ?? cwd);
  return real !== undefined && existsSync(real) ? real : undefined;
}

/** The last plan of this session was accepted. */
export async function planAccepted(store: Store, session: string): Promise<boolean> {
  const plans = await store.list({ session, kind: "plan", order: "newest", limit: 1 });
  return plans.some((plan) => isAllowed(plan));
}

/** What people allowed in advance: found by the calls it matches, counted, and ended when its time has come. */
export function createGrants({ store, now, log, mustAsk }: Deps) {
  /** Read again after anything happened to one of them. */
  let live: Promise<Grant[]> | undefined;
  const liveGrants = () => (live ??= store.grants({ live: true, limit: 500 }));
  /** By what they say: each use makes a new version of a grant, and none of them another pattern. */
  const known = new Map<string, ReturnType<Grammar["readGrant"]>>();

  async function reader(): Promise<Grammar["readGrant"]> {
    const { readGrant } = await grammar();
    return ({ pattern, folder }) => {
      const name = JSON.stringify([pattern.type, pattern.text, folder]);
      const read = known.get(name) ?? readGrant({ pattern, folder });
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(name, read);
      return read;
    };
  }

  const leave = store.onCommit((events) => {
    if (events.some(({ type }) => type.startsWith("grant."))) live = undefined;
    const sessions = events.flatMap(({ type, session, data }) => (session && endsPlan(type, data) ? [session] : []));
    const isTask = events.some(({ type }) => type.startsWith("task."));
    if (sessions.length === 0 && !isTask) return;
    void endThose(sessions).catch((error: unknown) => log("error", "a grant did not end", { error: String(error) }));
  });

  /** The grant that allows a call, and what follows from it. Undefined: it is asked about. */
  async function decide(asked: Asked, task: string | undefined): Promise<Decided | undefined> {
    const { call, kind, session, questions } = asked;
    const pick = onceOption(questions);
    if (!call || kind !== "approval" || session.cwd === undefined || pick < 0) return undefined;
    const grants = await liveGrants();
    if (grants.length === 0) return undefined;
    const readGrant = await reader();
    const place = placeAt(session.cwd);
    const fits = (grant: Grant) => {
      const { end } = grant;
      if (endOf(grant, now()) !== undefined) return false;
      if (end.task !== undefined && end.task !== task) return false;
      if (end.plan !== undefined && end.plan !== session.id) return false;
      if (end.turn !== undefined && end.turn !== asked.turn) return false;
      // The clock was set back.
      if (now() < grant.givenAt) return false;
      const read = readGrant(grant);
      return "pattern" in read && read.pattern(call, place);
    };
    const grant = grants.find(fits);
    // Whatever was granted, this is asked about.
    if (grant && (await mustAsk?.patternFor(asked)) !== undefined) return undefined;
    return grant && allowed(grant, questions, pick);
  }

  function allowed(grant: Grant, questions: Question[], pick: number): Decided {
    const { id, version, used, end } = grant;
    const actor = { type: "rule", surface: "grant", name: `grant ${id.slice(0, 6)}` } as const;
    const outcome: Outcome = {
      type: "answered",
      actor,
      at: now(),
      answers: questions.map(() => ({ picks: [pick] })),
      reason: allowedBy(grant),
      grant: id,
    };
    const title = askTitle({ kind: "approval", questions });
    const isLast = end.calls !== undefined && used + 1 >= end.calls;
    const events = (ask: string): GrantEvent[] => [
      { type: "grant.used", grant: id, ask, title },
      ...(isLast ? [{ type: "grant.ended", grant: id, reason: "calls" } as const] : []),
    ];
    return { outcome, grant: { id, expected: version, events } };
  }

  /** Decides on the newest version; ends by itself what has to. */
  async function change(id: string, decideOn: (grant: Grant) => GrantEvent[]): Promise<Grant> {
    for (;;) {
      const grant = await store.grant(id);
      if (!grant) throw new ParleyError("not_found", `No grant "${id}". See: parley grants`);
      const events = decideOn(grant);
      if (events.length === 0) return grant;
      const result = await store.append({ at: now(), grant: { id, expected: grant.version, events } });
      if (result.type === "done" && result.grant) return result.grant;
    }
  }

  const end = (id: string, reason: EndReason) =>
    change(id, ({ state }) => (state === "live" ? [{ type: "grant.ended", grant: id, reason }] : []));

  async function endThose(sessions: readonly string[]): Promise<void> {
    for (const {
      id,
      end: { plan, task },
    } of await liveGrants()) {
      if (plan !== undefined && sessions.includes(plan)) await end(id, "plan");
      if (task !== undefined && (await isTaskOver(task))) await end(id, "task");
    }
  }

  async function isTaskOver(id: string): Promise<boolean> {
    const task = await store.task(id);
    return !task || isOver(task);
  }

  return {
    decide,
    change,
    /** Those that count now, each of them read. */
    async ready(): Promise<Grant[]> {
      const grants = await liveGrants();
      if (grants.length === 0) return grants;
      const readGrant = await reader();
      for (const grant of grants) readGrant(grant);
      return grants;
    },
    /** What ended while nobody looked: by time, and what a daemon that was killed did not write down. */
    async sweep(): Promise<void> {
      for (const grant of await liveGrants()) {
        const reason = endOf(grant, now());
        if (reason !== undefined && reason !== "revoked") await end(grant.id, reason);
        const { plan } = grant.end;
        const session = plan === undefined ? undefined : await store.session(plan);
        if (session && (session.endedAt !== undefined || session.idle)) await end(grant.id, "plan");
      }
      await endThose([]);
    },
    stop: leave,
  };
}

/** Its turn is over, its session is, or it comes with another plan. */
function endsPlan(type: string, data: Record<string, unknown>): boolean {
  return type === "session.idle" || type === "session.ended" || (type === "ask.captured" && data["kind"] === "plan");
}

/** To allow it once is always offered, and first. */
export const onceOption = ([question]: readonly Question[]): number =>
  question?.options.findIndex(({ effect }) => effect === "allow") ?? -1;

/** In a store that nobody else sees: a grant for a call that is only played. */
export async function giveForRehearsal(
  store: Store,
  { command, folder, calls, at }: { command: string; folder: string; calls: number; at: number },
): Promise<void> {
  const id = "rehearsal";
  const pattern = { type: "command", text: command } as const;
  const by = { type: "system", surface: id } as const;
  const given = { type: "grant.given", grant: id, pattern, folder, end: { calls }, by } as const;
  await store.append({ at, grant: { id, expected: 0, events: [given] } });
}
