import { expect, setDefaultTimeout, test } from "bun:test";
import { question } from "../e2e/api-request.ts";
import { TEST_MS } from "../patience.ts";
import { noServer, startCluster } from "./cluster.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const ROUNDS = 15;

test.skipIf(noServer !== undefined)(
  `[HU6] two hubs on one PostgreSQL: of answers at once on both the first wins, the other learns whose; also after the database was killed${noServer === undefined ? "" : ` (skipped: ${noServer})`}`,
  async () => {
    const cluster = await startCluster();
    try {
      await using stage = await openStage({
        place: ["--database", cluster.url.replace("@", "@127.0.0.1:1,") + "?target_session_attrs=read-write"],
        env: { PARLEY_HUB_DATABASE_PASSWORD: "unused" },
      });
      const { machine } = stage;
      const [one, two] = [await stage.startHub(), await stage.startHub()];
      const { ok, findings } = await stage.admin("doctor");
      expect([ok, findings.map(({ check }: { check: string }) => check)]).toEqual([
        true,
        expect.arrayContaining(["notifications"]),
      ]);
      const ann = await stage.person(one, "Ann", "answerer");
      const bob = await stage.person(two, "Bob", "approver");
      await stage.join(one);
      const asked = await stage.ask("Deploy?");
      await shown(bob.client, asked.id, { state: "open", machine: { online: true } });
      await cluster.kill();
      await cluster.start();
      const race = async (id: string) => {
        const answers = await Promise.allSettled([
          ann.client.answer(id, { action: "answer", answers: [{ picks: [0] }] }),
          bob.client.answer(id, { action: "answer", answers: [{ picks: [1] }] }),
        ]);
        const won = answers.findIndex(({ status }) => status === "fulfilled");
        const winner = won === 0 ? "Ann" : "Bob";
        const reason = { code: "already_settled", details: { intent: { member: winner } } };
        expect(answers[1 - won]).toMatchObject({ status: "rejected", reason });
        return winner;
      };
      const winner = await race(asked.id);
      const label = winner === "Ann" ? "Yes" : "No";
      await shown(bob.client, asked.id, { intent: { state: "received", member: winner } });
      expect(await asked.ended).toMatchObject({ code: 0, out: `${label}\n` });
      expect((await machine.client().call("getAsk", { id: asked.id })).outcome?.actor.name).toBe(winner);
      // Often enough that two of them meet in the database.
      const origin = { agent: "script", cwd: stage.project };
      for (let round = 0; round < ROUNDS; round++) {
        const { id } = await machine.client("agent").call("createAsk", { body: { questions: [question()], origin } });
        await shown(ann.client, id, { state: "open" });
        await race(id);
      }
      expect(await cluster.psql("SELECT count(*) FROM parley.hub_intents")).toBe(String(ROUNDS + 1));
    } finally {
      await cluster.remove();
    }
  },
);
