import { readRegistration } from "../../../src/machine/home.ts";
import type { Client } from "../../../src/client/client.ts";
import type { LogEvent } from "../../../src/core/ask/event.ts";
import { ParleyError } from "../../../src/core/error.ts";
import { isAlive } from "../../../src/machine/process/process.ts";
import type { Program } from "../../e2e/program.ts";
import { eventually } from "../../patience.ts";
import { killed, type Round } from "./area.ts";

type Struck = Pick<Program, "paths"> & { events: Client["events"] };
/** Who is hit at an event; answers what it was, or nothing when it was gone already. */
export type Victim = (event: LogEvent) => Promise<string | undefined> | string | undefined;

type Striking = { round: Round; signal: AbortSignal; most: number; victim?: Victim };

export function strikeDaemon({ paths }: Pick<Program, "paths">): string | undefined {
  const daemon = readRegistration(paths)?.process;
  if (!daemon || !isAlive(daemon)) return undefined;
  process.kill(daemon.pid, "SIGKILL");
  return "daemon";
}

/** At each event that is wanted, as soon as it is heard, until it was often enough or is over. */
export async function strikeAt(
  struck: Struck,
  wanted: (event: LogEvent) => boolean,
  { round, signal, most, victim = () => strikeDaemon(struck) }: Striking,
): Promise<void> {
  let [last, times] = [0, 0];
  while (!signal.aborted && times < most)
    try {
      for await (const event of struck.events(last, signal)) {
        last = event.seq;
        if (!wanted(event)) continue;
        const hit = await victim(event);
        if (hit === undefined) continue;
        killed(round, hit);
        times++;
        if (hit === "daemon" || times >= most) break;
      }
    } catch {
      // It is away: it comes back with the next one who needs it.
      await Bun.sleep(50);
    }
}

/** By home: several who find nobody there start one, not one each. */
const starting = new Map<string, Promise<void>>();

/** Another process only where there is none: each costs more than what is asked of it. */
export async function isUp(program: Program): Promise<void> {
  const daemon = readRegistration(program.paths)?.process;
  if (daemon && isAlive(daemon)) return;
  const begun =
    starting.get(program.home) ??
    program
      .start()
      .catch(() => undefined)
      .finally(() => starting.delete(program.home));
  starting.set(program.home, begun);
  await begun;
}

/** Through deaths of the daemon: what asks it must be safe to ask again. That something is not there is an answer. */
export async function whenUp<T>(program: Program, work: () => Promise<T>): Promise<T> {
  const reply = await eventually(async () => {
    await isUp(program);
    return work().then(
      (value) => ({ value }),
      (error: unknown) => {
        if (error instanceof ParleyError && error.code === "not_found") return { error };
        throw error;
      },
    );
  });
  if ("error" in reply) throw reply.error;
  return reply.value;
}
