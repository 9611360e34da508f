import { join } from "node:path";
import { agentNamed } from "../../../agents/agents.ts";
import type { SessionFacts } from "../../../agents/capability/reading.ts";
import { ParleyError } from "../../../core/error.ts";
import type { Ask } from "../../../core/ask/ask.ts";
import type { Task } from "../../../core/task/task.ts";
import type { Holds } from "../../../delivery/holds.ts";
import type { Caller } from "../../../inbox/callers.ts";
import type { EndpointName } from "../../../protocol/contract.ts";
import type { HookAck, HookCall, HookRelease } from "../../../protocol/hook.ts";
import { realPath } from "../../../machine/file/real-path.ts";
import { agentOf, pathOfRun, planOf, runFolder } from "../../../runner/run/run-folder.ts";
import { isWithin } from "../../../runner/sandbox/mount.ts";
import type { Store } from "../../../store/store.ts";
import type { Incoming } from "../routes/route.ts";

/** All that is taken from inside a task's sandbox or a container, whatever token comes with it. */
const TAKEN: ReadonlySet<EndpointName> = new Set<EndpointName>([
  "health",
  "caller",
  "hookCall",
  "hookAck",
  "hookRelease",
  "createAsk",
  "receiveAnswer",
  "withdrawAsk",
]);
export const NOT_FROM_INSIDE = "From inside a sandbox Parley takes hooks and questions of that task, nothing else";
export const isTakenInside = (name: EndpointName): boolean => TAKEN.has(name);
const refused = () => new ParleyError("forbidden", NOT_FROM_INSIDE);

type Deps = { store: Store; holds: Holds; home: string; now: () => number };
export type InsideRules = ReturnType<typeof createInsideRules>;
/** What one door takes. `checked` throws what its caller is told, or answers the request as it may be. */
export type Rules = {
  caller(): Promise<Caller>;
  checked<N extends EndpointName>(name: N, input: Incoming<N>): Promise<Incoming<N>>;
};

/**
 * What the socket in a task's sandbox takes. Whoever speaks there may be the agent itself and say what it likes: so it is
 * about that task's own session alone, and nothing it says of processes, files or other tasks is believed.
 */
export function createInsideRules({ store, holds, home, now }: Deps) {
  async function taskOf(id: string): Promise<Task & { session: string }> {
    const task = await store.task(id);
    if (task?.session === undefined || !task.order.sandbox) throw refused();
    return { ...task, session: task.session };
  }

  async function isOwn(id: string, { session }: Task): Promise<boolean> {
    const ask: Ask | undefined = await store.ask(id);
    return (
      ask !== undefined && ask.origin.sandbox === true && [ask.origin.session, ask.origin.inside].includes(session)
    );
  }

  /** Its own process here, whatever numbers processes have in there; where its record is here. */
  function called(body: HookCall, task: Task & { session: string }): HookCall {
    const agent = agentNamed(task.order.agent);
    if (body.agent !== task.order.agent || !agent?.headless?.sandbox) throw refused();
    const reading = agent.hooks?.read(body.payload);
    if (reading && reading.session.id !== task.session) throw refused();
    const process = agentOf(runFolder(pathOfRun(home, task.id, task.run)));
    return {
      agent: body.agent,
      call: `${task.id} ${body.call}`.slice(0, 200),
      calledAt: Math.min(body.calledAt ?? now(), now()),
      waits: body.waits,
      payload: reading ? outside(body.payload, reading.session, task) : body.payload,
      ...(body.mustAsk && { mustAsk: true }),
      facts: { marked: true, task: task.id, sandbox: true, ...(process && { pid: process.pid }) },
    };
  }

  /** Its record lies elsewhere here, its folder at the same place; whatever else it names as those is not looked at. */
  function outside(payload: HookCall["payload"], { transcript, cwd }: SessionFacts, task: Task): HookCall["payload"] {
    const { order, workdir } = task;
    const roots = [order.cwd, ...(workdir ? [workdir.root] : [])];
    const record = transcript === undefined ? undefined : placeOf(transcript, task);
    return Object.fromEntries(
      Object.entries(payload).flatMap(([name, value]) => {
        if (typeof value !== "string") return [[name, value]];
        if (value === transcript) return record === undefined ? [] : [[name, record]];
        if (value === cwd && !roots.some((root) => isWithin(value, root))) return [[name, workdir?.path ?? order.cwd]];
        return [[name, value]];
      }),
    );
  }

  /** Where a path in one of the agent's own folders is outside; a link out of it leads nowhere. */
  function placeOf(path: string, { id, run }: Task): string | undefined {
    const plan = planOf(runFolder(pathOfRun(home, id, run)))?.sandbox;
    for (const [i, { path: at }] of (plan?.needs.own ?? []).entries()) {
      const from = plan?.own[i] ?? "";
      const place = join(from, path.slice(at.length));
      const [real, folder] = [realPath(place), realPath(from)];
      if (isWithin(path, at) && real !== undefined && folder !== undefined && isWithin(real, folder)) return place;
    }
    return undefined;
  }

  return (id: string): Rules => ({
    async caller(): Promise<Caller> {
      const { session } = await taskOf(id);
      return { sessions: [session], environment: async () => ({}) };
    },
    /** About this task alone. */
    async checked<N extends EndpointName>(name: N, input: Incoming<N>): Promise<Incoming<N>> {
      const task = await taskOf(id);
      if (name === "hookCall") return { ...input, body: called(input.body as HookCall, task) } as Incoming<N>;
      if (name === "hookAck" || name === "hookRelease") {
        const body = input.body as HookAck | HookRelease;
        const call = `${task.id} ${body.call}`.slice(0, 200);
        const held = holds.get(call)?.ask;
        const named = [...(body.handed ?? []).map(({ ask }) => ask), ...(held === undefined ? [] : [held])];
        for (const ask of named) if (!(await isOwn(ask, task))) throw refused();
        return { ...input, body: { ...body, call } } as Incoming<N>;
      }
      if (name === "createAsk") {
        const { agent } = (input.body as { origin?: { agent?: string } }).origin ?? {};
        const { cwd } = task.order;
        const origin = { agent: (agent ?? "script").slice(0, 40), sandbox: true, cwd: task.workdir?.path ?? cwd };
        return { ...input, body: { ...(input.body as object), origin } } as Incoming<N>;
      }
      if (name !== "health" && name !== "caller" && !(await isOwn(input.id, task))) throw refused();
      return input;
    },
  });
}
