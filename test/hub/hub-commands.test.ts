import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test("[HX14] commands of a hub say what is so: who comes first, whose claim it is, what cannot be answered here, what is shared and what is not", async () => {
  await using stage = await openStage();
  const { machine, project } = stage;
  const hub = await stage.startHub();
  const nobody = await machine.parley(["hub", "members", "--data", `${machine.root}/hub`]);
  expect(nobody.out).toMatch(/first member when it starts; or: parley hub token --member NAME --role admin\n$/);
  const unknown = await fetch(`${hub.url}/metrics`);
  expect([unknown.status, await unknown.text()]).toEqual([401, expect.stringContaining("--member NAME --role viewer")]);

  await stage.join(hub, machine, project, "--without", "previews");
  expect((await machine.parley(["join"])).out).toContain(`; shared:\n  ${project}\nNot told: previews\n`);
  const marks = await machine.parley(["join", "--accept", "one", "two"]);
  expect([marks.code, marks.err]).toEqual([2, expect.stringContaining("each mark has its own --accept")]);

  const [ann, bob] = [await stage.person(hub, "Ann", "answerer"), await stage.person(hub, "Bob", "answerer")];
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { state: "open", machine: { online: true } });
  await bob.client.claim(asked.id);
  const other = await machine.parley(["hub", "claim", asked.id, "--release"], { env: ann.env });
  expect([other.code, other.out, other.err]).toEqual([
    1,
    "",
    expect.stringMatching(/Bob is on it.*nothing was changed/),
  ]);
  await shown(ann.client, asked.id, { claim: { member: "Bob" } });
  const own = await machine.parley(["hub", "claim", asked.id, "--release"], { env: bob.env });
  expect([own.code, own.out]).toEqual([0, expect.stringContaining("✓ nobody is on")]);

  const show = async () => (await machine.parley(["show", asked.id, "--hub"], { env: ann.env })).out;
  expect(await show()).toContain("Answer: parley answer");
  await stage.admin("policy", "--signed");
  const signed = await show();
  expect(signed).toContain("It needs a signature, on the hub's page");
  expect(signed).not.toContain("Answer:");
  asked.child.kill();
});

test("[HX30] a project whose folder has an unusual name is named as lists show it: a token, an invitation and a policy for it count", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const folders = ["two  spaces ", "line\nbreak", `long-${"p".repeat(240)}`].map((name) => join(machine.user, name));
  for (const folder of folders) mkdirSync(folder);
  await stage.join(hub, machine, folders[0], "--project", folders[1]!, "--project", folders[2]!);
  for (const [i, name] of ["two spaces", "line break", `long-${"p".repeat(240)}`].entries()) {
    const [one, other] = [
      await stage.person(hub, `One${i}`, "answerer", "--project", name),
      await stage.person(hub, `Other${i}`, "answerer", "--project", name),
    ];
    await stage.admin("policy", "--two", "--project", name);
    const asked = await stage.ask("Deploy?", folders[i]);
    await shown(one.client, asked.id, { state: "open", needs: { two: true } });
    const answer = (env: Record<string, string>) => machine.parley(["answer", asked.id, "1", "--hub"], { env });
    expect((await answer(one.env)).out).toContain("1 of 2");
    expect((await answer(other.env)).out).toContain("agree; received by");
    expect((await asked.child.exited) === 0).toBe(true);
  }
});

test("[HX31] a name that is too long for a hub is refused: cut off, two people would be one", async () => {
  await using stage = await openStage();
  const place = ["--data", join(stage.machine.root, "hub")];
  const long = "x".repeat(81);
  for (const args of [
    ["token", "--member", long, "--role", "viewer"],
    ["token", "--machine", long, "--project", "site"],
    ["invite", long, "--role", "viewer", "--url", "http://localhost:1"],
    ["group", long, "Ann"],
  ]) {
    const refused = await stage.machine.parley(["hub", ...args, ...place]);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("A name has at most 80 characters")]);
  }
  expect(await stage.admin("token", "--member", "x".repeat(80), "--role", "viewer")).toMatchObject({
    member: "x".repeat(80),
  });
});
