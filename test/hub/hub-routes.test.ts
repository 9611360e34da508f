import { expect, setDefaultTimeout, test } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { createRouteAdmin } from "../../src/hub/admin/route-admin.ts";
import { createPushService } from "../messengers/push-service.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { HIDDEN, openInside } from "./hub-inside.ts";
import { releasedIsReminded, revokedIsPassedOn, routesAreFollowed } from "./route-cases.ts";

setDefaultTimeout(TEST_MS);
const MINUTE = 60_000;

test("[PE1] a question goes to whom its project, kind and stakes say; each is reminded, then it is the next one's, once over three hubs", () =>
  routesAreFollowed());

test("[PE10] once nobody is on it any more, who was asked is reminded when that was due, not when the claim would have ended", () =>
  releasedIsReminded());

test("[PE11] who was revoked is asked nothing any more: it is the next one's at once, and an answer of theirs on its way is withdrawn or asked back", () =>
  revokedIsPassedOn());

async function pushStage(text = true) {
  const clock = { at: Date.now() };
  const service = await createPushService({ now: () => clock.at });
  const inside = await openInside(undefined, 600_000, undefined, {
    now: () => clock.at,
    push: { text, anywhere: true },
  });
  const { post, hub, records } = inside;
  return {
    clock,
    service,
    ...inside,
    admin: createRouteAdmin(records, () => clock.at),
    /** Somebody at a browser of theirs, which takes pushes. */
    async device(name: string, role = "approver") {
      const headers = await inside.headersOf((await inside.register(await inside.invite(name, role))).entered);
      const { key } = (await (await fetch(`${hub.url}/api/push`, { headers })).json()) as { key: string };
      const played = service.subscribe(key);
      expect((await post("/api/push", { subscription: played.subscription }, headers)).status).toBe(200);
      const types = () => played.received.map(({ type, again }) => (again ? `${type} again` : type));
      const got = (...wanted: string[]) => eventually(() => expect(types()).toEqual(wanted));
      return { headers, got, types, ...played };
    },
    async [Symbol.asyncDispose]() {
      await inside[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

test("[PE2] who it is routed to is told on each of their devices, reminded, and it is taken back everywhere once it is answered", async () => {
  await using stage = await pushStage();
  const { admin, clock, post } = stage;
  const [ada, phone] = [await stage.device("Ada"), await stage.device("Ada")];
  const [bob, eve] = [await stage.device("Bob", "answerer"), await stage.device("Eve", "viewer")];
  await admin.setGroup("ops", ["Bob", "Eve"]);
  await admin.setRoute({ stakes: false, to: ["Ada", "ops"], ms: MINUTE });
  stage.service.faults.push({ status: 503 });
  const id = await stage.ask("question", "site", 1, `Which colour, ${HIDDEN}?`);
  // The service was away for one of them: said again after a while.
  await eventually(async () =>
    expect((await stage.records.dueNotices(clock.at + 9000, 9)).map(({ tries }) => tries)).toEqual([1]),
  );
  clock.at += 3000;
  await Promise.all([ada.got("ask"), phone.got("ask")]);
  expect(ada.received[0]).toMatchObject({ tag: id, actions: [{ title: "Yes" }, { title: "No" }] });
  expect(ada.received[0]?.body).toContain(HIDDEN);
  clock.at += MINUTE;
  await Promise.all([ada.got("ask", "ask again"), phone.got("ask", "ask again")]);
  clock.at += MINUTE;
  await bob.got("ask");
  // Pressed on the phone: as any other answer, once; and gone from all of them.
  const press = (who: typeof ada, message = who.received[0]?.message, option = 1) =>
    post("/api/push/reply", { message, option }, who.headers).then(async (reply) => (await reply.json()) as object);
  expect(await press(bob, ada.received[0]?.message)).toMatchObject({ state: "unknown" });
  expect(await press(phone, phone.received[0]?.message, 7)).toMatchObject({ state: "refused" });
  expect(await press(phone)).toMatchObject({ state: "answered", words: "Answered: No" });
  await Promise.all([ada.got("ask", "ask again", "close"), bob.got("ask", "close")]);
  await phone.got("ask", "ask again", "close");
  expect([ada, phone, bob].flatMap((each) => each.shown())).toEqual([]);
  expect(bob.received.at(-1)?.title).toBe("Answered by Ada");
  const [found] = await stage.records.asksLike(id, null);
  expect(found?.intent).toMatchObject({ name: "Ada", settlement: { answers: [{ picks: [1] }] } });
  // Settled at its machine; and of a browser that is gone nothing is left to send.
  phone.leave();
  const other = await stage.ask("approval");
  await ada.got("ask", "ask again", "close", "ask");
  expect(ada.received.at(-1)?.actions).toEqual([]);
  await stage.settle(other);
  await ada.got("ask", "ask again", "close", "ask", "close");
  expect([eve.types(), stage.service.refused]).toEqual([[], []]);
});

test("[PE3] a push says no word of it unless the hub was told to, and reaches nobody who is signed out, revoked or may not any more", async () => {
  await using stage = await pushStage(false);
  const { admin, records, post, hub } = stage;
  const [ada, bob, cy] = [await stage.device("Ada"), await stage.device("Bob"), await stage.device("Cy")];
  await admin.setRoute({ stakes: false, to: ["everybody"], ms: MINUTE });
  await stage.ask("question");
  await Promise.all([ada.got("ask"), bob.got("ask"), cy.got("ask")]);
  expect(JSON.stringify(ada.received)).not.toContain(HIDDEN);
  expect(ada.received[0]?.actions).toEqual([]);
  expect((await post("/page/leave", {}, bob.headers)).status).toBe(200);
  const member = (await records.members()).find(({ name }) => name === "Cy");
  await records.revoke(member?.id ?? "", stage.clock.at);
  stage.clock.at += MINUTE;
  await stage.ask("question");
  await eventually(() => expect(ada.types().toSorted()).toEqual(["ask", "ask", "ask again"]));
  expect([bob.types(), cy.types()]).toEqual([["ask"], ["ask"]]);
  // A script has no browser; an address inside of the network is none of a push service.
  const token = await stage.token("Script", "admin", null);
  expect((await fetch(`${hub.url}/api/push`, { headers: token })).status).toBe(404);
  expect((await post("/api/push", { subscription: null }, ada.headers)).status).toBe(200);
  await using strict = await openInside();
  const dan = await strict.headersOf((await strict.register(await strict.invite("Dan", "admin"))).entered);
  const inner = await strict.post("/api/push", { subscription: ada.subscription }, dan);
  expect([inner.status, await inner.text()]).toEqual([422, expect.stringContaining("push service")]);
});

test("[PE8] a task that waits for a second person is told to those who may agree, by the routes and never to who gave it, and taken back when it is over", async () => {
  await using stage = await pushStage();
  const { admin, clock, records, post } = stage;
  await records.audit.begin(clock.at);
  await records.takeOffers("a-link-of-this-test", ["site"], clock.at);
  await records.addPolicy({ id: "p", two: true, signed: false, project: null, kind: "task", stake: null }, clock.at);
  const [ada, bob] = [await stage.device("Ada"), await stage.device("Bob")];
  const [cy, dan] = [await stage.device("Cy", "answerer"), await stage.device("Dan", "admin")];
  const give = async (prompt: string, who = ada) => {
    const reply = await post("/api/tasks", { machine: "laptop", project: "site", prompt }, who.headers);
    return ((await reply.json()) as { id: string }).id;
  };
  const act = async (id: string, how: "agree" | "take-back", who: typeof ada) =>
    expect((await post(`/api/tasks/${id}/${how}`, {}, who.headers)).status).toBe(200);
  // Nobody is told without a route; one that is made later is for it too.
  const id = await give(`Tidy up, ${HIDDEN}`);
  expect(await records.dueNotices(clock.at, 9)).toEqual([]);
  await admin.setRoute({ stakes: false, kind: "task", to: ["Ada", "Bob", "everybody"], ms: MINUTE });
  await bob.got("ask");
  expect(bob.received[0]).toMatchObject({
    tag: `task:${id}`,
    title: "Ada wants a task in site on laptop",
    body: `Tidy up, ${HIDDEN}\n\nOpen it to agree.`,
    view: "board",
    actions: [],
  });
  clock.at += MINUTE;
  await bob.got("ask", "ask again");
  clock.at += MINUTE;
  await dan.got("ask");
  await act(id, "agree", dan);
  await Promise.all([bob.got("ask", "ask again", "ask again", "close"), dan.got("ask", "close")]);
  expect(bob.received.at(-1)?.title).toBe("Dan agreed");

  // Taken back, and given by somebody who was revoked since.
  const [back, lost] = [await give("Another"), await give("A third", dan)];
  await bob.got("ask", "ask again", "ask again", "close", "ask");
  await act(back, "take-back", ada);
  await ada.got("ask");
  await records.revoke((await records.members()).find(({ name }) => name === "Dan")?.id ?? "", clock.at);
  await ada.got("ask", "close");
  await bob.got("ask", "ask again", "ask again", "close", "ask", "close");
  expect([ada, bob].flatMap((each) => each.shown())).toEqual([]);
  expect((await records.tasks({ projects: null, limit: 9, like: lost }))[0]?.state).toBe("withdrawn");
  // Who only answers was never told.
  expect(cy.types()).toEqual([]);
  const wrong = admin.setRoute({ stakes: true, kind: "task", to: ["Bob"], ms: MINUTE });
  expect(await wrong.catch((error: Error) => error.message)).toContain("leave out what is at stake");
  expect((await verifyRecords(records.audit, undefined, clock.at)).problems).toEqual([]);
});

test("[PE4] who else is looking is told to those who may see it, ends with the tab and by itself, over two hubs", async () => {
  const clock = { at: Date.now() };
  await using inside = await openInside(undefined, 600_000, undefined, { now: () => clock.at });
  const second = inside.another();
  try {
    const { post, hub } = inside;
    const [ann, vic] = [await inside.token("Ann", "approver", null), await inside.token("Vic", "viewer", "site")];
    const out = await inside.token("Out", "admin", "other");
    const [one, two] = [await inside.ask("question"), await inside.ask("question")];
    const looks = (who: Record<string, string>, ask: string | null, tab = "t") =>
      post("/api/looking", { tab, ask }, who).then(({ status }) => status);
    const seen = async (id: string) => {
      const reply = await fetch(`${second.url}/api/asks/${id}`, { headers: ann });
      return ((await reply.json()) as { looking?: { member: string }[] }).looking?.map(({ member }) => member);
    };
    const { cursor } = (await (await post("/api/news", {}, ann)).json()) as { cursor: string };
    const told = fetch(`${second.url}/api/news`, { method: "POST", headers: ann, body: JSON.stringify({ cursor }) });
    expect([await looks(vic, one), await looks(out, one), await looks({}, one)]).toEqual([200, 404, 401]);
    expect(await (await told).json()).toMatchObject({ asks: [{ id: one, looking: [{ member: "Vic" }] }] });
    expect([await looks(ann, one), await looks(ann, one, "u"), await seen(one)]).toEqual([200, 200, ["Ann", "Vic"]]);
    // Another question, another's tab of the same name, a tab that is closed.
    expect([await looks(vic, two), await seen(one), await seen(two)]).toEqual([200, ["Ann"], ["Vic"]]);
    expect([await looks(ann, null), await seen(one)]).toEqual([200, ["Ann"]]);
    expect([await looks(ann, null, "u"), await seen(one), await seen(two)]).toEqual([200, undefined, ["Vic"]]);
    const later = (await (await post("/api/news", {}, ann)).json()) as { cursor: string };
    const gone = post("/api/news", { cursor: later.cursor }, ann);
    clock.at += 41_000;
    expect(((await (await gone).json()) as { asks: object[] }).asks).toEqual([
      expect.not.objectContaining({ looking: expect.anything() }),
    ]);
    expect(hub.url).not.toBe(second.url);
  } finally {
    await second.stop();
  }
});
