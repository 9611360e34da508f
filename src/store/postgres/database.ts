import { ParleyError } from "../../core/error.ts";
import { causeOf, isOfLine, isPassing, type Line, NotCommitted, openLine, type Run, type Target } from "./line.ts";

const READERS = 4;
const LONGEST_PAUSE_MS = 500;

export type Database = {
  /** One statement that may be said twice without harm. */
  run: Run;
  /**
   * On a connection of its own, as many at once as there are writers. Contract: begun again from nothing as long as patience
   * lasts; the reply to a commit can be lost, so `work` is to find out whether it was done before. What it says without
   * waiting goes to the server in one go, with the commit behind it; if any of that fails, all of it is undone and the
   * transaction throws why.
   */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The same for reading alone: all of one moment, whatever is written meanwhile. */
  snapshot<T>(work: (run: Run) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * `patienceMs`: how long a database that is away is waited for before whoever wants something of it is told. `writers`: so many
 * transactions go on at once; they wait for each other's rows alone, as those of several processes do.
 */
export function createDatabase(target: Target, patienceMs: number, writers = 1): Database {
  const reader = createHolder(() => openLine(target, { size: READERS }));
  const all = Array.from({ length: writers }, () => createHolder(() => openLine(target, { size: 1, alone: true })));
  // The one that was used last is used next: a connection is opened when so many are needed at once.
  const free = [...all];
  const waiting = new Set<(writer: Holder) => void>();
  /** Why the last attempt of anybody failed; undefined: it went well. */
  let away: { cause: unknown } | undefined;
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  async function patiently<T>(work: () => Promise<T>, until = performance.now() + patienceMs): Promise<T> {
    for (let pause = 5; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const result = await work();
        away = undefined;
        return result;
      } catch (error) {
        if (!isPassing(error) || isClosed) throw error;
        if (isOfLine(error)) away = { cause: error };
        if (performance.now() > until) throw awayFor(patienceMs, error);
        await Bun.sleep(pause);
      }
    }
  }

  async function attempt<T>(line: Line, work: (run: Run) => Promise<T>, begin: string): Promise<T> {
    const said: Promise<unknown>[] = [];
    const say: Run = (text, values) => {
      const mine = line.run<never>(text, values);
      mine.catch(() => undefined);
      said.push(mine);
      return mine;
    };
    try {
      void say(begin);
      const result = await work(say);
      await line.run("COMMIT").catch(async (error: unknown) => {
        const cause = error instanceof NotCommitted ? await causeOf(said) : undefined;
        throw cause ? cause.reason : error;
      });
      return result;
    } catch (error) {
      // Where even that fails nothing is known about the connection any more.
      if (isOfLine(error)) line.lose(error as Error);
      else if (!line.isLost()) await line.run("ROLLBACK").catch(line.lose);
      throw error;
    }
  }

  async function inTurn<T>(work: (run: Run) => Promise<T>, begin: string): Promise<T> {
    // Who waits for others is as patient as they are, from the same moment: behind a hundred of them nobody waits a hundred times.
    const until = performance.now() + patienceMs;
    const writer = free.shift() ?? (await nextWriter());
    // Where the others were only many, the database was not waited for yet.
    const mine = patiently(() => attempt(writer.line(), work, begin), away ? until : undefined);
    running.add(mine);
    try {
      return await mine;
    } finally {
      running.delete(mine);
      const [next] = waiting;
      if (next) next(writer);
      else free.unshift(writer);
    }
  }

  /** The one that is free next. Throws when patience is over and the database is away; where it is only busy it is waited for. */
  function nextWriter(): Promise<Holder> {
    const { promise, resolve, reject } = Promise.withResolvers<Holder>();
    let timer = setTimeout(giveUp, patienceMs);
    function giveUp(): void {
      if (!away) {
        timer = setTimeout(giveUp, LONGEST_PAUSE_MS);
        return;
      }
      waiting.delete(next);
      reject(awayFor(patienceMs, away.cause));
    }
    function next(writer: Holder): void {
      clearTimeout(timer);
      waiting.delete(next);
      resolve(writer);
    }
    waiting.add(next);
    return promise;
  }

  return {
    run: (text, values) =>
      patiently(async () => {
        const line = reader.line();
        try {
          return await line.run(text, values);
        } catch (error) {
          if (isOfLine(error)) line.lose(error as Error);
          throw error;
        }
      }),
    transaction: (work) => inTurn(work, "BEGIN"),
    snapshot: (work) => inTurn(work, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
    async close() {
      while (free.length < all.length) await Promise.allSettled(running);
      isClosed = true;
      await Promise.all([reader, ...all].map((each) => each.end()));
    },
  };
}

type Holder = ReturnType<typeof createHolder>;

/** The line that is used now; a lost one is replaced by the next. */
export function createHolder(open: () => Line) {
  let current: Line | undefined;
  let isEnded = false;
  return {
    line(): Line {
      if (isEnded) throw new Error("the store is closed");
      if (!current || current.isLost()) current = open();
      return current;
    },
    async end(): Promise<void> {
      isEnded = true;
      await current?.end();
    },
  };
}

function awayFor(ms: number, cause: unknown): ParleyError {
  const detail = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new ParleyError("database_away", `PostgreSQL did not answer for ${Math.round(ms / 1000)} s (${detail}).`, {
    cause,
  });
}
