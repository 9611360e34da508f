import type { Policy } from "../../core/hub-policy.ts";
import type { Route, RouteStep } from "../../core/hub-route.ts";
import { type AuditEvent, type AuditFacts, type AuditNote, BEGINNING, chained, type Link, sha256 } from "./chain.ts";
import type { KeptRecord } from "./kept/kept.ts";
import { keptHalves } from "./kept/kept-halves.ts";
import type { HubDatabase, HubRun } from "./schema.ts";

type Row = Record<string, string | number | null>;
/** A row as the database has it: whether it is what the log says is for whoever verifies it. */
export type AuditRow = Omit<AuditEvent, "facts" | "content"> & { facts: string; content: string | null };
export type HubAudit = ReturnType<typeof createHubAudit>;

const PAGE = 500;
const ENDED = new Set([
  "machine.left",
  "machine.revoked",
  "machine.token-revoked",
  "member.revoked",
  "session.ended",
  "policy.removed",
  "route.removed",
  "group.removed",
]);
/** What was removed may be set anew under its name. */
const SET = new Set(["route.set", "group.set"]);

/** The newest of the log, held until the commit: for whoever wants it together with other locks. It is the last of them. A statement with a value is kept by the server. */
export async function lockLog(say: HubRun): Promise<Link> {
  const [head] = await say<Link>("UPDATE hub_audit_head SET seq = seq WHERE one = $1 RETURNING seq, hash", [1]);
  return head ?? { seq: 0, hash: BEGINNING };
}

/**
 * Adds to the log, in the transaction of what it tells about and as the last thing in it: the row with the newest number is
 * one for all hubs. Contract: the numbers have no gap and are in the order of the commits.
 */
export async function note(say: HubRun, at: number, ...notes: readonly AuditNote[]): Promise<void> {
  if (notes.length > 0) noteAfter(await lockLog(say), say, at, ...notes);
}

