import { expect } from "bun:test";
import { createRouteAdmin } from "../../src/hub/admin/route-admin.ts";
import { HUB_PATHS } from "../../src/protocol/hub/hub-address.ts";
import type { HubAskView } from "../../src/protocol/hub/hub.ts";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { eventually } from "../patience.ts";
import { openInside } from "./hub-inside.ts";

const MINUTE = 60_000;
const YES = { action: "answer", answers: [{ picks: [0] }] };

/**
 * Whom questions go to, over the HTTP of hubs side by side, on any engine. `beside`: opens the same records once more, for
 * another hub.
 */
export async function routesAreFollowed(database?: HubDatabase, beside?: () => Promise<HubDatabase>): Promise<void> {
  const clock = { at: Date.now() };
  await using inside = await openInside(database, 600_000, undefined, { now: () => clock.at });
  const { records, post, hub } = inside;
  const second = inside.another(await beside?.());
  const third = inside.another(await beside?.());
  try {
    const people = {
      Ada: await inside.token("Ada", "approver", null),
      Bob: await inside.token("Bob", "answerer", null),
      Cy: await inside.token("Cy", "approver", "site"),
      Vic: await inside.token("Vic", "viewer", null),
    };
    const admin = createRouteAdmin(records, () => clock.at);
    const read = async (id: string, who = people.Vic) =>
      (await (await fetch(`${hub.url}/api/asks/${id}`, { headers: who })).json()) as HubAskView;
    const isWith = async (id: string, step: number, reminded: boolean, ...names: string[]) =>
      eventually(async () => {
        const { route } = await read(id);
        expect(route).toMatchObject({ step, reminded });
        expect(route?.people.map(({ member }) => member).toSorted()).toEqual(names);
      });
    const listed = async (who: Record<string, string>, query: string) => {
      const { asks } = (await (await fetch(`${hub.url}/api/asks?${query}`, { headers: who })).json()) as {
        asks: HubAskView[];
      };
      return asks.map(({ id }) => id);
    };
    const early = await inside.ask("question");
    await admin.setGroup("ops", ["Bob", "Cy", "Vic"]);
    const refused = await admin
      .setRoute({ stakes: false, to: ["Nobody"], ms: MINUTE })
      .catch((error: unknown) => String(error));
    expect(refused).toContain("No member and no group");
    await admin.setRoute({ stakes: false, to: ["everybody"], ms: MINUTE });
    await admin.setRoute({ stakes: false, project: "site", to: ["Ada", "ops"], ms: MINUTE });
    await admin.setRoute({ stakes: false, kind: "approval", to: ["Vic", "Bob", "ops"], ms: MINUTE });
    await admin.setRoute({ stakes: true, project: "site", kind: "question", to: ["Cy"], ms: MINUTE });
    // What waited before goes to whom it went first; the most exact one counts for what comes.
    await isWith(early, 0, false, "Ada", "Bob", "Cy");
    const plain = await inside.ask("question", "site", 1, "Which colour?");
    await isWith(plain, 0, false, "Ada");
    const risky = await inside.ask("question", "site", 1, "Shall I delete the production database?");
    await isWith(risky, 0, false, "Cy");
    // Neither a viewer nor an answerer may approve: it is the next one's who may.
    const elsewhere = await inside.ask("approval", "other");
    const { route } = await read(elsewhere);
    expect([route?.people, route?.next]).toEqual([[], undefined]);
    expect(await listed(people.Ada, "for=me")).toEqual([early, plain]);
    expect(await listed(people.Vic, "for=Cy&machine=laptop")).toEqual([early, risky]);
    expect([await listed(people.Vic, "for=me"), await listed(people.Vic, "for=Cy&machine=other")]).toEqual([[], []]);

    // Reminded, then the next; not while somebody is on it; then it stops. Three hubs look, one does it.
    const pass = async (ms: number) => (clock.at += ms);
    expect((await post(`/api/asks/${plain}/claim`, {}, people.Ada)).status).toBe(200);
    await pass(MINUTE);
    await isWith(early, 0, true, "Ada", "Bob", "Cy");
    await isWith(risky, 0, true, "Cy");
    await isWith(plain, 0, false, "Ada");
    await post(`/api/asks/${risky}/answer`, YES, people.Cy);
    await pass(10 * MINUTE);
    await isWith(plain, 0, true, "Ada");
    await third.stop();
    await pass(MINUTE);
    await isWith(plain, 1, false, "Ada", "Bob", "Cy");
    await pass(MINUTE);
    await isWith(plain, 1, true, "Ada", "Bob", "Cy");
    expect((await read(plain)).route?.next).toBeUndefined();
    // An answer that comes to nothing: it is theirs again, and said so.
    expect((await post(`/api/asks/${plain}/answer`, YES, people.Bob)).status).toBe(200);
    expect((await post(`/api/asks/${plain}/take-back`, {}, people.Bob)).status).toBe(200);
    const marks = await eventually(async () => {
      const found = (await Array.fromAsync(records.audit.rows()))
        .filter(({ kind }) => kind.startsWith("ask.r"))
        .map(({ kind, by, facts }) => ({ kind, by, ...(JSON.parse(facts) as { ask: string; step: number | null }) }))
        .filter(({ ask }) => ask === plain);
      expect(found).toHaveLength(5);
      return found;
    });
    expect(marks.map(({ kind, by, step }) => [kind, by, step])).toEqual([
      ["ask.routed", "hub", 0],
      ["ask.reminded", "hub", 0],
      ["ask.routed", "hub", 1],
      ["ask.reminded", "hub", 1],
      ["ask.reminded", "hub", 1],
    ]);
    expect(await verifyRecords(records.audit, undefined, clock.at)).toMatchObject({ problems: [] });
    // An admin by their page, on this engine too.
    const root = await inside.token("Root", "admin", null);
    for (const change of [
      { change: "remove-route", stakes: true, project: "site", kind: "question" },
      { change: "set-group", name: "ops", members: ["Root"] },
      { change: "set-policy", two: true, signed: true },
    ])
      expect((await post(HUB_PATHS.rules, change, root)).status).toBe(200);
    expect(await admin.routes()).toHaveLength(3);
    expect(await verifyRecords(records.audit, undefined, clock.at)).toMatchObject({ problems: [] });
  } finally {
    await second.stop();
  }
}

