import { createCrowd } from "./crowd.ts";
import { createRandom, type Hurt } from "./hurts.ts";
import type { Ledger } from "./ledger.ts";
import { createStriker } from "./strike.ts";
import { examine, type Findings, gather } from "./truth.ts";
import { openWorld, type Size } from "./world.ts";

export type Plan = Size & {
  postgres: boolean;
  hubCommand?: readonly string[];
  seed: number;
  kills: number;
  until: number;
  /** Between two questions of one agent, at most. */
  pauseMs: number;
  progress: (line: string) => void;
  /** Only these. */
  hurts?: readonly Hurt[];
  /** At the end everything must come to rest by itself; so long is waited for what is not there yet. */
  restMs?: number;
};
export type Ran = {
  findings: Findings;
  ledger: Ledger;
  kills: Record<string, number>;
  recovery: Map<Hurt, number[]>;
};
const REST_MS = 180_000;

/** Plays one run: a world of its own, hurt until it was killed often enough; then all comes to rest, and is compared. */
export async function playHub(plan: Plan): Promise<Ran> {
  const random = createRandom(plan.seed);
  const world = await openWorld(plan);
  const kills: Record<string, number> = {};
  const recovery = new Map<Hurt, number[]>();
  try {
    const crowd = createCrowd(world, random, plan);
    const striker = createStriker(world, crowd, random, plan.hurts);
    for (let total = 0; total < plan.kills && performance.now() < plan.until;) {
      const struck = await striker.next();
      for (const [what, n] of Object.entries(struck.kills)) kills[what] = (kills[what] ?? 0) + n;
      recovery.set(struck.hurt, [...(recovery.get(struck.hurt) ?? []), struck.ms]);
      total = killsIn(kills);
      const { asked, said } = crowd.ledger;
      plan.progress(
        `${total} kills, ${asked.length} asks, ${said.length} answers; ${struck.hurt}: again after ${Math.round(struck.ms)} ms`,
      );
    }
    const { ledger } = crowd;
    await within(REST_MS, crowd.end(), async () => {
      const left = ledger.asked.filter(({ received }) => received === undefined).map(({ id }) => id);
      const { intents, copies } = await gather(world, ledger);
      const about = <T>(rows: readonly T[], id: (row: T) => string) => rows.filter((row) => left.includes(id(row)));
      const state = { copies: about(copies, ({ id }) => id), intents: about(intents, ({ ask }) => ask) };
      return `${crowd.waiting()} agents still wait for ${left.join(" ")}: ${JSON.stringify(state)}`;
    });
    // The copy in the hub follows; what is still wrong when nothing more comes is wrong.
    let findings = examine(await gather(world, ledger));
    for (const until = performance.now() + (plan.restMs ?? REST_MS); isWrong(findings) && performance.now() < until;) {
      await Bun.sleep(500);
      findings = examine(await gather(world, ledger));
    }
    if (ledger.broken.length > 0) throw new Error(ledger.broken.join("\n"));
    return { findings, ledger, kills, recovery };
  } finally {
    await world.close();
  }
}

export const isWrong = ({ lost, doubled, untrue }: Findings): boolean =>
  lost.length + doubled.length + untrue.length > 0;

export const killsIn = (kills: Record<string, number>): number =>
  Object.entries(kills).reduce((sum, [what, n]) => sum + (what.startsWith("SIGSTOP") ? 0 : n), 0);

async function within<T>(ms: number, work: Promise<T>, words: () => Promise<string>): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    const tell = async () => reject(new Error(`not at rest after ${ms / 1000} s: ${await words().catch(String)}`));
    timer = setTimeout(() => void tell(), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
