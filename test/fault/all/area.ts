import type { Random } from "../power/disk.ts";

/** What one round of an area came to. `kills`: by victim. */
export type Round = {
  kills: Record<string, number>;
  asks: number;
  answers: number;
  lost: string[];
  doubled: string[];
  untrue: string[];
  unseen: string[];
};
export type Area = { name: string; play(random: Random, seed: number, command?: string[]): Promise<Round> };

export const nothing = (): Round => ({
  kills: {},
  asks: 0,
  answers: 0,
  lost: [],
  doubled: [],
  untrue: [],
  unseen: [],
});
export const killed = (round: Round, victim: string): void =>
  void (round.kills[victim] = (round.kills[victim] ?? 0) + 1);
