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