/** The same for whoever has locked the log already. */
export function noteAfter(head: Link, say: HubRun, at: number, ...notes: readonly AuditNote[]): void {
  let last = head;
  for (const each of notes) {
    const event = chained(each, at, last);
    const { seq, kind, by, facts, digest, prev, hash, content = null } = event;
    void say(
      `INSERT INTO hub_audit (seq, at, kind, actor, facts, digest, prev, hash, content)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [seq, at, kind, by, JSON.stringify(facts), digest, prev, hash, content],
    );
    last = event;
  }
  void say("UPDATE hub_audit_head SET seq = $1, hash = $2 WHERE one = 1", [last.seq, last.hash]);
}

/** The parts of a record that never change, as one digest: the log has it too. */
export const recordOf = {
  machine: (row: { id: string; token: string; projects: string }): string => digest(row.id, row.token, row.projects),
  member: (row: { id: string; name: string }): string => digest(row.id, row.name),
  token: (row: { hash: string; member: string; role: string; project: string | null; expiresAt: number | null }) =>
    digest(row.hash, row.member, row.role, row.project, row.expiresAt),
  machineToken: (row: { id: string; hash: string; projects: string; expiresAt: number | null }): string =>
    digest(row.id, row.hash, row.projects, row.expiresAt),
  intent: (row: { machine: string; n: number; ask: string; member: string; settlement: string }): string =>
    digest(row.machine, row.n, row.ask, row.member, row.settlement),
  task: (row: {
    id: string;
    machine: string;
    n: number;
    member: string;
    project: string;
    prompt: string;
    title: string | null;
    second: string | null;
  }) => {
    const { id, machine, n, member, project, prompt, title, second } = row;
    return digest(id, machine, n, member, project, prompt, title, ...(second === null ? [] : [second]));
  },
  half: (row: { machine: string; ask: string; member: string; settlement: string; signed: string | null }): string =>
    digest(row.machine, row.ask, row.member, row.settlement, row.signed),
  passkey: (row: { id: string; member: string; publicKey: string }): string =>
    digest(row.id, row.member, row.publicKey),
  role: (row: { member: string; scope: string; role: string }): string => digest(row.member, row.scope, row.role),
  session: (row: { id: string; hash: string; previews: string; member: string; name: string }): string =>
    digest(row.id, row.hash, row.previews, row.member, row.name),
  /** `steps`, `members`: as they are stored. */
  route: (row: { id: string; steps: string; afterMs: number }): string => digest(row.id, row.steps, row.afterMs),
  group: (row: { name: string; members: string }): string => digest(row.name, row.members),
  policy: ({ id, two, signed, project, kind, stake }: Policy): string =>
    digest(id, Number(two), Number(signed), project, kind, stake),
};
/** A token is in the log by this: nobody finds even its digest. */
export const tokenName = (hash: string): string => sha256(`token ${hash}`).slice(0, 16);
/** The name of a route: what it is for. */
export const routeId = ({ project, kind, stakes }: Pick<Route, "project" | "kind" | "stakes">): string =>
  JSON.stringify([project, kind, stakes]);
/** Whom it goes to, in the words of the log. */
export const routeTo = (steps: readonly RouteStep[]): string => steps.map(({ type, id }) => `${type} ${id}`).join(", ");
const digest = (...parts: readonly (string | number | null)[]): string => sha256(JSON.stringify(parts));

/** The log of a hub: who joined, answered, was revoked, got a token; what is in it is never changed. */
export function createHubAudit({ run, transaction, snapshot }: HubDatabase) {
  return {
    /** The first event, with what was kept before there was a log. Any number of hubs may call it at once. */
    begin: (now: number): Promise<void> =>
      transaction(async (say) => {
        const [head] = await say<Link>("UPDATE hub_audit_head SET seq = seq WHERE one = 1 RETURNING seq, hash");
        if (!head || (head.seq > 0 && (await knowsSessions(say)))) return;
        const isNew = head.seq === 0;
        const found = (isNew ? await kept(say) : await keptSessions(say)).map(({ record, is }) => ({
          kind: "record.found",
          by: "host",
          facts: { record, is },
        }));
        if (!isNew)
          await say("INSERT INTO hub_facts (name, value) VALUES ($1, '1') ON CONFLICT DO NOTHING", [EXTENDED]);
        const facts = { sessions: true };
        await note(say, now, { kind: isNew ? "log.began" : EXTENDED, by: "host", facts }, ...found);
      }),
    ...readingOf(run),
    /** All that is read there is of one moment. Contract: `work` may be begun again from nothing. */
    atOnce: <T>(work: (log: ReturnType<typeof readingOf>) => Promise<T>): Promise<T> =>
      snapshot((say) => work(readingOf(say))),
    /** The hub's own key, made when it is first needed: one for all hubs with these records. */
    async key(make: () => string): Promise<string> {
      const read = async () =>
        (await run<{ secret: string }>("SELECT secret FROM hub_keys WHERE name = 'audit'"))[0]?.secret;
      const known = await read();
      if (known !== undefined) return known;
      await run("INSERT INTO hub_keys (name, secret) VALUES ('audit', $1) ON CONFLICT (name) DO NOTHING", [make()]);
      return (await read()) ?? "";
    },
    /** Drops what was written before the time: contents, and copies of Asks that are done with their answers. The log stays whole. */
    forget: (before: number, now: number): Promise<{ contents: number; asks: number }> =>
      transaction(async (say) => {
        const contents = await say<Row>(
          "UPDATE hub_audit SET content = NULL WHERE at < $1 AND content IS NOT NULL RETURNING seq",
          [before],
        );
        const old = `SELECT a.machine, a.id FROM hub_asks a WHERE a.state <> 'open' AND a.created_at < $1
          AND NOT EXISTS (SELECT 1 FROM hub_intents i WHERE i.machine = a.machine AND i.ask = a.id
            AND (i.state = 'sent' OR i.at >= $1))
          AND NOT EXISTS (SELECT 1 FROM hub_halves h WHERE h.machine = a.machine AND h.ask = a.id AND h.at >= $1)`;
        await say(`DELETE FROM hub_halves WHERE (machine, ask) IN (${old})`, [before]);
        const answers = `SELECT machine, n FROM hub_intents WHERE (machine, ask) IN (${old})`;
        await say(`DELETE FROM hub_reasons WHERE (machine, n) IN (${answers})`, [before]);
        await say(`DELETE FROM hub_intents WHERE (machine, ask) IN (${old})`, [before]);
        for (const about of ["hub_routed", "hub_asked"])
          await say(`DELETE FROM ${about} WHERE (machine, ask) IN (${old})`, [before]);
        const asks = await say<Row>(`DELETE FROM hub_asks WHERE (machine, id) IN (${old}) RETURNING id`, [before]);
        const over = "SELECT id FROM hub_tasks WHERE state NOT IN ('sent', 'waiting') AND at < $1";
        await say(`DELETE FROM hub_seconds WHERE task IN (${over})`, [before]);
        await say(`DELETE FROM hub_routed WHERE ask IN (SELECT 'task:' || id FROM (${over}) AS gone)`, [before]);
        const tasks = await say(`DELETE FROM hub_tasks WHERE id IN (${over}) RETURNING id`, [before]);
        const gone = { contents: contents.length, asks: asks.length };
        if (gone.contents + gone.asks + tasks.length > 0)
          await note(say, now, { kind: "content.forgotten", by: "host", facts: { before, ...gone } });
        return gone;
      }),
  };
}

const EXTENDED = "log.extended";
/**
 * Earlier versions noted no sign-in. Those of that time are told of once: what the log does not know afterwards was put there.
 * Whoever drops the fact makes us look once more, and nothing else.
 */
async function knowsSessions(say: HubRun): Promise<boolean> {
  const [first] = await say<{ facts: string }>("SELECT facts FROM hub_audit WHERE seq = 1");
  if (first?.facts === JSON.stringify({ sessions: true })) return true;
  if ((await say("SELECT value FROM hub_facts WHERE name = $1", [EXTENDED])).length > 0) return true;
  return (await say("SELECT seq FROM hub_audit WHERE kind = $1 LIMIT 1", [EXTENDED])).length > 0;
}

function readingOf(run: HubRun) {
  return {
    /** All of it, in its order, also where numbers are missing. */
    async *rows(): AsyncGenerator<AuditRow> {
      for (let after: string | number = -1; ;) {
        const page: AuditRow[] = await run<AuditRow>(
          `SELECT seq, at, kind, actor AS by, facts, digest, prev, hash, content FROM hub_audit WHERE seq > $1
           ORDER BY seq LIMIT ${PAGE}`,
          [after],
        );
        yield* page;
        const last: AuditRow | undefined = page.at(-1);
        if (page.length < PAGE || !last) return;
        after = last.seq;
      }
    },
    head: async (): Promise<Link | undefined> =>
      (await run<Link>("SELECT seq, hash FROM hub_audit_head WHERE one = 1"))[0],
    /** What answers and machines are kept beside the log, to be compared with it. */
    kept: () => kept(run),
  };
}

/** `record` names it as facts in the log do; `is`: its parts that never change. */
async function kept(run: HubRun): Promise<KeptRecord[]> {
  const [machines, members, tokens, intents, policies, tasks, passkeys, roles] = [
    await run<Row>("SELECT id, token, projects, revoked_at FROM hub_machines ORDER BY joined_at, id"),
    await run<Row>("SELECT id, name, revoked_at FROM hub_members ORDER BY made_at, id"),
    await run<Row>(
      'SELECT hash, member, role, project, expires_at AS "expiresAt" FROM hub_tokens ORDER BY made_at, hash',
    ),
    await run<Row>("SELECT machine, n, ask, member, settlement, state FROM hub_intents ORDER BY at, machine, n"),
    await run<Row>("SELECT id, two, signed, project, kind, stake FROM hub_policies ORDER BY made_at, id"),
    await run<Row>(
      `SELECT w.id, w.machine, w.n, w.member, w.project, w.prompt, w.title, w.state, s.member AS second
       FROM hub_tasks w LEFT JOIN hub_seconds s ON s.task = w.id ORDER BY w.at, w.id`,
    ),
    await run<Row>('SELECT id, member, public_key AS "publicKey" FROM hub_passkeys ORDER BY made_at, id'),
    await run<Row>("SELECT member, scope, role FROM hub_roles ORDER BY member, scope"),
  ];
  const [doors, routes, groups] = [
    await run<Row>(
      'SELECT id, hash, projects, expires_at AS "expiresAt", revoked_at FROM hub_machine_tokens ORDER BY made_at, id',
    ),
    await run<Row>('SELECT id, steps, after_ms AS "afterMs" FROM hub_routes ORDER BY id'),
    await run<Row>("SELECT name, members FROM hub_groups ORDER BY name"),
  ];
  return [
    ...machines.map((row) => of(`machine ${row["id"]}`, recordOf.machine(row as never), row)),
    ...members.map((row) => of(`member ${row["id"]}`, recordOf.member(row as never), row)),
    ...tokens.map((row) => of(`token ${tokenName(String(row["hash"]))}`, recordOf.token(row as never), row)),
    ...doors.map((row) => ({
      ...of(`token ${tokenName(String(row["hash"]))}`, recordOf.machineToken(row as never), row),
      before: null,
    })),
    ...intents.map((row) => of(`intent ${row["machine"]} ${row["n"]}`, recordOf.intent(row as never), row)),
    ...policies.map((row) => of(`policy ${row["id"]}`, recordOf.policy(row as never), row)),
    ...(await keptHalves(run, recordOf.half)),
    ...tasks.map((row) => of(`task ${row["id"]}`, recordOf.task(row as never), row)),
    ...passkeys.map((row) => of(`passkey ${row["id"]}`, recordOf.passkey(row as never), row)),
    ...roles.map((row) => of(`role ${row["member"]} ${row["scope"]}`, recordOf.role(row as never), row)),
    ...routes.map((row) => ({
      ...of(`route ${row["id"]}`, recordOf.route(row as never), row),
      before: routeBefore(String(row["id"]), toOf(String(row["steps"])), Number(row["afterMs"])),
    })),
    ...groups.map((row) => of(`group ${row["name"]}`, recordOf.group(row as never), row)),
    ...(await keptSessions(run)),
  ];
}

const keptSessions = async (run: HubRun): Promise<KeptRecord[]> =>
  (await run<Row>("SELECT id, hash, previews, member, name FROM hub_sessions ORDER BY made_at, id")).map((row) =>
    of(`session ${row["id"]}`, recordOf.session(row as never), row),
  );

const of = (record: string, is: string, { revoked_at: ended = null, state }: Row): KeptRecord => ({
  record,
  is,
  ended: ended !== null,
  ...(typeof state === "string" && { state }),
});

const routeBefore = (id: string, to: string, afterMs: number): string => digest("before", id, to, afterMs);

function toOf(steps: string): string {
  try {
    return routeTo(JSON.parse(steps) as RouteStep[]);
  } catch {
    return steps;
  }
}

/** What an event says of records: of one by its facts; of a passkey also which one it is, and the role it came with. */
export function recordsIn({ kind, facts }: Pick<AuditEvent, "kind" | "facts">): { record: string; is?: string }[] {
  const { record, is, passkey, member, publicKey, role, project } = facts;
  if (kind.startsWith("group.")) return [groupIn(kind, facts)];
  if (kind.startsWith("route.") && record === undefined) return [routeIn(kind, facts)];
  const found = typeof record === "string" ? [{ record, ...(typeof is === "string" && { is }) }] : [];
  if (kind !== "passkey.made" && kind !== "passkey.found") return found;
  const [id, who, scope] = [String(passkey), String(member), String(project ?? "")];
  const key = { record: `passkey ${id}`, is: recordOf.passkey({ id, member: who, publicKey: String(publicKey) }) };
  if (typeof role !== "string") return [...found, key];
  return [...found, key, { record: `role ${who} ${scope}`, is: recordOf.role({ member: who, scope, role }) }];
}

function groupIn(kind: string, { name, members }: AuditFacts): { record: string; is?: string } {
  const stored = JSON.stringify(String(members).split(" "));
  const is = { is: recordOf.group({ name: String(name), members: stored }) };
  return { record: `group ${name}`, ...(kind === "group.set" && is) };
}

/** As earlier versions said it. */
function routeIn(kind: string, facts: AuditFacts): { record: string; is?: string } {
  const id = routeId(facts as never);
  const is = { is: routeBefore(id, String(facts["to"]), Number(facts["afterMs"])) };
  return { record: `route ${id}`, ...(kind === "route.set" && is) };
}

/** Does this event say that something is no more, or that it is, whatever was before? Undefined: neither. */
export const lifeIn = (kind: string): "ended" | "set" | undefined =>
  ENDED.has(kind) ? "ended" : SET.has(kind) ? "set" : undefined;
