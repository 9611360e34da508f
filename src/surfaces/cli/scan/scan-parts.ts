const PART = 4 * 1024 * 1024;
/** More lines with a mark than this in all are not noted: a record full of them is quicker read than jumped through. */
const MOST_PLACES = 65_536;
const [FREE, TAKEN, KNOWN, UNKNOWN] = [0, 1, 2, 3];
/** For a part that the other thread is at: longer than it takes, unless something is wrong with it. */
const PATIENCE_MS = 100;

/** Parts of all files in their order, in memory that two threads see: nobody waits for a message. */
export type SharedParts = {
  /** Of each part: its file, where it begins and ends; then where its first whole line begins and its last one ends. */
  bounds: Float64Array<SharedArrayBuffer>;
  /** Of each part: its state, its first place and how many there are; one more: how many places there are in all. */
  states: Int32Array<SharedArrayBuffer>;
  /** Beginning and end of each line that holds a mark. */
  places: Float64Array<SharedArrayBuffer>;
};

const [BOUNDS, STATES] = [5, 3];
const numbers = (count: number) => new Float64Array(new SharedArrayBuffer(8 * count));

export function shareParts(sizes: readonly number[], part = PART): SharedParts {
  const all = sizes.flatMap((size, file) =>
    Array.from({ length: Math.ceil(size / part) }, (_, n) => [file, n * part, Math.min(size, (n + 1) * part), 0, 0]),
  );
  const bounds = numbers(BOUNDS * all.length);
  for (const [i, each] of all.entries()) bounds.set(each, BOUNDS * i);
  const states = new Int32Array(new SharedArrayBuffer(4 * (STATES * all.length + 1)));
  return { bounds, states, places: numbers(2 * MOST_PLACES) };
}

export type Parts = ReturnType<typeof createParts>;

export function createParts({ bounds, states, places }: SharedParts) {
  const count = bounds.length / BOUNDS;
  const used = states.length - 1;
  const bound = (i: number, n: number) => bounds[BOUNDS * i + n] ?? 0;
  /** The one that was looked at last: whoever reads goes forward. */
  let current = 0;

  const claim = (i: number) => Atomics.compareExchange(states, STATES * i, FREE, TAKEN) === FREE;

  /** Whether the other thread has said what is in it. Who asks first has it. */
  function isKnown(i: number): boolean {
    const at = STATES * i;
    if (claim(i)) Atomics.store(states, at, UNKNOWN);
    else if (Atomics.wait(states, at, TAKEN, PATIENCE_MS) === "timed-out")
      Atomics.compareExchange(states, at, TAKEN, UNKNOWN);
    return Atomics.load(states, at) === KNOWN;
  }

  /** In this part: where the next line is that somebody wants, or where its last one ends. */
  function nextIn(i: number, at: number): number {
    const [first = 0, length = 0] = states.subarray(STATES * i + 1, STATES * (i + 1));
    for (let n = first; n < first + length; n++) {
      const [begin = 0, end = 0] = [places[2 * n], places[2 * n + 1]];
      if (end > at) return Math.max(at, begin);
    }
    return bound(i, 4);
  }

  return {
    count,
    claim,
    of: (i: number) => ({ file: bound(i, 0), from: bound(i, 1), to: bound(i, 2) }),
    finish(i: number, found?: { begin: number; end: number; places: readonly number[] }): void {
      const taken = states[used] ?? 0;
      const isNoted = found !== undefined && 2 * taken + found.places.length <= places.length;
      if (isNoted) {
        places.set(found.places, 2 * taken);
        bounds.set([found.begin, found.end], BOUNDS * i + 3);
        states.set([taken, found.places.length / 2], STATES * i + 1);
        states[used] = taken + found.places.length / 2;
      }
      Atomics.store(states, STATES * i, isNoted ? KNOWN : UNKNOWN);
      Atomics.notify(states, STATES * i);
    },
    /** From a place in a file on: the next one that must be read, past lines of which is known that they hold no mark. */
    next(file: number, from: number): number {
      let at = from;
      for (; current < count; current++) {
        if (bound(current, 0) < file || (bound(current, 0) === file && bound(current, 2) <= at)) continue;
        if (bound(current, 0) > file || !isKnown(current) || at < bound(current, 3)) return at;
        const next = nextIn(current, at);
        if (next < bound(current, 4)) return next;
        at = next;
      }
      return at;
    },
  };
}
