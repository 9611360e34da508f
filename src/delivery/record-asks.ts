import type { Agent } from "../agents/agent.ts";
import type { HookReading } from "../agents/capability/reading.ts";
import type { Unanswered } from "../agents/capability/record.ts";
import type { createCapture } from "../inbox/capture.ts";
import type { Context } from "../inbox/context.ts";
import type { Grants } from "../inbox/grant/grants.ts";
import { originOf } from "../inbox/origin.ts";
import type { Projects } from "../inbox/projects.ts";
import type { Log } from "../machine/log.ts";
import type { createSerial } from "../machine/time/serial.ts";
import type { HookCall, HookReply } from "../protocol/hook.ts";
import type { Store } from "../store/store.ts";

type Deps = {
  store: Store;
  grants: Grants;
  context: Context;
  capture: ReturnType<typeof createCapture>;
  serial: ReturnType<typeof createSerial>;
  projectOf: Projects;
  log: Log;
};
type Asked = HookReading & { type: "asked" };
const NOTHING: HookReply = { handed: [] };
/** So long a dialog may be on the screen before it is in the record: a busy machine is late by many seconds. */
const PATIENCE_MS = 60_000;
const LONGEST_PAUSE_MS = 1000;

/** For agents whose hooks run before their dialogs: what is asked stands in their record, with its own id. */
export function createRecordAsks({ store, grants, context, capture, serial, projectOf, log }: Deps) {
  /** By session: the newest hook looks for all of them. */
  const looking = new Map<string, HookCall>();

  /** Not awaited: the agent waits for its hook. */
  function look(agent: Agent, reading: HookReading, hook: HookCall): HookReply {
    const { id } = reading.session;
    looking.set(id, hook);
    void find(agent, reading, hook)
      .catch((error: unknown) =>
        log("warn", "what an agent asks could not be read", { session: id, error: String(error) }),
      )
      .finally(() => looking.get(id) === hook && looking.delete(id));
    return NOTHING;
  }

  async function find(agent: Agent, { session }: HookReading, hook: HookCall): Promise<void> {
    const record = session.transcript === undefined ? undefined : agent.record?.open(session.transcript);
    if (!record) return;
    const takeNew = async () => {
      await record.refresh();
      const open = record.unanswered();
      const known = await store.list({ session: session.id, order: "newest", limit: 20 });
      const isKnown = ({ key }: Unanswered) => known.some(({ deliveries }) => deliveries.some((d) => d.key === key));
      const found = open.filter((each) => !isKnown(each));
      for (const each of found) await take(agent, session, each, hook);
      return found.length > 0;
    };
    const until = performance.now() + PATIENCE_MS;
    for (let pause = 10; looking.get(session.id) === hook; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      // Between two looks nothing else of the session is kept waiting.
      if ((await serial(session.id, takeNew)) || performance.now() > until) return;
      await Bun.sleep(pause);
    }
  }

  async function take(agent: Agent, session: Asked["session"], found: Unanswered, hook: HookCall): Promise<void> {
    const { key, questions, kind = "question", match, call, isTerminalOnly = false } = found;
    const channel = hook.facts.pane !== undefined && !isTerminalOnly ? "keys" : "none";
    const about = { ...(kind !== "question" && match !== undefined && { match }), ...(call && { call }) };
    const reading: Asked = { type: "asked", session, kind, questions, key, ...about, dialogOpen: true, channel };
    const origin = async () => ({
      ...(await originOf(agent, reading, hook.facts, projectOf)),
      ...(await context.titles.known(session.id, hook.facts.task)),
    });
    const { ask } = await capture(reading, hook, origin);
    void context
      .addTo(ask, agent, reading)
      .catch((error: unknown) =>
        log("warn", "what led to a question could not be read", { ask: ask.id, error: String(error) }),
      );
  }

  /** Before a call that may need no leave: silent, unless a person has granted it. */
  async function granted(agent: Agent, reading: Asked, hook: HookCall): Promise<HookReply> {
    return serial(reading.session.id, async () => {
      const { task } = hook.facts;
      if (!(await grants.decide(reading, task))) return NOTHING;
      const origin = () => originOf(agent, reading, hook.facts, projectOf);
      const { ask, delivery } = await capture(reading, hook, origin, () => grants.decide(reading, task));
      const isGranted = ask.outcome?.grant !== undefined && delivery.state === "waiting";
      const output =
        isGranted && ask.outcome ? agent.hooks?.reply(hook.payload, ask, ask.outcome, undefined) : undefined;
      return output === undefined ? NOTHING : { output, handed: [{ ask: ask.id, key: delivery.key, channel: "hold" }] };
    });
  }

  return { look, granted };
}
