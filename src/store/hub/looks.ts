import { noteNews } from "./news.ts";
import type { HubDatabase, HubRun } from "./schema.ts";
import { lockMachine } from "./acting.ts";

export type HubLook = { machine: string; ask: string; member: string; name: string };
type Place = { tab: string; machine: string; ask: string };

/** Who looks at what just now: told to whoever may see it, gone when the tab is. Nothing of it is in the log. */
export function createHubLooks({ run, transaction }: HubDatabase) {
  /** Contract: of a place that changed, pages hear; one that only goes on costs a row. */
  async function end(say: HubRun, { tab, machine, ask }: Place, by: number): Promise<void> {
    await lockMachine(say, machine);
    const gone = await say(
      "DELETE FROM hub_looks WHERE tab = $1 AND machine = $2 AND ask = $3 AND ends_at <= $4 RETURNING tab",
      [tab, machine, ask, by],
    );
    if (gone.length > 0) noteNews(say, machine, [ask]);
  }
  const placeOf = async (tab: string) =>
    (await run<Place>("SELECT tab, machine, ask FROM hub_looks WHERE tab = $1", [tab]))[0];
  const EVER = Number.MAX_SAFE_INTEGER;

  async function endLook(tab: string): Promise<void> {
    const before = await placeOf(tab);
    if (before) await transaction((say) => end(say, before, EVER));
  }

  return {
    endLook,
    async look({ tab, machine, ask, member }: Place & { member: string }, until: number): Promise<void> {
      const before = await placeOf(tab);
      const isSame = before?.machine === machine && before.ask === ask;
      if (isSame) {
        const still = await run("UPDATE hub_looks SET ends_at = $2 WHERE tab = $1 AND ask = $3 RETURNING tab", [
          tab,
          until,
          ask,
        ]);
        if (still.length > 0) return;
      }
      if (before && !isSame) await endLook(tab);
      await transaction(async (say) => {
        await lockMachine(say, machine);
        await say(
          `INSERT INTO hub_looks (tab, machine, ask, member, ends_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (tab) DO UPDATE SET machine = excluded.machine, ask = excluded.ask, ends_at = excluded.ends_at`,
          [tab, machine, ask, member, until],
        );
        noteNews(say, machine, [ask]);
      });
    },
    /** Those whose tab was not heard any more. Of several hubs one tells it. */
    async endLooks(now: number): Promise<number> {
      const over = await run<Place>("SELECT tab, machine, ask FROM hub_looks WHERE ends_at <= $1 LIMIT 100", [now]);
      for (const place of over) await transaction((say) => end(say, place, now));
      return over.length;
    },
    async looks(now: number): Promise<HubLook[]> {
      return run<HubLook>(
        `SELECT DISTINCT l.machine, l.ask, l.member, p.name FROM hub_looks l
         JOIN hub_members p ON p.id = l.member AND p.revoked_at IS NULL WHERE l.ends_at > $1 ORDER BY p.name`,
        [now],
      );
    },
  };
}
