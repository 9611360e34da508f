import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { noServer, startCluster } from "./cluster.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test.skipIf(noServer !== undefined)(
  `[HU6] two hubs on one PostgreSQL: of answers at once on both the first wins, the other learns whose; also after the database was killed${noServer === undefined ? "" : ` (skipped: ${noServer})`}`,
  async () => {
    const cluster = await startCluster();
    try {
      await using stage = await openStage({ place: ["--database", cluster.url] });
      const { machine } = stage;
      const [one, two] = [await stage.startHub(), await stage.startHub()];
      const { ok, findings } = await stage.admin("doctor");
      expect([ok, findings.map(({ check }: { check: string }) => check)]).toEqual([true, expect.arrayContaining(["notifications"])]);
      const ann = await stage.person(one, "Ann", "answerer");
      const bob = await stage.person(two, "Bob", "approver");
      await stage.join(one);
      const asked = await stage.ask("Deploy?");
      await shown(bob.client, asked.id, { state: "open", machine: { online: true } });
      await cluster.kill();
      await cluster.start();
      const answers = await Promise.allSettled([
        ann.client.answer(asked.id, { action: "answer", answers: [{ picks: [0] }] }),
        bob.client.answer(asked.id, { action: "answer", answers: [{ picks: [1] }] }),
      ]);
      const won = answers.findIndex(({ status }) => status === "fulfilled");
      const [winner, label] = won === 0 ? ["Ann", "Yes"] : ["Bob", "No"];
      const lost = answers[1 - won];
      expect(lost).toMatchObject({ reason: { code: "already_settled", details: { intent: { member: winner } } } });
      await shown(bob.client, asked.id, { intent: { state: "received", member: winner } });
      expect(await asked.ended).toMatchObject({ code: 0, out: `${label}\n` });
      expect((await machine.client().call("getAsk", { id: asked.id })).outcome?.actor.name).toBe(winner);
      expect(await cluster.psql("SELECT count(*) FROM parley.hub_intents")).toBe("1");
    } finally {
      await cluster.remove();
    }
  },
);
