import { ParleyError } from "../../core/error.ts";
import { isAskedOf, later, lockMachine, putReason } from "./acting.ts";
import { lockLog, note, noteAfter, recordOf } from "./audit.ts";
import { type HubHalf, halvesSent } from "./halves.ts";
import { noteNews, numberNews } from "./news.ts";
import { refuseAsked } from "./notices.ts";
import { readRoutes } from "./route-rows.ts";
import { routeAsks } from "./routing.ts";
import {
  type AskCopy,
  type HubIntent,
  type HubMachine,
  INTENT,
  intentOf,
  MACHINE,
  machineOf,
  type Row,
} from "./rows.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

const TOLD_TOGETHER = 100;
const BEATS_TOGETHER = 200;

/** What machines say to a hub: they join, tell of Asks, and give receipts. */
export function createMachineRecords({ run, transaction }: HubDatabase) {
  const one = async (text: string, values: readonly (string | number | null)[]) => (await run<Row>(text, values))[0];
  /** Whose connections these are: neither that nor a machine's projects ever change. */
  const known = new Map<string, { id: string; named: string[] }>();
  const remember = (link: string, row: Row) =>
    void known.set(link, { id: String(row["id"]), named: namesIn(JSON.parse(String(row["projects"]))) });

  async function machineOfLink(link: string) {
    const row = known.has(link)
      ? undefined
      : await one("SELECT id, projects FROM hub_machines WHERE link = $1", [link]);
    if (row) remember(link, row);
    return known.get(link);
  }

  /** Whether there were routes when that was last looked at. A guess: either way is right. */
  let mayRoute = true;

  /** In one round trip with its commit. Undefined: nothing was done, one of these may go to somebody, or did so. */
  async function putPlain(told: Told): Promise<Row[] | undefined> {
    const { machine, asks } = told;
    try {
      const done = await transaction(async (say) => {
        const counts = putAsks(say, told);
        const ids = idsOf(asks);
        numberNews(say, machine, ids, told.link);
        refuseAsked(say, machine, ids, { routes: asks.some(({ state }) => state === "open") });
        return { counts };
      });
      return await done.counts;
    } catch (error) {
      // Where something else is wrong the long way fails with it too; a database that was away is not waited for twice.
      if (error instanceof ParleyError) throw error;
      return undefined;
    }
  }

  async function putRouted(told: Told): Promise<Row[]> {
    const { machine, asks, now } = told;
    const done = await transaction(async (say) => {
      const counts = putAsks(say, told);
      noteNews(say, machine, idsOf(asks), told.link);
      const open = asks.filter(({ state }) => state === "open");
      if (open.length === 0) return { counts };
      // After the machine's row is held: whoever sets a route now waits for us, and finds these.
      const routes = await readRoutes(say);
      mayRoute = routes.length > 0;
      if (mayRoute && (await counts).length > 0) await note(say, now, ...(await routeAsks(say, machine, open, now)));
      return { counts };
    });
    return done.counts;
  }

  return {
    /** Of those that connected here. */
    machineAt: (link: string): string | undefined => known.get(link)?.id,
    addCode(hash: string, expiresAt: number, now: number): Promise<void> {
      return transaction(async (say) => {
        const made = await say(
          "INSERT INTO hub_codes (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING RETURNING hash",
          [hash, expiresAt],
        );
        if (made.length > 0) await note(say, now, { kind: "code.made", by: "host", facts: { expiresAt } });
      });
    },
    /** A code works for one machine, and for it as often as the reply gets lost. */
    join(code: string, machine: { id: string; name: string; token: string; projects: readonly string[] }, now: number) {
      return transaction(async (say) => {
        const used = await say<Row>(
          `UPDATE hub_codes SET used_by = $2 WHERE hash = $1 AND (used_by = $2 OR (used_by IS NULL AND expires_at > $3))
           RETURNING hash`,
          [code, machine.token, now],
        );
        if (used.length === 0) return false;
        const { id, name, token, projects } = machine;
        const shared = JSON.stringify(projects);
        const added = await say<Row>(
          `INSERT INTO hub_machines (id, name, token, projects, joined_at, seen_at, intents) VALUES ($1, $2, $3, $4, $5, $5, 0)
           ON CONFLICT DO NOTHING RETURNING id`,
          [id, name, token, shared, now],
        );
        const [made] = await say<Row>("SELECT token FROM hub_machines WHERE id = $1", [id]);
        const is = recordOf.machine({ id, token, projects: shared });
        const facts = { record: `machine ${id}`, is, name };
        if (added.length > 0)
          await note(say, now, { kind: "machine.joined", by: id, facts, content: { projects: [...projects] } });
        return made?.["token"] === token;
      });
    },
    /** The newest connection of a machine is the one that counts: what an earlier one says is not taken any more. */
    async connect(token: string, link: string, now: number): Promise<HubMachine | undefined> {
      const row = await one(
        `UPDATE hub_machines SET link = $2, seen_at = $3 WHERE token = $1 AND revoked_at IS NULL RETURNING ${MACHINE}`,
        [token, link, now],
      );
      if (row) remember(link, row);
      return row && machineOf(row);
    },
    /** They were heard. Those that count. */
    async beats(links: readonly string[], now: number): Promise<Set<string>> {
      const idOf = (link: string) => known.get(link)?.id ?? "";
      // In the order of their machines, as whoever else holds several: nobody waits for somebody who waits for them.
      const ordered = links.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
      const heard = new Set<string>();
      for (let at = 0; at < ordered.length; at += BEATS_TOGETHER) {
        const text = "UPDATE hub_machines SET seen_at = $2 WHERE link = $1 AND revoked_at IS NULL RETURNING link";
        const some = ordered.slice(at, at + BEATS_TOGETHER);
        const done = await transaction(async (say) => ({ rows: some.map((link) => say<Row>(text, [link, now])) }));
        for (const [row] of await Promise.all(done.rows)) if (row) heard.add(String(row["link"]));
      }
      return heard;
    },
    /** What each machine has now: its connection, and how many intents. */
    machineLines: (): Promise<{ id: string; link: string | null; intents: number }[]> =>
      run("SELECT id, link, intents FROM hub_machines"),
    async disconnect(link: string, now: number): Promise<void> {
      known.delete(link);
      await run("UPDATE hub_machines SET link = NULL, seen_at = $2 WHERE link = $1", [link, now]);
    },
    leave(token: string, now: number): Promise<boolean> {
      return transaction(async (say) => {
        const [gone] = await say<Row>(
          "UPDATE hub_machines SET revoked_at = $2, link = NULL WHERE token = $1 AND revoked_at IS NULL RETURNING id, name",
          [token, now],
        );
        if (!gone) return false;
        const facts = { record: `machine ${gone["id"]}`, name: String(gone["name"]) };
        await say("UPDATE hub_jobs SET ended_at = $2 WHERE machine = $1", [gone["id"] ?? "", now]);
        await say("INSERT INTO hub_left (machine, at) VALUES ($1, $2) ON CONFLICT (machine) DO NOTHING", [
          gone["id"] ?? "",
          now,
        ]);
        await note(say, now, { kind: "machine.left", by: String(gone["id"]), facts });
        return true;
      });
    },
    /** Those that left by themselves, as far as that was kept. */
    async leftMachines(): Promise<Set<string>> {
      return new Set((await run<Row>("SELECT machine FROM hub_left")).map(({ machine }) => String(machine)));
    },
    /** What another machine has told of stays that machine's. False: this connection does not count any more. */
    async takeAsks(link: string, asks: readonly AskCopy[], logRead: number | null, now: number): Promise<boolean> {
      const machine = await machineOfLink(link);
      if (!machine) return false;
      const { id: own, named } = machine;
      const shared = asks.filter(({ project }) => named.length === 0 || named.includes(project ?? ""));
      const told = { link, machine: own, asks: shared, logRead, now };
      const counts = mayRoute ? undefined : await putPlain(told);
      return (counts ?? (await putRouted(told))).length > 0;
    },
    /** What this machine has not said anything about yet. From now on it may have it: it alone gives it back. `upTo`: no more up to there. */
    unsettled(machine: string, after: number): Promise<{ intents: HubIntent[]; halves: HubHalf[]; upTo: number }> {
      return transaction(async (say) => {
        const locked = later(lockMachine(say, machine));
        const halves = later(halvesSent(say, machine, after));
        const rows = await say<Row>(
          `SELECT ${INTENT} FROM hub_intents i JOIN hub_members p ON p.id = i.member
           WHERE i.machine = $1 AND i.n > $2 AND i.state = 'sent' ORDER BY i.n LIMIT ${TOLD_TOGETHER}`,
          [machine, after],
        );
        const intents = rows.map((row) => intentOf(row));
        for (const { n } of intents)
          void say("INSERT INTO hub_told (machine, n) VALUES ($1, $2) ON CONFLICT (machine, n) DO NOTHING", [
            machine,
            n,
          ]);
        const last = intents.length < TOLD_TOGETHER ? (await locked)[0]?.intents : intents.at(-1)?.n;
        return { intents, halves: await halves, upTo: last ?? after };
      });
    },
    /** The first receipt holds. False: this connection does not count any more. */
    takeReceipt(
      link: string,
      receipt: { n: number; state: string; detail: string | null; reason?: string | undefined },
      now: number,
    ): Promise<boolean> {
      return transaction(async (say) => {
        const counts = say<Row>(
          "UPDATE hub_machines SET seen_at = $2 WHERE link = $1 AND revoked_at IS NULL RETURNING id",
          [link, now],
        );
        const settled = say<Row>(
          `UPDATE hub_intents SET state = $3, detail = $4, done_at = $5 WHERE n = $2 AND state = 'sent'
             AND machine = (SELECT id FROM hub_machines WHERE link = $1 AND revoked_at IS NULL) RETURNING ask`,
          [link, receipt.n, receipt.state, receipt.detail, now],
        );
        const isAsked = later(isAskedOf(say, link, receipt.n));
        const head = await lockLog(say);
        const [[machine], [done]] = [await counts, await settled];
        if (!machine) return false;
        if (!done) return true;
        const [id, ask] = [String(machine["id"]), String(done["ask"])];
        const { detail, reason } = receipt;
        const facts = { record: `intent ${id} ${receipt.n}`, ask, ...(reason !== undefined && { reason }) };
        if (reason !== undefined) putReason(say, id, receipt.n, reason);
        const content = detail === null ? {} : { content: { detail } };
        ((await isAsked) ? noteNews : numberNews)(say, id, [ask]);
        noteAfter(head, say, now, { kind: `intent.${receipt.state}`, by: id, facts, ...content });
        return true;
      });
    },
  };
}

