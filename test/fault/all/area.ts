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
/** `command`: the program to play with, where it is wrong on purpose; it must be found out. `isSmall`: a few questions will do. */
export type Playing = { command?: readonly string[]; isSmall?: boolean };
/** `share`: of all kills. */
export type Area = {
  name: string;
  share: number;
  play(random: Random, seed: number, playing?: Playing): Promise<Round>;
};

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
/** What is wrong is told; it is no use to go on. */
export const isWrong = ({ lost, doubled, untrue }: Round): boolean => lost.length + doubled.length + untrue.length > 0;
/** As it is right after somebody was told that it is so: nothing then has lost it. */
export const lostBy =
  (round: Round) =>
  (error: unknown): undefined =>
    void round.lost.push(error instanceof Error ? error.message : String(error));
