import { expect } from "bun:test";
import { eventually } from "../../patience.ts";
import { type Cluster, startCluster } from "../cluster.ts";

/** Where the hubs of a run keep what they know, and how it is hurt. */
export type Databases = Awaited<ReturnType<typeof startDatabases>>;

/** A PostgreSQL that writes through to the disk, with a standby that every commit waits for. */
export async function startDatabases() {
  let primary = await startCluster({ durable: true });
  let slots: (Cluster | undefined)[] = [primary, undefined];
  await follow(1);

  /** Only after the copy is made: it would inherit the setting, and once promoted wait for a standby of its own. */
  async function follow(slot: number): Promise<void> {
    slots[slot] = await startCluster({ durable: true, standbyOf: primary });
    await primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await primary.psql("SELECT pg_reload_conf()");
    const synced = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    await eventually(async () => expect(await primary.psql(synced)).toBe("1"));
  }

  return {
    /** Of each place in the URL the server that is there now. */
    ports: (slot: number): number[] => (slots[slot] ? [slots[slot].port] : []),
    url: () => primary.url,
    async killPrimary(): Promise<void> {
      await primary.kill();
    },
    startPrimary: () => primary.start(),
    /** The primary is lost for good; its standby takes its place. A new one follows it when `follow` is called. */
    async failOver(): Promise<() => Promise<void>> {
      const [old, lost] = [primary, slots.indexOf(primary)];
      await old.kill();
      const next = slots[1 - lost];
      if (!next) throw new Error("there is no standby");
      await next.psql("SELECT pg_promote()");
      primary = next;
      slots[lost] = undefined;
      return async () => {
        await old.remove();
        await follow(lost);
      };
    },
    async remove(): Promise<void> {
      for (const each of slots) await each?.remove();
      slots = [];
    },
  };
}
