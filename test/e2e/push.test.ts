import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../patience.ts";
import { database } from "../sample.ts";
import { createPushService } from "../messengers/push-service.ts";
import { createPushStage } from "../messengers/push-stage.ts";

const DELETE = {
  ...database,
  text: "Delete the production database now?",
  options: database.options.map((option, i) => ({ ...option, label: i === 0 ? "Delete it" : "Keep it" })),
};

test("[WP10] a question comes to every device with its buttons; one press answers it, and the others are told who did", async () => {
  await using push = await createPushStage();
  const [pixel, tablet] = [await push.device("Pixel"), await push.device("Tablet")];
  const ask = await push.stage.ask();
  const shown = await pixel.shows("Which database?");
  await tablet.shows("Which database?");
  expect(shown.actions.map(({ title }) => title)).toEqual(["SQLite", "Postgres"]);
  expect(await pixel.press("Postgres")).toEqual({ state: "answered", words: "Answered: Postgres" });
  await eventually(async () => {
    expect((await push.stage.store.ask(ask.id))?.outcome).toMatchObject({
      actor: { type: "person", surface: "push", name: "Pixel" },
    });
    expect([...pixel.shown(), ...tablet.shown()]).toEqual([]);
  });
  expect(tablet.received.at(-1)).toMatchObject({ type: "close", title: "Answered by Pixel (push): Postgres" });
  // Twice is once; and whoever comes later hears what happened.
  expect(await pixel.press("Postgres", shown)).toMatchObject({ state: "answered" });
  expect(await tablet.press("SQLite", tablet.received[0])).toMatchObject({ state: "settled" });
  expect(push.service.refused).toEqual([]);
});

test("[WP11] without notify.push.text a push says nothing of the question, neither when it comes nor when it is over", async () => {
  await using push = await createPushStage({ text: false });
  const pixel = await push.device("Pixel");
  const ask = await push.stage.ask();
  await pixel.shows("A question waits");
  await push.stage.settle(ask);
  await eventually(() => expect(pixel.shown()).toEqual([]));
  const said = JSON.stringify(pixel.received);
  for (const word of ["database", "SQLite", "Postgres", "shop", "Claude"]) expect(said).not.toContain(word);
  expect(pixel.received.flatMap(({ actions }) => actions)).toEqual([]);
  // Nor can anything be pressed that was not shown.
  expect(await pixel.press(0, pixel.received[0])).toMatchObject({ state: "refused" });
});

test("[WP12] what has something at stake, is an approval or too long for a locked screen has no buttons, and a made-up press is refused", async () => {
  await using push = await createPushStage({ more: "buttons_for_approvals = true\nburst = 0\n" });
  const pixel = await push.device("Pixel");
  const long = { ...database, text: `Which one? ${"It matters. ".repeat(60)}` };
  const asks = [
    await push.stage.ask({ questions: [DELETE] }),
    await push.stage.ask({ kind: "approval" }),
    await push.stage.ask({ questions: [long] }),
  ];
  for (const { id } of asks) {
    const sent = await pixel.gets((each) => each.ask === id);
    expect(sent.actions).toEqual([]);
    expect(await pixel.press(0, sent)).toMatchObject({ state: "refused" });
    expect((await push.stage.store.ask(id))?.outcome).toBeUndefined();
  }
});

test("[WP13] a press counts only from the browser that got the notification", async () => {
  await using push = await createPushStage();
  const [pixel, tablet] = [await push.device("Pixel"), await push.device("Tablet")];
  const ask = await push.stage.ask();
  const shown = await pixel.shows("Which database?");
  expect(await tablet.press(0, shown)).toMatchObject({ state: "unknown" });
  expect(await tablet.press(0, { ...shown, message: "made up" })).toMatchObject({ state: "unknown" });
  expect((await push.stage.store.ask(ask.id))?.outcome).toBeUndefined();
});

test.each([404, 410])(
  "[WP14] a device whose service answers %i is dropped, said so, and keeps nobody else from the question",
  async (status) => {
    await using push = await createPushStage();
    const [old, pixel] = [await push.device("Old"), await push.device("Pixel")];
    if (status === 410) old.leave();
    else push.service.faults.push({ status });
    const ask = await push.stage.ask();
    await pixel.shows("Which database?");
    await eventually(() => expect([...push.stage.notifications.push.ids()]).toEqual([pixel.id]));
    await eventually(() =>
      expect(push.stage.logged).toContainEqual({
        level: "warn",
        message: "a device takes no pushes any more",
        fields: { messenger: "push", status },
      }),
    );
    await eventually(async () =>
      expect(await push.stage.store.events({ ask: ask.id, after: 0, limit: 100 })).toContainEqual(
        expect.objectContaining({ data: expect.objectContaining({ messenger: "push", step: "sent", to: "Pixel" }) }),
      ),
    );
  },
);

