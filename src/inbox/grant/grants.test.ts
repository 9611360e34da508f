import { expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { taskCreated } from "../../../test/contract/store-sample.ts";
import type { HookReading } from "../../agents/capability/reading.ts";
import type { GrantEnd } from "../../core/grant/grant.ts";
import { openMemory } from "../../store/memory.ts";
import { createGrants } from "./grants.ts";

type Asked = HookReading & { type: "asked" };

function stage() {
  const store = openMemory();
  const clock = { now: 1000 };
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "parley-grant-")));
  const grants = createGrants({ store, now: () => clock.now, log: () => undefined });
  const asked = (session = "s1"): Asked => ({
    type: "asked",
    kind: "approval",
    session: { id: session, cwd: folder },
    questions: [
      {
        text: "Allow this command?",
        header: "Bash",
        multiSelect: false,
        options: [
          { label: "Deny", description: "", recommended: false, effect: "deny" },
          { label: "Approve", description: "", recommended: false, effect: "allow" },
        ],
      },
    ],
    match: "m",
    call: { type: "command", command: "npm test" },
    dialogOpen: true,
  });
  return {
    store,
    clock,
    grants,
    asked,
    give: (id: string, end: GrantEnd) =>
      store.append({
        at: clock.now,
        grant: {
          id,
          expected: 0,
          events: [
            {
              type: "grant.given",
              grant: id,
              pattern: { type: "command", text: "npm test" },
              folder,
              end,
              by: { type: "person", surface: "cli" },
            },
          ],
        },
      }),
    idle: (session: string) =>
      store.append({ at: clock.now, session: { id: session, events: [{ type: "session.idle" }] } }),
    state: async (id: string) => (await store.grant(id))?.endReason ?? (await store.grant(id))?.state,
    async dispose() {
      grants.stop();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

test("[GR18] a grant for a time ends on the minute, whether or not anybody swept", async () => {
  const { grants, give, clock, asked, state, dispose } = stage();
  await give("g", { until: 2000 });
  const found = await grants.decide(asked(), undefined);
  expect(found?.outcome).toMatchObject({ type: "answered", answers: [{ picks: [1] }], grant: "g" });
  clock.now = 2000;
  expect(await grants.decide(asked(), undefined)).toBeUndefined();
  expect(await state("g")).toBe("live");
  await grants.sweep();
  expect(await state("g")).toBe("time");
  await dispose();
});

test("[GR19] a grant for a task is for that task alone, and ends with it", async () => {
  const { grants, give, store, asked, state, dispose } = stage();
  await store.append({ at: 1, task: { id: "t1", expected: 0, events: [taskCreated()] } });
  await give("g", { task: "t1" });
  expect(await grants.decide(asked(), undefined)).toBeUndefined();
  expect(await grants.decide(asked(), "t2")).toBeUndefined();
  expect((await grants.decide(asked(), "t1"))?.outcome.grant).toBe("g");
  await store.append({ at: 2, task: { id: "t1", expected: 1, events: [{ type: "task.removed", kept: [] }] } });
  await grants.sweep();
  expect([await state("g"), await grants.decide(asked(), "t1")]).toEqual(["task", undefined]);
  await dispose();
});

test("[GR20] a grant for a plan is for its session, and ends with its turn, also one that ended while nobody looked", async () => {
  const { grants, give, idle, asked, state, dispose, store } = stage();
  await give("g", { plan: "s1" });
  expect(await grants.decide(asked("s2"), undefined)).toBeUndefined();
  expect((await grants.decide(asked("s1"), undefined))?.outcome.grant).toBe("g");
  await idle("s1");
  await grants.sweep();
  expect([await state("g"), await grants.decide(asked("s1"), undefined)]).toEqual(["plan", undefined]);
  grants.stop();
  await give("h", { plan: "s3" });
  await store.append({ at: 1, session: { id: "s3", events: [{ type: "session.ended", reason: "exit" }] } });
  const next = createGrants({ store, now: () => 1000, log: () => undefined });
  await next.sweep();
  expect(await state("h")).toBe("plan");
  next.stop();
  await dispose();
});

test("[GR21] a question, a plan, and a call that names no folder or could do more are never decided by a grant", async () => {
  const { grants, give, asked, dispose } = stage();
  await give("g", { calls: 9 });
  const { call: _call, ...unknown } = asked();
  const others: Asked[] = [
    { ...asked(), kind: "plan" },
    { ...asked(), kind: "question" },
    unknown,
    { ...asked(), session: { id: "s1" } },
  ];
  for (const each of others) expect(await grants.decide(each, undefined)).toBeUndefined();
  expect(await grants.decide(asked(), undefined)).toBeDefined();
  await dispose();
});
