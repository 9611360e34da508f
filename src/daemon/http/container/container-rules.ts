import { join } from "node:path";
import { agentNamed } from "../../../agents/agents.ts";
import { ParleyError } from "../../../core/error.ts";
import type { Holds } from "../../../delivery/holds.ts";
import type { Container } from "../../../machine/process/containers.ts";
import { NOBODY } from "../../../inbox/callers.ts";
import type { Log } from "../../../machine/log.ts";
import type { ProcessName } from "../../../machine/process/process.ts";
import { realPath } from "../../../machine/file/real-path.ts";
import type { EndpointName } from "../../../protocol/contract.ts";
import type { HookAck, HookCall, HookRelease } from "../../../protocol/hook.ts";
import { isWithin } from "../../../runner/sandbox/mount.ts";
import type { Store } from "../../../store/store.ts";
import type { Rules } from "./inside.ts";
import type { Incoming } from "../routes/route.ts";

type Deps = {
  store: Store;
  holds: Holds;
  now: () => number;
  log: Log;
  processHere: (pid: number, started: string) => ProcessName | undefined;
};
const NOT_ITS_OWN = "From a container Parley takes hooks and questions of its own sessions, nothing else";
const refused = () => new ParleyError("forbidden", NOT_ITS_OWN);

/**
 * What the door of a container takes. Its processes and files have other names than here: a process is found by what the
 * kernel says of it, a path is looked at where the person said that the container shares it, and else not at all.
 */
export function createContainerRules({ store, holds, now, log, processHere }: Deps) {
  return (find: () => Container): Rules => {
    const { name } = find();
    const nameOf = (call: string) => `${name} ${call}`.slice(0, 200);

    async function isOwn(id: string): Promise<boolean> {
      return (await store.ask(id))?.origin.container === name;
    }

    /** One that was seen outside, or in another container, is not this one's to speak for. */
    async function refuseOther(id: string): Promise<void> {
      const known = await store.session(id);
      if (!known || known.container === name) return;
      log("warn", "a container speaks for a session that is none of its own", { container: name, session: id });
      throw refused();
    }

    async function called(body: HookCall): Promise<HookCall> {
      const agent = agentNamed(body.agent);
      if (!agent?.hooks?.isForContainers) throw refused();
      const reading = agent.hooks.read(body.payload);
      if (reading) await refuseOther(reading.session.id);
      const { cwd, transcript } = reading?.session ?? {};
      const here = { cwd: placeOf(cwd), transcript: placeOf(transcript) };
      const payload = Object.entries(body.payload).flatMap(([field, value]) => {
        if (value !== undefined && value === transcript) return here.transcript ? [[field, here.transcript]] : [];
        if (value !== undefined && value === cwd) return here.cwd ? [[field, here.cwd]] : [];
        return [[field, value]];
      });
      const { pid, started } = body.facts;
      const agentHere = pid !== undefined && started !== undefined ? processHere(pid, started) : undefined;
      return {
        agent: body.agent,
        call: nameOf(body.call),
        calledAt: Math.min(body.calledAt ?? now(), now()),
        waits: body.waits,
        payload: Object.fromEntries(payload),
        ...(body.mustAsk && { mustAsk: true }),
        ...(body.patient && { patient: true }),
        facts: {
          marked: true,
          container: name,
          ...(cwd !== undefined && { folder: cwd }),
          ...(agentHere && { pid: agentHere.pid }),
        },
      };
    }

    /** Where a path in a folder that it shares is here; a link out of that leads nowhere. */
    function placeOf(path: string | undefined): string | undefined {
      for (const { here, inside } of path === undefined ? [] : find().folders) {
        if (path === undefined || !isWithin(path, inside)) continue;
        const place = join(here, path.slice(inside.length));
        const [real, folder] = [realPath(place), realPath(here)];
        if (real !== undefined && folder !== undefined && isWithin(real, folder)) return place;
      }
      return undefined;
    }

    return {
      // Who is a person in there is found out in there; nothing that only a person may do is taken anyway.
      caller: async () => NOBODY,
      async checked<N extends EndpointName>(endpoint: N, input: Incoming<N>): Promise<Incoming<N>> {
        if (endpoint === "hookCall") return { ...input, body: await called(input.body as HookCall) } as Incoming<N>;
        if (endpoint === "hookAck" || endpoint === "hookRelease") {
          const body = input.body as HookAck | HookRelease;
          const call = nameOf(body.call);
          const named = [...(body.handed ?? []).map(({ ask }) => ask), ...[holds.get(call)?.ask ?? []].flat()];
          for (const ask of named) if (!(await isOwn(ask))) throw refused();
          return { ...input, body: { ...body, call } } as Incoming<N>;
        }
        if (endpoint === "createAsk") {
          const { agent, cwd } = (input.body as { origin?: { agent?: string; cwd?: string } }).origin ?? {};
          const place = placeOf(cwd);
          const origin = { agent: (agent ?? "script").slice(0, 40), container: name, ...(place && { cwd: place }) };
          return { ...input, body: { ...(input.body as object), origin } } as Incoming<N>;
        }
        if (endpoint !== "health" && endpoint !== "caller" && !(await isOwn(input.id))) throw refused();
        return input;
      },
    };
  };
}