test("[WP15] one service that is down keeps nobody else from the question, and nobody is told twice", async () => {
  await using push = await createPushStage();
  const [first, second] = [await push.device("First"), await push.device("Second")];
  push.service.faults.push({ status: 503 });
  await push.stage.ask();
  await second.shows("Which database?");
  expect(first.received).toEqual([]);
  // When it is tried again is kept a moment after the other phone shows it.
  const isKept = ({ message }: { message: string }) => message === "notification will be tried again";
  await eventually(() => expect(push.stage.logged.filter(isKept)).toHaveLength(1));
  await push.stage.after(6);
  await first.shows("Which database?");
  await push.stage.after(700);
  expect([first.received.length, second.received.length]).toEqual([1, 1]);
});

test("[WP16] a device that is signed out gets nothing from that moment, and what it has shown answers nothing", async () => {
  await using push = await createPushStage();
  const [pixel, tablet] = [await push.device("Pixel"), await push.device("Tablet")];
  pixel.signOut();
  await push.stage.ask();
  await tablet.shows("Which database?");
  expect(pixel.received).toEqual([]);
  expect([...push.stage.notifications.push.ids()]).toEqual([tablet.id]);
});

test.each([
  "http://push.example.net/x",
  "https://127.0.0.1/x",
  "https://10.1.2.3/x",
  "https://[::1]/x",
  "https://[::ffff:10.0.0.1]/x",
  "https://[fd00::1]/x",
  "https://169.254.169.254/latest",
  "https://localhost/x",
  "https://router.local/x",
  "https://2130706433/x",
  "https://user:pass@push.example.net/x",
  "ftp://push.example.net/x",
  "nothing",
])("[WP17] nothing is pushed to %s", async (endpoint) => {
  await using push = await createPushStage({ private: false });
  const by = { id: "b", name: "Pixel" };
  const subscription = { endpoint, p256dh: "x", auth: "y" };
  const refused: unknown = await push.stage.notifications.push.subscribe(by, subscription).catch(String);
  expect(refused).toContain("No pushes to this browser");
});

test("[WP18] keys and devices outlive the daemon, for their owner's eyes alone; a restart tells nobody twice", async () => {
  await using push = await createPushStage();
  const pixel = await push.device("Pixel");
  const key = await push.stage.notifications.push.key();
  await push.stage.ask();
  await pixel.shows("Which database?");
  await push.stage.restart();
  expect(await push.stage.notifications.push.key()).toBe(key);
  const second = await push.stage.ask({ questions: [{ ...database, text: "Which port?" }] });
  await pixel.gets(({ ask }) => ask === second.id);
  expect(pixel.received).toHaveLength(2);
  const file = join(push.stage.home, "push-devices.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { vapid } = JSON.parse(readFileSync(file, "utf8")) as { vapid: { privateKey: string } };
  expect(JSON.stringify(push.stage.logged)).not.toContain(vapid.privateKey);
});

test("[WP19] a test of the messenger is proved by the press of its button", async () => {
  await using push = await createPushStage();
  const pixel = await push.device("Pixel");
  const tested = push.stage.notifications.test("push", 60_000);
  await pixel.shows("This is a test.");
  await pixel.press("It works");
  expect((await tested).channels).toEqual([
    { channel: "push", result: "sent", detail: "sent to Pixel; Pixel pressed its button, and that came back" },
  ]);
});

test("[WP20] a reminder rings again in the place of the first", async () => {
  await using push = await createPushStage({ more: "remind_minutes = 1\n" });
  const pixel = await push.device("Pixel");
  const { id } = await push.stage.ask();
  const first = await pixel.shows("Which database?");
  // The minute begins when the service has said that it has it, a moment after the phone shows it.
  await eventually(async () =>
    expect(await push.stage.store.events({ ask: id, after: 0, limit: 100 })).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ messenger: "push", step: "sent" }) }),
    ),
  );
  await push.stage.after(61);
  expect(await pixel.gets(({ again }) => again === true)).toMatchObject({ tag: first.tag, message: first.message });
});

