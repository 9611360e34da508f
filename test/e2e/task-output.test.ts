import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isWaiting, openTaskScene, type TaskScene } from "./task-scene.ts";

/** Much more than any question holds, in one line. */
const MEGABYTES = 48;
const FLOOD = `head -c ${MEGABYTES * 1024 * 1024} /dev/zero | tr '\\0' x`;
const LEFT_OUT = /^begins x+\n… 48\.0 MiB left out …\nx+ ends$/;

let scene: TaskScene;
beforeAll(async () => {
  scene = await openTaskScene("retry_backoff_seconds = 1");
});
afterAll(() => scene.dispose());

test.each([
  ["stdout", ""],
  ["stderr", " >&2"],
])("[EN12] a check that floods %s is shown by its first and its last words", async (_where, to) => {
  const gate = `{ printf 'begins '; ${FLOOD}; printf ' ends'; }${to}; exit 4`;
  const id = await scene.give([{ say: "Finished." }], { gate });
  const { checked } = await scene.becomes(id, isWaiting("gate"));
  expect(checked?.output).toMatch(LEFT_OUT);
  expect(checked?.output.length).toBeLessThan(4000);
  const ask = await scene.asked(id);
  expect(ask.questions[0]?.body).toBe(checked?.output ?? "");
  await scene.pick(ask.id, "Cancel");
});

test("[EN12] an agent that dies with a flood on stderr is shown by its first and its last words", async () => {
  const agent = join(scene.root, "bin/claude");
  const before = readFileSync(agent, "utf8");
  writeFileSync(agent, `#!/bin/sh\n{ printf 'begins '; ${FLOOD}; printf ' ends'; } >&2\nexit 3\n`);
  chmodSync(agent, 0o755);
  const id = await scene.give([{ say: "never" }]);
  const ask = await scene.asked(id);
  expect(ask.questions[0]?.body).toMatch(LEFT_OUT);
  await scene.pick(ask.id, "Cancel");
  writeFileSync(agent, before);
});
