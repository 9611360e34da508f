import type { Crowd } from "./crowd.ts";
import { type Hurt, nextHurt, type Random } from "./hurts.ts";
import type { HubOf, Machine, World } from "./world.ts";

/** `kills`: signals that end a process; `ms`: until all that was hurt worked again. */
export type Struck = { hurt: Hurt; kills: Record<string, number>; ms: number };

/** Hurts the world again and again. Contract: `next` resolves when what it hurt has recovered; nothing stays hurt after `end`. */
export function createStriker(world: World, crowd: Crowd, random: Random, hurts?: readonly Hurt[]) {
  const { hubs, machines, databases } = world;
  const later: Promise<void>[] = [];
  /** A standby that is being made: until it follows, a lost primary would take something acknowledged with it. */
  let isAlone = false;
  let last: Hurt | undefined;

  const pause = (mostMs: number) => Bun.sleep(random.next() * mostMs);
  const upHubs = () => hubs.filter(({ isUp }) => isUp);
  const awake = () => machines.filter(({ isAsleep, isDown }) => !isAsleep && !isDown);
  const linkedTo = ({ port }: HubOf) => awake().filter(({ wire }) => wire.leadsTo(port));

  async function next(): Promise<Struck> {
    const hurt = (last = nextHurt(random, databases !== undefined, hurts));
    const kills: Record<string, number> = {};
    const count = (what: string) => (kills[what] = (kills[what] ?? 0) + 1);
    const ms = await strike(hurt, count);
    return { hurt, kills, ms };
  }

  /** Contract: how long it took from the blow, or from when a line was there again, until work went on. */
  async function strike(hurt: Hurt, count: (what: string) => void): Promise<number> {
    switch (hurt) {
      case "hub killed":
      case "hub told to end": {
        const hub = random.pick(upHubs());
        return hub ? endHub(hub, hurt === "hub killed" ? "SIGKILL" : "SIGTERM", count) : 0;
      }
      case "hub killed as it acknowledges": {
        const hub = await acknowledging();
        return hub ? endHub(hub, "SIGKILL", count) : 0;
      }
      case "daemons killed": {
        const hit = random.some(awake(), 4);
        await Promise.all(
          hit.map(async (machine) => {
            machine.isDown = true;
            await machine.program.kill9();
            count("SIGKILL daemon");
            await pause(500);
            await machine.program.start();
            machine.isDown = false;
          }),
        );
        return recovered(hit, performance.now(), 0);
      }
      case "daemons asleep": {
        const hit = random.some(awake(), 4);
        hit.forEach(world.sleep);
        hit.forEach(() => count("SIGSTOP daemon"));
        // Mostly a nap; sometimes longer than a silent line is kept.
        await pause(random.chance(0.05) ? 60_000 : 4000);
        hit.forEach(world.wake);
        return recovered(hit, performance.now(), 0);
      }
      case "database killed": {
        const from = performance.now();
        await databases?.killPrimary();
        count("SIGKILL database");
        await pause(800);
        await databases?.startPrimary();
        return recovered([], from, 0);
      }
      case "primary lost": {
        if (!databases || isAlone) return 0;
        const from = performance.now();
        isAlone = true;
        const follow = await databases.failOver();
        count("SIGKILL database");
        const ms = await recovered([], from, 0);
        later.push(
          follow().then(() => {
            isAlone = false;
          }),
        );
        await Promise.all(later.splice(0));
        return ms;
      }
      case "machines cut off": {
        const hit = random.some(awake(), 6);
        return away(
          hit,
          hit.map(({ wire }) => wire),
          4000,
        );
      }
      case "hub cut off from the database": {
        const hub = random.pick(upHubs());
        return away([], hub?.wires ?? [], 4000);
      }
      case "lines cut": {
        const hit = random.some(awake(), 6).filter(({ wire }) => wire.carries());
        const since = Date.now();
        for (const { wire } of hit) wire.cutAll();
        for (const wire of random.some(hubs, 2).flatMap(({ wires }) => wires)) wire.cutAll();
        return recovered(hit, performance.now(), since);
      }
      case "lines held back": {
        const hit = [...random.some(awake(), 6).map(({ wire }) => wire), ...(random.pick(upHubs())?.wires ?? [])];
        hit.forEach((wire) => wire.still(true));
        await pause(4000);
        hit.forEach((wire) => wire.still(false));
        return recovered([], performance.now(), 0);
      }
    }
  }

  async function endHub(hub: HubOf, signal: "SIGKILL" | "SIGTERM", count: (what: string) => void): Promise<number> {
    const [hit, from, since] = [linkedTo(hub), performance.now(), Date.now()];
    await hub.end(signal);
    count(`${signal} hub`);
    const isOnly = upHubs().length === 0;
    await pause(1000);
    const back = hub.start();
    if (isOnly) await back;
    const ms = await recovered(hit, isOnly ? performance.now() : from, since);
    await back;
    return ms;
  }

  function acknowledging(): Promise<HubOf | undefined> {
    const { promise, resolve } = Promise.withResolvers<HubOf | undefined>();
    const leave = crowd.onAcknowledged((port) => {
      const hub = upHubs().find((each) => each.port === port);
      // At once, before anything else in this process has its turn.
      if (hub) hub.isUp = false;
      void hub?.end("SIGKILL");
      leave();
      resolve(hub);
    });
    return promise;
  }

  async function away(hit: readonly Machine[], wires: readonly { refuse(now: boolean): void }[], mostMs: number) {
    const since = Date.now();
    wires.forEach((wire) => wire.refuse(true));
    await pause(mostMs);
    wires.forEach((wire) => wire.refuse(false));
    return recovered(hit, performance.now(), since);
  }

  /** Until these machines are connected again, and an answer given after this moment was acknowledged. */
  async function recovered(hit: readonly Machine[], from: number, since: number): Promise<number> {
    const given = performance.now();
    const isBack = (machine: Machine) => world.isConnected(machine, since).catch(() => false);
    const isSo = async () => crowd.lastGiven() >= given && (await Promise.all(hit.map(isBack))).every(Boolean);
    for (const until = given + STUCK_MS; !(await isSo()); await Bun.sleep(20))
      if (crowd.ledger.broken.length > 0 || performance.now() > until)
        throw new Error(crowd.ledger.broken[0] ?? (await whyStuck(hit, given, since)));
    return performance.now() - from;
  }

  async function whyStuck(hit: readonly Machine[], given: number, since: number): Promise<string> {
    const states = hit.map(({ program }) => program.client().call("hubState").catch(String));
    const facts = {
      hurt: last,
      isAnswered: crowd.lastGiven() >= given,
      hubs: hubs.map(({ port, isUp }) => ({ port, isUp })),
      since,
      machines: await Promise.all(states),
    };
    return `no recovery within ${STUCK_MS / 1000} s: ${JSON.stringify(facts)}`;
  }

  return { next };
}

const STUCK_MS = 300_000;
