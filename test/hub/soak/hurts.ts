/** Numbers that are the same for the same seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    chance: (share: number) => next() < share,
    pick: <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)],
    some: <T>(list: readonly T[], most: number): T[] => {
      const left = [...list];
      return Array.from({ length: Math.min(left.length, 1 + Math.floor(next() * most)) }, () =>
        left.splice(Math.floor(next() * left.length), 1),
      ).flat();
    },
  };
}
export type Random = ReturnType<typeof createRandom>;

/** How often each is done, beside the others. */
export const HURTS = {
  "hub killed": 4,
  "hub killed as it acknowledges": 5,
  "hub told to end": 2,
  "daemons killed": 5,
  "daemons asleep": 3,
  "database killed": 2,
  "primary lost": 1,
  "machines cut off": 3,
  "hub cut off from the database": 2,
  "lines cut": 3,
  "lines held back": 2,
} as const;
export type Hurt = keyof typeof HURTS;
const OF_SERVER: ReadonlySet<Hurt> = new Set(["database killed", "primary lost", "hub cut off from the database"]);

export const ALL_HURTS = Object.keys(HURTS) as Hurt[];

export function nextHurt(random: Random, hasServer: boolean, hurts: readonly Hurt[] = ALL_HURTS): Hurt {
  const may = hurts.filter((hurt) => hasServer || !OF_SERVER.has(hurt));
  let left = random.below(may.reduce((sum, hurt) => sum + HURTS[hurt], 0));
  return may.find((hurt) => (left -= HURTS[hurt]) < 0) ?? "hub killed";
}