/** What one connection tells at once; `machine` is whose it is. */
type Told = { link: string; machine: string; asks: readonly AskCopy[]; logRead: number | null; now: number };

const idsOf = (asks: readonly AskCopy[]): string[] => [...new Set(asks.map(({ id }) => id))];

/** Holds the machine's row. None: this connection does not count any more. */
function putAsks(say: HubRun, { link, machine, asks, logRead, now }: Told): Promise<Row[]> {
  const counts = say<Row>(
    `UPDATE hub_machines SET seen_at = $2, log_read = coalesce($3, log_read) WHERE link = $1 AND revoked_at IS NULL
     RETURNING id`,
    [link, now, logRead],
  );
  for (const { id, version, state, project, createdAt, view } of asks)
    void say(PUT_ASK, [machine, id, version, state, project, createdAt, JSON.stringify(view), link]);
  return counts;
}

/** Of a connection that counts, unless another machine has told of it. */
const PUT_ASK = `INSERT INTO hub_asks (machine, id, version, state, project, created_at, data)
  SELECT CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS bigint),
    CAST($7 AS text)
  WHERE EXISTS (SELECT 1 FROM hub_machines WHERE id = $1 AND link = $8 AND revoked_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM hub_asks a JOIN hub_machines m ON m.id = a.machine
      WHERE a.id = $2 AND a.machine <> $1 AND m.revoked_at IS NULL)
  ON CONFLICT (machine, id) DO UPDATE SET version = excluded.version, state = excluded.state, project = excluded.project,
    data = excluded.data WHERE excluded.version >= hub_asks.version`;

/** A machine is limited to projects by their names, or by the folders it named itself. */
const namesIn = (projects: readonly string[]): string[] => projects.filter((each) => !each.startsWith("/"));
