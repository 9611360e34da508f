import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAutopilot } from "../../src/autopilot/autopilot.ts";
import { createReplies } from "../../src/brain/replies.ts";
import { createInbox } from "../../src/inbox/inbox.ts";
import { createConfigFiles } from "../../src/machine/settings/config-file.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import type { Store } from "../../src/store/store.ts";
import { question } from "../sample.ts";
import { RULE } from "./autopilot-stage.ts";
import { holds } from "./program.ts";

let folder: string;
let store: Store;
let pilot: ReturnType<typeof createAutopilot> | undefined;
/** The clock stands still unless it is set. */
let time: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-clock-"));
  store = openSqlite(":memory:");
  time = new Date(2026, 5, 1, 12, 0).getTime();
});
afterEach(async () => {
  pilot?.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(settings: string) {
  const file = join(folder, "config.toml");
  writeFileSync(file, `[autopilot]\nmode = "on"\nundo_seconds = 600\n${settings}\n${RULE}`);
  const inbox = createInbox({ store, now: () => time });
  pilot = createAutopilot({
    store,
    inbox,
    config: createConfigFiles({ env: { PARLEY_CONFIG: file }, cwd: folder }),
    brains: { env: {}, replies: createReplies(), folder, parley: "parley" },
    pauseFile: join(folder, "pauses"),
    userHome: folder,
    now: () => time,
    log: () => {},
  });
  await pilot.start();
  const layout = { ...question("Which layout?", ["Grid", "List"]), header: "Choice" };
  const ask = () =>
    inbox.create({ kind: "question", questions: [layout], origin: { agent: "script" }, key: "k", channel: "fetch" });
  return {
    ask,
    becomes: (id: string, state: string) => holds(async () => (await store.ask(id))?.autopilot?.state === state),
  };
}

test("[LX27] when the quiet hours end, what they kept back goes on", async () => {
  const { ask, becomes } = await begin(`quiet = "11:00-13:00"`);
  const { id } = await ask();
  expect(await becomes(id, "suggested")).toBe(true);
  time = new Date(2026, 5, 1, 12, 59).getTime();
  await pilot?.tick();
  time = new Date(2026, 5, 1, 13, 1).getTime();
  await pilot?.tick();
  expect(await becomes(id, "held")).toBe(true);
});

test("[LX28] when the budget of an hour comes back, what it kept back goes on", async () => {
  const { ask, becomes } = await begin("budget_per_hour = 1");
  const first = await ask();
  expect(await becomes(first.id, "held")).toBe(true);
  time += 1000;
  const { id } = await ask();
  expect(await becomes(id, "suggested")).toBe(true);
  time += 3_700_000;
  await pilot?.tick();
  expect(await becomes(id, "held")).toBe(true);
});
