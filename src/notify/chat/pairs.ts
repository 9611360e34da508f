import { createHash, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { writeAtomic } from "../../machine/file/atomic-file.ts";
import { createSerial } from "../../machine/time/serial.ts";
import type { Clock } from "../../inbox/inbox.ts";
import type { Person } from "../messenger.ts";

/** A person who may answer by a messenger, and the chat in which they do. */
export type Pair = Person & { messenger: string; chat: string; at: number };
export type Pairs = ReturnType<typeof createPairs>;

const CODE_MS = 600_000;
/** Without what is taken for something else when it is typed. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 12;

/**
 * Who is known to a messenger. A code that a person asked for on this machine pairs one chat, once, for ten minutes; nobody
 * else is ever answered. Contract: that a chat is paired is on disk before it is told so.
 */
export function createPairs({ file, now }: { file: string | undefined; now: Clock }) {
  /** Digests, with their end by the clock that is never set. */
  const codes = new Map<string, { messenger: string; until: number }>();
  /** Messengers of whose codes one is being taken: who came with it is known in a moment. */
  const taking: string[] = [];
  const serial = createSerial();
  let kept: readonly Pair[] = file === undefined ? [] : read(file);

  /** Of what is known when its turn has come: two who come at once are both known. */
  const change = (step: (before: readonly Pair[]) => readonly Pair[]): Promise<void> =>
    serial("pairs", async () => {
      const next = step(kept);
      if (file !== undefined) await writeAtomic(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, own: true });
      kept = next;
    });

  return {
    of: (messenger: string): readonly Pair[] => kept.filter((pair) => pair.messenger === messenger),
    list: (): readonly Pair[] => kept,
    /** A new one; those before it for the same messenger are worth nothing any more. */
    code(messenger: string): { code: string; expiresAt: number } {
      for (const [digest, known] of codes) if (known.messenger === messenger) codes.delete(digest);
      const code = newCode();
      codes.set(digestOf(code), { messenger, until: performance.now() + CODE_MS });
      return { code, expiresAt: now() + CODE_MS };
    },
    /** Nobody can come with one: it could not be offered. */
    forget(messenger: string): void {
      for (const [digest, known] of codes) if (known.messenger === messenger) codes.delete(digest);
    },
    /** Somebody may come with a code, or has come with it just now. Contract: whoever was expected is known, or still expected. */
    isExpecting(messenger: string): boolean {
      for (const [digest, { until }] of codes) if (until <= performance.now()) codes.delete(digest);
      return taking.includes(messenger) || [...codes.values()].some((known) => known.messenger === messenger);
    },
    /** Contract: true once for each code. */
    async take(code: string, pair: Omit<Pair, "at">): Promise<boolean> {
      const digest = digestOf(code.trim().toLowerCase());
      const known = codes.get(digest);
      if (!known || known.messenger !== pair.messenger || known.until <= performance.now()) return false;
      codes.delete(digest);
      taking.push(pair.messenger);
      const isOther = ({ messenger, id }: Pair) => messenger !== pair.messenger || id !== pair.id;
      try {
        await change((before) => [...before.filter(isOther), { ...pair, at: now() }]);
      } catch (error) {
        codes.set(digest, known);
        throw error;
      } finally {
        taking.splice(taking.indexOf(pair.messenger), 1);
      }
      return true;
    },
    /** By its id or its name. Answers who is known no more. */
    async remove(messenger: string, who: string): Promise<readonly Pair[]> {
      const isMeant = (pair: Pair) => pair.messenger === messenger && (pair.id === who || pair.name === who);
      const removed = kept.filter(isMeant);
      if (removed.length > 0) await change((before) => before.filter((pair) => !isMeant(pair)));
      return removed;
    },
  };
}

const Kept = z.array(
  z.looseObject({ messenger: z.string(), id: z.string(), chat: z.string(), name: z.string(), at: z.number() }),
);

/** What cannot be read pairs nobody. */
function read(file: string): readonly Pair[] {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return [];
  }
}

/** One that a person can type. */
export const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

const digestOf = (code: string) => createHash("sha256").update(code).digest("hex");
