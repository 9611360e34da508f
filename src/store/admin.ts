/** What a backup, or what is kept, holds. `schema`: the number of migrations it has had. */
export type Contents = { bytes: number; asks: number; events: number; schema: number };

export type Health =
  | { type: "empty" }
  /** `newestAt`: the time of the newest event, 0 where there is none. */
  | { type: "sound"; asks: number; events: number; newestAt: number }
  | { type: "damaged"; detail: string };

/** What is done with everything that is kept at once, by any process, whether a daemon has it open or not. */
export interface StoreAdmin {
  /** Contract: changes nothing and never throws. */
  check(): Promise<Health>;
  /**
   * Others may write meanwhile: what was committed when it began is in the copy, nothing is half there, nobody waits for it.
   * Contract: the copy is one new file, 0600, on disk and sound; when it throws there is none.
   */
  backup(file: string): Promise<Contents>;
  /** Contract: changes nothing; throws unless the file is a sound backup of a Parley that is not newer than this one. */
  inspect(file: string): Promise<Contents>;
  /**
   * Puts a backup in the place of what is kept, which stays as `before`. To be called by whoever has the lock.
   * Contract: when it throws, everything is as it was; killed at any moment, one of the two is there as a whole.
   */
  restore(file: string): Promise<Contents & { before?: string }>;
  /** What a restore that was killed left. To be called by whoever has the lock. */
  removeUnfinished(): void;
}

/** What whoever has the store open does for it, step by step, while others use it. */
export interface StoreUpkeep {
  /** Removes Asks that are done and were settled before the time, with their events and drafts; others never. Answers how many. */
  prune(settledBefore: number): Promise<number>;
  /** Gives keys to the next that were answered before there were any; answers how many are left. */
  keyPrecedents(): Promise<number>;
  /** Empty when what is kept is sound. */
  problems(): Promise<string[]>;
}