/** Somebody was on it for a long time, and is not any more: what was due meanwhile is done then. */
export async function releasedIsReminded(database?: HubDatabase): Promise<void> {
  const clock = { at: Date.now() };
  await using inside = await openInside(database, 480 * MINUTE, undefined, { now: () => clock.at });
  const { records, post, hub } = inside;
  const ada = await inside.token("Ada", "approver", null);
  const bob = await inside.token("Bob", "approver", null);
  await createRouteAdmin(records, () => clock.at).setRoute({ stakes: false, to: ["Ada"], ms: MINUTE });
  const [one, two, seen] = [await inside.ask("question"), await inside.ask("question"), await inside.ask("question")];
  const reminded = (id: string, is: boolean) =>
    eventually(async () => {
      const ask = (await (await fetch(`${hub.url}/api/asks/${id}`, { headers: ada })).json()) as HubAskView;
      expect(ask.route?.reminded).toBe(is);
    });
  for (const id of [one, two]) expect((await post(`/api/asks/${id}/claim`, {}, bob)).status).toBe(200);
  clock.at += MINUTE;
  // What comes after them was looked at: so were they.
  await reminded(seen, true);
  for (const id of [one, two]) await reminded(id, false);
  expect((await post(`/api/asks/${one}/release`, {}, bob)).status).toBe(200);
  await reminded(one, true);
  await reminded(two, false);
  const member = (await records.members()).find(({ name }) => name === "Bob")?.id ?? "";
  await records.revoke(member, clock.at);
  await reminded(two, true);
}

