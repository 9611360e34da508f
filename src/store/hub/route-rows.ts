import { type Grant, mayAnswer } from "../../core/hub-role.ts";
import { EVERYBODY, type Route, type RouteStep } from "../../core/hub-route.ts";
import type { Row } from "./rows.ts";
import type { HubRun } from "./schema.ts";

export type HubGroup = { name: string; members: string[] };
export type Asked = { id: string; name: string; step: number };

export async function readGroups(run: HubRun): Promise<HubGroup[]> {
  const rows = await run<Row>("SELECT name, members FROM hub_groups ORDER BY name");
  return rows.map(({ name, members }) => ({ name: String(name), members: JSON.parse(String(members)) as string[] }));
}

export async function readRoutes(run: HubRun): Promise<Route[]> {
  const rows = await run<Row>(
    'SELECT project, kind, stakes, steps, after_ms AS "afterMs" FROM hub_routes ORDER BY project, kind, stakes',
  );
  return rows.map((row) => ({
    project: row["project"] as string | null,
    kind: row["kind"] as string | null,
    stakes: row["stakes"] === 1,
    steps: JSON.parse(String(row["steps"])) as RouteStep[],
    afterMs: Number(row["afterMs"]),
  }));
}

/** What each active member may do now, by a passkey or a token. */
export async function peopleNow(run: HubRun, now: number): Promise<{ id: string; name: string; grants: Grant[] }[]> {
  const rows = await run<Row>(
    `SELECT p.id, p.name, g.role, g.project FROM hub_members p
     JOIN (SELECT member, role, project FROM hub_roles UNION ALL SELECT member, role, project FROM hub_tokens
       WHERE expires_at IS NULL OR expires_at > $1) g ON g.member = p.id
     WHERE p.revoked_at IS NULL ORDER BY p.made_at, p.id`,
    [now],
  );
  const people = new Map<string, { id: string; name: string; grants: Grant[] }>();
  for (const { id, name, role, project } of rows) {
    const person = people.get(String(id)) ?? { id: String(id), name: String(name), grants: [] };
    person.grants.push({ role: String(role), project: project as string | null });
    people.set(person.id, person);
  }
  return [...people.values()];
}

/** Whom this step means who may answer it now. */
export async function peopleOf(
  say: HubRun,
  { type, id }: RouteStep,
  ask: Parameters<typeof mayAnswer>[1],
  now: number,
): Promise<{ id: string; name: string }[]> {
  const group = type === "group" ? (await readGroups(say)).find(({ name }) => name === id) : undefined;
  const isMeant = (member: string) =>
    type === "member" ? member === id : id === EVERYBODY || (group?.members.includes(member) ?? false);
  return (await peopleNow(say, now))
    .filter((person) => isMeant(person.id) && mayAnswer(person.grants, ask))
    .map((person) => ({ id: person.id, name: person.name }));
}

/** Of these, those who may still answer it. */
export async function stillMay<P extends { id: string }>(
  say: HubRun,
  asked: readonly P[],
  ask: Parameters<typeof mayAnswer>[1],
  now: number,
): Promise<P[]> {
  const grants = new Map((await peopleNow(say, now)).map((person) => [person.id, person.grants]));
  return asked.filter(({ id }) => mayAnswer(grants.get(id) ?? [], ask));
}

/** As they are called now: somebody else may have the name of one who was revoked. */
export async function calledNow(run: HubRun): Promise<<T extends { id: string; name: string }>(one: T) => T> {
  const gone = await run<{ id: string; name: string }>("SELECT id, name FROM hub_members WHERE revoked_at > $1", [0]);
  const names = new Map(gone.map(({ id, name }) => [id, name]));
  return (one) => ({ ...one, name: names.get(one.id) ?? one.name });
}