test("[RE5] what a service perhaps has is sent again in its own place, and taken back if it was settled meanwhile", async () => {
  await using push = await createPushStage();
  const pixel = await push.device("Pixel");
  push.service.faults.push("cut-after");
  const lost = await push.stage.ask();
  await pixel.shows("Which database?");
  await eventually(() => expect(push.stage.logged.map(({ message }) => message)).toContain("a device was not reached"));
  await push.stage.after(6);
  await eventually(() => expect(pixel.received).toHaveLength(2));
  expect(new Set(pixel.received.map(({ tag, message }) => `${tag} ${message}`)).size).toBe(1);
  await push.stage.settle(lost);
  await eventually(() => expect(pixel.shown()).toEqual([]));
  // Nobody has said that this one is out when it is settled.
  push.service.faults.push("cut-after");
  const second = await push.stage.ask({ questions: [{ ...database, text: "Which port?" }] });
  await pixel.shows("Which port?");
  await push.stage.settle(second);
  await push.stage.after(1);
  await eventually(() => expect(pixel.shown()).toEqual([]));
});

test.each([
  [400, "answered 400"],
  [401, "it does not take what this machine signs"],
  [403, "it does not take what this machine signs"],
  [413, "answered 413"],
])("[RE6] a service that answers %i is not asked again for this one, and why says so", async (status, words) => {
  await using push = await createPushStage();
  const pixel = await push.device("Pixel");
  push.service.faults.push({ status });
  const ask = await push.stage.ask();
  await eventually(async () =>
    expect(await push.stage.store.events({ ask: ask.id, after: 0, limit: 100 })).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({ messenger: "push", step: "failed", words: expect.stringContaining(words) }),
      }),
    ),
  );
  await push.stage.after(700);
  expect(pixel.received).toEqual([]);
  // It is there for the next one.
  await push.stage.ask({ questions: [{ ...database, text: "Which port?" }] });
  await pixel.shows("Which port?");
});

test("[RE7] a service that says how long to wait is left alone for so long; phones of another one are told at once", async () => {
  await using push = await createPushStage();
  await using other = await createPushService({ now: () => push.stage.clock.now });
  const pixel = await push.device("Pixel");
  const tablet = await push.device("Tablet", other);
  push.service.faults.push({ status: 429, retryAfter: 300 });
  await push.stage.ask();
  await tablet.shows("Which database?");
  const second = await push.stage.ask({ questions: [{ ...database, text: "Which port?" }] });
  await tablet.gets(({ ask }) => ask === second.id);
  // Its wait begins when that is kept, a moment after the other phone shows it.
  const waits = () => push.stage.logged.filter(({ message }) => message.endsWith("waits as long as the service says"));
  await eventually(() => expect(waits()).toHaveLength(2));
  await push.stage.after(200);
  expect([pixel.received, push.service.faults]).toEqual([[], []]);
  await push.stage.after(101);
  await pixel.shows("Which database?");
  await pixel.shows("Which port?");
  expect(tablet.received).toHaveLength(2);
  // Its end is told to each once, however long another service is away.
  push.service.faults.push({ status: 503 }, { status: 503 }, { status: 503 });
  await push.stage.settle(second);
  await eventually(() => expect(tablet.received).toHaveLength(3));
  await eventually(async () => {
    await push.stage.after(121);
    expect(pixel.received.at(-1)?.type).toBe("close");
  });
  expect(tablet.received.filter(({ type }) => type === "close")).toHaveLength(1);
});

test("[RE8] an answer that no agent takes is told on the phone that gave it, and on no other", async () => {
  await using push = await createPushStage();
  const [pixel, tablet] = [await push.device("Pixel"), await push.device("Tablet")];
  const ask = await push.stage.ask();
  await pixel.shows("Which database?");
  await pixel.press("Postgres");
  await eventually(() => expect(tablet.received.at(-1)?.type).toBe("close"));
  await push.stage.after(16);
  const kept = await pixel.gets(({ type }) => type === "say");
  expect(kept.body).toMatch(/^… saved: .*Postgres.*Claude Code has not picked it up yet/);
  const actor = { type: "system", surface: "daemon" };
  const outcome = { type: "withdrawn", reason: "session-ended", actor, at: push.stage.clock.now };
  await push.stage.inbox.change(ask.id, () => [{ type: "ask.ended", key: "k", outcome } as never]);
  await pixel.gets(({ body }) => body.startsWith("⚠ Your answer did not reach Claude Code: it ended before"));
  expect(tablet.received.filter(({ type }) => type === "say")).toEqual([]);
});

test("[RE15] a service that never answers is not waited for", async () => {
  await using push = await createPushStage();
  await push.device("Pixel");
  push.service.faults.push("hang");
  const gone = new AbortController();
  const tested = push.stage.notifications.test("push", 0, gone.signal);
  await eventually(() => expect(push.service.faults).toEqual([]));
  gone.abort();
  expect((await tested).channels).toMatchObject([
    { result: "failed", detail: expect.stringContaining("cannot be reached") },
  ]);
});
