import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ParleyError } from "../../src/core/error.ts";
import type { FormDraft } from "../../src/core/form/form.ts";
import { MAX_DRAFT } from "../../src/protocol/contract.ts";
import { question, request } from "../e2e/api-request.ts";
import { createReceiver, createStage } from "../e2e/notify-stage.ts";
import { createProgram, type Program } from "../e2e/program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const create = () => program.client("agent").call("createAsk", { body: { questions: [question()] } });
const draftOf = (text: string): FormDraft => ({ current: 0, entries: [{ picks: [0], other: false, text, note: "" }] });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code, message }: ParleyError) => ({ code, message }),
  );

test("[IN17] a draft is kept with the daemon, survives its death, is replaced and forgotten", async () => {
  const human = program.client();
  const { id } = await create();
  expect(await human.call("getDraft", { id })).toEqual({ draft: null });
  await human.call("putDraft", { id, body: { draft: draftOf("half"), by: "web" } });
  await human.call("putDraft", { id: id.slice(0, 8), body: { draft: draftOf("half an ans"), by: "inbox" } });
  await program.kill9();
  const kept = await human.call("getDraft", { id });
  expect(kept).toMatchObject({ draft: draftOf("half an ans"), by: "inbox", at: expect.any(Number) });
  await human.call("putDraft", { id, body: { draft: null } });
  expect(await human.call("getDraft", { id })).toEqual({ draft: null });
});

test("[IN18] a draft is no event and outlives the answer of somebody else", async () => {
  const human = program.client();
  const { id } = await create();
  await human.call("putDraft", { id, body: { draft: draftOf("mine"), by: "inbox" } });
  await human.call("settleAsk", { id, body: { action: "answer", answers: [{ picks: [1] }], surface: "web" } });
  expect(await human.call("getDraft", { id })).toMatchObject({ draft: draftOf("mine") });
  const { events } = await human.call("readLog", { query: { ask: id } });
  expect(events.map(({ type }) => type)).toEqual(["ask.captured", "ask.settled"]);
});

test("[IN19] a draft of no Ask, of too much or of another shape is refused", async () => {
  const human = program.client();
  const { id } = await create();
  const put = (to: string, draft: FormDraft) => failure(human.call("putDraft", { id: to, body: { draft } }));
  expect(await put("nothere", draftOf("x"))).toMatchObject({ code: "not_found" });
  expect(await put(id, draftOf("x".repeat(MAX_DRAFT)))).toEqual({
    code: "too_large",
    message: `A draft has at most ${MAX_DRAFT} characters`,
  });
  const sent = { token: program.tokens().human, body: { draft: { entries: 3 } } };
  expect((await request(program, "socket", `PUT /api/asks/${id}/draft`, sent)).status).toBe(422);
  expect(await human.call("getDraft", { id })).toEqual({ draft: null });
});

test("[IN20] parley snooze puts an Ask aside, ls says until when, off brings it back", async () => {
  const { id } = await create();
  const { parley } = program;
  const aside = await parley(["snooze", id.slice(0, 8), "30m"]);
  expect([aside.code, aside.out]).toEqual([0, expect.stringMatching(/^✓ snoozed until (\d\d-\d\d )?\d\d:\d\d\n$/)]);
  const row = async () => (await parley(["ls"])).out.split("\n").find((line) => line.startsWith(id.slice(0, 6)));
  expect(await row()).toMatch(/snoozed until/);
  expect((await parley(["ls"])).out.trim().split("\n").at(-1)).toStartWith(id.slice(0, 6));
  expect((await parley(["show", id])).out).toMatch(/snoozed until .* by cli/);
  expect(await program.client().call("getAsk", { id })).toMatchObject({ state: "open" });
  expect((await parley(["snooze", id, "off"])).out).toBe("✓ back in the list\n");
  expect(await row()).not.toMatch(/snoozed/);
});

test("[IN21] what cannot be snoozed is refused in words", async () => {
  const { id } = await create();
  const { parley } = program;
  expect(await parley(["snooze", id])).toMatchObject({
    code: 2,
    err: "✗ Give an id and a time: parley snooze <id> 30m\n",
  });
  expect((await parley(["snooze", id, "soon"])).err).toBe(
    '✗ time: expected a time such as 90s, 10m or 2h, not "soon"\n',
  );
  await program.client().call("settleAsk", { id, body: { action: "decline" } });
  expect((await parley(["snooze", id, "1h"])).code).toBe(4);
});

test("[IN22] notifications of a snoozed Ask wait: one not sent stays, one sent is taken back and comes again", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(
    `[notify]\nafter_seconds = 10\n[notify.webhook]\nurl = "${receiver.url}/x"\nsecret = "tk_0123456789abcdef"\n`,
  );
  const events = async (count: number) => (await receiver.first(count)).map(({ json }) => json["event"]);
  const snooze = ({ id }: { id: string }, minutes: number) =>
    stage.inbox.change(id, () => [
      { type: "ask.snoozed", until: stage.clock.now + minutes * 60_000, actor: { type: "person", surface: "cli" } },
    ]);
  const ask = await stage.ask();
  await snooze(ask, 5);
  await stage.after(299);
  expect(receiver.requests).toEqual([]);
  await stage.after(1);
  expect(await events(1)).toEqual(["asked"]);
  await stage.notifications.tick();
  await snooze(ask, 10);
  await stage.after(1);
  expect(await events(2)).toEqual(["asked", "snoozed"]);
  await stage.notifications.tick();
  await stage.after(590);
  expect(receiver.requests).toHaveLength(2);
  await stage.after(9);
  expect(await events(3)).toEqual(["asked", "snoozed", "asked"]);
  await stage.notifications.tick();
  const ids = receiver.requests.map(({ headers }) => headers.get("parley-delivery"));
  expect(new Set(ids).size).toBe(3);
  await stage.settle(ask);
  await stage.after(1);
  expect(await events(4)).toEqual(["asked", "snoozed", "asked", "settled"]);
});
