import type { Agent } from "../../agents/agent.ts";
import type { RemoteRequest } from "../../agents/capability/remote.ts";
import type { Log } from "../../machine/log.ts";
import type { ProcessName } from "../../machine/process/process.ts";
import type { Remote } from "./remote.ts";
import { untilWritten } from "./until-written.ts";

type Run = {
  agent: Agent;
  task: string;
  ready(): Promise<void>;
  process(): ProcessName | undefined;
  say(request: RemoteRequest): void;
};
/** An agent at work for days asks often, and what is over need not be known. */
const MANY = 200;
type Item = { event: unknown; call?: unknown };

/**
 * Tasks whose agent is talked to: what its run has printed is what a connection would have said. It is read from its
 * beginning by every daemon, so nothing is asked that has been answered meanwhile.
 */
export function createRunTalks({ remote, log }: { remote: Remote; log: Log }) {
  return function open({ agent, task, ready, process, say }: Run) {
    /** All of it: what is asked late, after a full disk, may be over by then. */
    let all: Item[] = [];
    let link: { id: string } | undefined;
    let turn = Promise.resolve();

    const failed = (error: unknown) =>
      log("warn", "what a task's agent said could not be taken", { agent: agent.name, task, error: String(error) });
    const next = (step: () => Promise<void>) => void (turn = turn.then(step).catch(failed));
    const isOver = () => link !== undefined && !remote.isKnown(link.id);

    async function begin(): Promise<void> {
      const pid = process()?.pid;
      if (link || all.length === 0) return;
      await ready();
      const known = Promise.withResolvers<string>();
      const hello = { agent: agent.name, ...(pid !== undefined && { pid }), facts: {} };
      link = await remote.open(
        hello,
        ({ id, ...request }) => {
          const isAnswer = request.method !== "GET";
          if (isAnswer) say(request);
          const reply = isAnswer ? { id, status: 202, body: null } : { id, status: 200, body: stillOpen(agent, all) };
          void known.promise.then((name) => remote.replies(name, { replies: [reply] })).catch(() => undefined);
          return true;
        },
        { task },
      );
      known.resolve(link.id);
    }

    return {
      heard: (event: unknown) =>
        next(async () => {
          const item = { event, call: await agent.remote?.socket?.callOf(event) };
          all.push(item);
          if (all.length > MANY) all = stillOpen(agent, all);
          const { id } = link ?? {};
          if (id !== undefined) await untilWritten(() => remote.events(id, { events: [item] }), { isOver, failed });
        }),
      /** Only then is it known what is still open. */
      caughtUp: () => next(begin),
      async close(): Promise<void> {
        await turn;
        if (link) await remote.close(link.id);
      },
    };
  };
}

function stillOpen({ remote }: Agent, items: readonly Item[]): Item[] {
  const readings = items.map((item) => ({ item, all: remote?.read(item.event, item.call) ?? [] }));
  const over = new Set(
    readings.flatMap(({ all }) => all.flatMap((one) => (one.type === "settled" ? one.request : []))),
  );
  const isOpen = (one: (typeof readings)[number]["all"][number]) =>
    one.type !== "settled" && !("request" in one && over.has(one.request));
  return readings.filter(({ all }) => all.every(isOpen)).map(({ item }) => item);
}