/** Whoever is revoked is asked nothing any more, and what they sent does nothing more. */
export async function revokedIsPassedOn(database?: HubDatabase): Promise<void> {
  const clock = { at: Date.now() };
  await using inside = await openInside(database, 480 * MINUTE, undefined, { now: () => clock.at });
  const { records, post, hub, machine } = inside;
  await records.audit.begin(clock.at);
  const ada = await inside.token("Ada", "admin", null);
  const [bob, cy] = [await inside.token("Bob", "approver", null), await inside.token("Cy", "approver", null)];
  const admin = createRouteAdmin(records, () => clock.at);
  await admin.setGroup("ops", ["Bob", "Cy"]);
  await admin.setRoute({ stakes: false, to: ["Bob", "Ada"], ms: 60 * MINUTE });
  await admin.setRoute({ stakes: false, kind: "plan", to: ["ops", "Ada"], ms: 60 * MINUTE });
  await admin.setRoute({ stakes: false, kind: "elicitation", to: ["Ada", "Bob"], ms: MINUTE });
  const read = async (id: string) =>
    (await (await fetch(`${hub.url}/api/asks/${id}`, { headers: ada })).json()) as HubAskView;
  const isWith = (id: string, steps: string[], step: number, ...names: string[]) =>
    eventually(async () => {
      const { route } = await read(id);
      expect([route?.steps.map(({ name }) => name), route?.step]).toEqual([steps, step]);
      expect(route?.people.map(({ member }) => member).toSorted()).toEqual(names);
    });
  const [alone, grouped, claimed, last] = [
    await inside.ask("question"),
    await inside.ask("plan"),
    await inside.ask("question"),
    await inside.ask("elicitation"),
  ];
  await isWith(alone, ["Bob", "Ada"], 0, "Bob");
  await isWith(grouped, ["ops", "Ada"], 0, "Bob", "Cy");
  clock.at += MINUTE;
  await eventually(async () => expect((await read(last)).route?.reminded).toBe(true));
  clock.at += MINUTE;
  await isWith(last, ["Ada", "Bob"], 1, "Ada", "Bob");
  expect((await post(`/api/asks/${claimed}/claim`, {}, cy)).status).toBe(200);
  // On its way: its machine was not told of one, and may have the other.
  const [away, told] = [await inside.ask("question"), await inside.ask("question")];
  for (const id of [told, away]) {
    expect((await post(`/api/asks/${id}/answer`, YES, bob)).status).toBe(200);
    if (id === told) expect((await records.unsettled(machine.id, 0)).intents).toHaveLength(1);
  }
  const member = (await records.members()).find(({ name }) => name === "Bob")?.id ?? "";
  await records.revoke(member, clock.at);
  expect((await read(away)).intent).toMatchObject({ state: "withdrawn", detail: "Who gave it was revoked" });
  expect((await read(told)).intent?.state).toBe("sent");
  expect(await records.takeBacks()).toMatchObject([{ ask: told }]);
  expect((await records.unsettled(machine.id, 1)).intents).toEqual([]);
  // Where nobody else was asked it is the next one's now; not while somebody is on it.
  for (const id of [alone, away]) await isWith(id, ["Ada"], 0, "Ada");
  await isWith(grouped, ["ops", "Ada"], 0, "Cy");
  await isWith(last, ["Ada"], 0, "Ada");
  await isWith(claimed, ["Bob", "Ada"], 0);
  const listed = (await (await fetch(`${hub.url}/api/asks?for=Bob`, { headers: ada })).json()) as { asks: object[] };
  expect(listed.asks).toEqual([]);
  expect((await post(`/api/asks/${claimed}/release`, {}, cy)).status).toBe(200);
  await isWith(claimed, ["Ada"], 0, "Ada");
  // The machine has the last word.
  const word = { n: 1, state: "withdrawn", detail: "Taken back" };
  expect(await records.takeReceipt("a-link-of-this-test", word, clock.at)).toBe(true);
  await isWith(told, ["Ada"], 0, "Ada");
  expect((await post(`/api/asks/${away}/answer`, YES, ada)).status).toBe(200);
  expect(await verifyRecords(records.audit, undefined, clock.at)).toMatchObject({ problems: [] });
}
