import { expect, setDefaultTimeout, test } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { digestOf } from "../../src/hub/digest.ts";
import { createPolicyAdmin } from "../../src/hub/admin/policy-admin.ts";
import { createRouteAdmin } from "../../src/hub/admin/route-admin.ts";
import { HUB_PATHS } from "../../src/protocol/hub/hub-address.ts";
import type { HubRules, RuleChange } from "../../src/protocol/hub/hub-rules.ts";
import { TEST_MS } from "../patience.ts";
import { openInside } from "./hub-inside.ts";

setDefaultTimeout(TEST_MS);
const MINUTE = 60_000;

test("[TM20] routes, groups and policies over HTTP: in the order that counts, of one's own projects, with the command's checks and words, in the log by who did it", async () => {
  await using inside = await openInside();
  const { records, hub, post } = inside;
  const [ann, bob] = [await inside.token("Ann", "admin", null), await inside.token("Bob", "viewer", "site")];
  const read = async (who: Record<string, string>) =>
    (await (await fetch(`${hub.url}${HUB_PATHS.rules}`, { headers: who })).json()) as HubRules;
  const change = async (wish: RuleChange, who = ann) => {
    const reply = await post(HUB_PATHS.rules, wish, who);
    const said = (await reply.json()) as HubRules & { error?: { message: string } };
    return { status: reply.status, said, message: said.error?.message };
  };
  expect(await read(bob)).toMatchObject({ routes: [], groups: [], policies: [] });
  await change({ change: "set-group", name: "ops", members: ["Ann", "Bob"] });
  await change({ change: "set-route", stakes: false, to: ["everybody"], ms: MINUTE });
  await change({ change: "set-route", stakes: true, to: ["Bob"], ms: MINUTE });
  await change({ change: "set-route", stakes: false, project: "other", to: ["Ann"], ms: MINUTE });
  await change({
    change: "set-route",
    stakes: false,
    project: " site ",
    kind: "approval",
    to: ["ops", "Ann"],
    ms: MINUTE,
  });
  const { said } = await change({ change: "set-policy", two: true, signed: false, project: "other" });
  await change({ change: "set-policy", two: true, signed: false, project: "other" });
  const about = ({ routes }: HubRules) => routes.map(({ project, kind, stakes }) => [project, kind, stakes]);
  expect(about(await read(ann))).toEqual([
    ["site", "approval", false],
    ["other", null, false],
    [null, null, true],
    [null, null, false],
  ]);
  expect((await read(ann)).policies).toHaveLength(1);
  // Of one's own projects alone; the same as the command shows to whoever sees all.
  const seen = await read(bob);
  expect([about(seen).map(([project]) => project), seen.policies]).toEqual([["site", null, null], []]);
  expect(await createRouteAdmin(records, Date.now).routes()).toEqual((await read(ann)).routes);

  const refused: [RuleChange, string][] = [
    [{ change: "set-route", stakes: false, to: ["Eve"], ms: 1 }, 'No member and no group is called "Eve"'],
    [{ change: "set-route", stakes: false, to: [], ms: 1 }, "To whom?"],
    [{ change: "set-route", stakes: false, project: " ", to: ["Ann"], ms: 1 }, "Of which project?"],
    [{ change: "remove-route", stakes: false, project: "none" }, "There is no such route"],
    [{ change: "set-group", name: "everybody", members: ["Ann"] }, "A group cannot be called"],
    [{ change: "set-group", name: "ops", members: [] }, "Who is in it?"],
    [{ change: "set-policy", two: false, signed: false }, "What is demanded of it?"],
    [{ change: "set-policy", two: true, signed: false, kind: "wish" }, "--kind: one of"],
    [{ change: "set-policy", two: true, signed: false, instead: "zzz" }, "No such policy"],
    [{ change: "remove-policy", id: "zzz" }, "No such policy"],
  ];
  const before = await read(ann);
  for (const [wish, words] of refused) expect((await change(wish)).message).toContain(words);
  expect((await change({ change: "remove-group", name: "ops" }, bob)).status).toBe(403);
  expect((await post(HUB_PATHS.rules, { change: "set-route", stakes: 1 }, ann)).status).toBe(422);
  expect(await read(ann)).toEqual(before);

  // Changed in one step; then gone, each by whoever did it, and the log says the same as what is kept.
  const [policy] = said.policies;
  await change({ change: "set-policy", two: true, signed: true, kind: "plan", instead: policy?.id ?? "" });
  await createPolicyAdmin(records, Date.now).addPolicy({ two: false, signed: true });
  await change({ change: "remove-route", stakes: true });
  await change({ change: "remove-group", name: "ops" });
  const after = await read(ann);
  expect(after.policies.map(({ two, signed, kind }) => [two, signed, kind])).toEqual([
    [true, true, "plan"],
    [false, true, null],
  ]);
  expect([after.routes.length, after.groups]).toEqual([3, []]);
  const { problems } = await verifyRecords(records.audit, undefined, Date.now());
  expect(problems).toEqual([]);
  const [member] = await records.members();
  const log = (await Array.fromAsync(records.audit.rows()))
    .filter(({ kind }) => /^(route|group|policy)\./.test(kind))
    .map(({ kind, by }) => `${kind} ${by === member?.id ? "Ann" : by}`);
  expect(log).toEqual([
    "group.set Ann",
    ...Array.from({ length: 4 }, () => "route.set Ann"),
    "policy.made Ann",
    "policy.removed Ann",
    "policy.made Ann",
    "policy.made host",
    "route.removed Ann",
    "group.removed Ann",
  ]);
});

test("[TM21] an admin who is revoked while they change something either did it before, or never does", async () => {
  await using inside = await openInside();
  const { records, post } = inside;
  for (let round = 0; round < 8; round++) {
    const headers = await inside.token(`Eve ${round}`, "admin", null);
    const member = (await records.members()).find(({ name }) => name === `Eve ${round}`)?.id ?? "";
    const wish = { change: "set-group", name: `of ${round}`, members: [member] };
    const [reply] = await Promise.all([post(HUB_PATHS.rules, wish, headers), records.revoke(member, Date.now())]);
    const made = (await records.groups()).some(({ name }) => name === `of ${round}`);
    expect([round, made]).toEqual([round, reply.ok]);
    expect((await post(HUB_PATHS.rules, wish, headers)).status).toBe(401);
  }
  // Whoever passed the door before they were revoked is stopped where it is written.
  const late = await inside.token("Late", "admin", null);
  const who = await records.members();
  await records.revoke(who.find(({ name }) => name === "Late")?.id ?? "", Date.now());
  const token = digestOf(late["authorization"]?.slice(7) ?? "");
  const tried = await createPolicyAdmin(records, Date.now, { token })
    .addPolicy({ two: true, signed: false })
    .catch((error: unknown) => String(error));
  expect([tried, await records.policies()]).toEqual([expect.stringContaining("Only an admin"), []]);
});
