import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../machine/file/atomic-file.ts";
import { asRecord } from "../core/record.ts";

/** One message of a conversation with a model behind an address, which itself remembers nothing. */
export type Turn = { role: "user" | "assistant"; content: string };
export type Conversations = ReturnType<typeof createConversations>;

const KEPT_MS = 7 * 86_400_000;
const FORGET_MS = 3_600_000;
const ID = /^[\w-]{1,80}$/;

/**
 * What was said to such a model and what it answered, so that it can be told more where it decided.
 * Contract: a conversation that cannot be read is an empty one.
 */
export function createConversations(folder: string, now: () => number) {
  const fileOf = (id: string) => join(folder, `${id}.json`);
  let forgotAt = now();
  forgetOld();

  function forgetOld(): void {
    try {
      for (const name of readdirSync(folder))
        if (now() - statSync(join(folder, name)).mtimeMs > KEPT_MS) rmSync(join(folder, name), { force: true });
    } catch {
      // There is none yet.
    }
  }

  async function write(id: string, turns: readonly Turn[]): Promise<void> {
    if (now() - forgotAt > FORGET_MS) {
      forgotAt = now();
      forgetOld();
    }
    if (ID.test(id)) await writeAtomic(fileOf(id), JSON.stringify(turns), { own: true, mode: 0o600 });
  }

  return {
    read(id: string): Turn[] {
      try {
        const turns: unknown = ID.test(id) ? JSON.parse(readFileSync(fileOf(id), "utf8")) : [];
        return Array.isArray(turns) ? turns.filter(isTurn) : [];
      } catch {
        return [];
      }
    },
    write,
    /** As `write`, but a full disk loses no reply that was paid for. */
    keep: (id: string, turns: readonly Turn[]): Promise<void> => write(id, turns).catch(() => undefined),
  };
}

function isTurn(value: unknown): value is Turn {
  const { role, content } = asRecord(value) ?? {};
  return (role === "user" || role === "assistant") && typeof content === "string";
}
