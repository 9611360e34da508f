import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "./program.ts";
import { isIn, isWaiting, openTaskScene } from "./task-scene.ts";

const rules = (choose: string) =>
  `[autopilot]\nmode = "on"\nundo_seconds = 0\n[[autopilot.rules]]\nname = "next"\nmatch = { kind = "next", phase = "execute" }\n${choose}\n`;
const planned = [{ say: "The plan is written.\n\nNext: `/gsd:execute-phase 3`" }];

test("[TU27] a next step that an agent names is proposed or taken as a rule says, as a task that follows; without a rule nobody asks", async () => {
  await using scene = await openTaskScene(`[autopilot]\nmode = "on"\n`);
  expect((await scene.becomes(await scene.give(planned), isIn("done"))).reason).toBeUndefined();

  const file = join(scene.user, ".config/parley/config.toml");
  writeFileSync(file, rules(`choose = "recommended"`));
  const first = await scene.give(planned);
  await scene.becomes(first, isWaiting("next"));
  const asked = await scene.asked(first);
  expect(asked.questions[0]?.text).toBe("Next step (execute): /gsd:execute-phase 3. Go on?");
  expect(await holds(async () => (await scene.ask(asked.id)).autopilot?.state === "suggested")).toBe(true);
  const { autopilot } = await scene.ask(asked.id);
  expect(autopilot?.proposal).toMatchObject({ by: { name: "next" }, answers: [{ picks: [0] }] });
  await scene.pick(asked.id, "Done");
  await scene.becomes(first, isIn("done"));

  writeFileSync(file, rules(`choose = { label = "Go on" }`));
  const second = await scene.becomes(await scene.give(planned), isIn("done"));
  const [, id = ""] = /^goes on by next as (\w+): \/gsd:execute-phase 3$/.exec(second.reason ?? "") ?? [];
  expect((await scene.task(id)).order).toMatchObject({
    prompt: "/gsd:execute-phase 3",
    follows: second.id,
    linked: 1,
    cwd: scene.project,
  });
});
