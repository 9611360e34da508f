import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askOf } from "../../../../test/sample.ts";
import type { HubClient } from "../../../client/hub-client.ts";
import { pathsIn } from "../../../machine/home.ts";
import type { HubAskView } from "../../../protocol/hub/hub.ts";
import { hubMismatches, noteHubAnswer } from "./hub-answers.ts";

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "parley-hub-answers-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));
const URL_OF = "https://hub.example.net";

/** A hub in which each question is over; it notes which ones it was asked about. */
function playedHub() {
  const asked: string[] = [];
  const hub = {
    url: URL_OF,
    me: async () => ({ id: "ann", name: "Ann", grants: [] }),
    async ask(id: string) {
      asked.push(id);
      return { ...askOf(), id, state: "closed", machine: { id: "m", name: "laptop", online: true } } as HubAskView;
    },
  };
  return { hub: hub as unknown as HubClient, asked };
}

test("[HP9] of answers that several shells give at the same time none is forgotten, and each is looked at once", async () => {
  const script = join(home, "answers.ts");
  const names = (shell: number) => Array.from({ length: 6 }, (_, i) => `a${shell}x${i}`);
  writeFileSync(
    script,
    `import { noteHubAnswer } from ${JSON.stringify(join(import.meta.dir, "hub-answers.ts"))};
     import { pathsIn } from ${JSON.stringify(join(import.meta.dir, "../../../machine/home.ts"))};
     for (const ask of process.argv.slice(2)) noteHubAnswer(pathsIn(${JSON.stringify(home)}), { hub: ${JSON.stringify(URL_OF)}, ask });`,
  );
  const shells = [0, 1, 2, 3].map((shell) => Bun.spawn([process.execPath, script, ...names(shell)]));
  for (const shell of shells) expect(await shell.exited).toBe(0);
  const first = playedHub();
  await hubMismatches(pathsIn(home), first.hub);
  expect(first.asked.toSorted()).toEqual([0, 1, 2, 3].flatMap(names).toSorted());
  const second = playedHub();
  await hubMismatches(pathsIn(home), second.hub);
  expect(second.asked).toEqual([]);
});

test("[HP9] more than fifty are not kept: the newest are", async () => {
  for (let i = 0; i < 60; i++) noteHubAnswer(pathsIn(home), { hub: URL_OF, ask: `n${i}` });
  const { hub, asked } = playedHub();
  await hubMismatches(pathsIn(home), hub);
  expect(asked.length).toBe(50);
  expect(asked).toContain("n59");
});
