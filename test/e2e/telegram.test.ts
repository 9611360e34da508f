import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { database, features, question } from "../sample.ts";
import { eventually } from "../patience.ts";
import { ANN, createTelegramStage, pairWith } from "../messengers/telegram-stage.ts";
import { TOKEN } from "../messengers/telegram-service.ts";

const outcomeOf = async ({ store }: { store: { ask(id: string): Promise<unknown> } }, id: string) =>
  ((await store.ask(id)) as { outcome?: unknown }).outcome;
const logOf = async (stage: Awaited<ReturnType<typeof createTelegramStage>>["stage"], id: string) =>
  (await stage.store.events({ ask: id, after: 0, limit: 100 }))
    .filter(({ type }) => type === "ask.messaged")
    .map(({ data }) => [data["messenger"], data["step"], data["to"]]);

test("[MG1] a press answers the question as that person, and the message says so", async () => {
  await using tg = await createTelegramStage();
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  expect(shown.text).toContain("shop · Claude Code\n\nWhich database?\n\n1. SQLite\n2. Postgres");
  expect(shown.buttons.map(({ text }) => text)).toEqual(["1. SQLite", "2. Postgres"]);
  const query = tg.service.press(ANN, shown.id, "Postgres");
  expect(await tg.told(query)).toBe("Answered: Postgres");
  expect(await outcomeOf(tg.stage, ask.id)).toMatchObject({
    type: "answered",
    actor: { type: "person", surface: "telegram", name: "Ann" },
    answers: [{ picks: [1] }],
  });
  const marked = await tg.says(shown.id, "✓ Answered by Ann (telegram): Postgres");
  expect(marked.buttons).toEqual([]);
  expect(marked.text).toContain("Which database?");
  await eventually(async () => {
    expect(await logOf(tg.stage, ask.id)).toEqual([
      ["telegram", "sent", "Ann"],
      ["telegram", "replied", "Ann"],
      ["telegram", "marked", undefined],
    ]);
  });
});

test("[MG2] answered elsewhere, the message loses its buttons and says by whom; a late press is told what happened", async () => {
  await using tg = await createTelegramStage();
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  const [button] = shown.buttons;
  await tg.stage.settle(ask);
  expect((await tg.says(shown.id, "✓ Answered by a person (cli): SQLite")).buttons).toEqual([]);
  const query = tg.service.query(ANN, shown.id, button?.callback_data ?? "");
  expect(await tg.told(query)).toMatch(/^Already settled: answered by cli .* ago: SQLite\.$/);
  const late = tg.service.write(ANN, "MySQL", { replyTo: shown.id });
  expect(await tg.reply(late)).toMatch(/^Already settled: /);
});

test("[MG3] own words are a reply to the message; a note goes along with what is pressed after it", async () => {
  await using tg = await createTelegramStage();
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  expect(shown.text).toContain("Reply to this message to answer in your own words");
  const sent = tg.service.write(ANN, "a plain file", { replyTo: shown.id });
  expect(await tg.reply(sent)).toBe("Answered: a plain file");
  expect(await outcomeOf(tg.stage, ask.id)).toMatchObject({ answers: [{ picks: [], text: "a plain file" }] });
  await tg.says(shown.id, "✓ Answered");
  const other = await tg.stage.ask({ questions: [question("And now?", ["A", "B"])] });
  const next = await tg.question();
  const note = tg.service.write(ANN, "note: soon", { replyTo: next.id });
  expect(await tg.reply(note)).toBe("Noted: it goes along with what you choose");
  await tg.says(next.id, "Note: soon");
  tg.service.press(ANN, next.id, "B");
  await tg.says(next.id, "✓ Answered");
  expect(await outcomeOf(tg.stage, other.id)).toMatchObject({ answers: [{ picks: [1], note: "soon" }] });
});

test("[MG4] several are ticked and confirmed; ticks that come twice and in the wrong order are the same ticks", async () => {
  await using tg = await createTelegramStage();
  const ask = await tg.stage.ask({ questions: [features] });
  const shown = await tg.question();
  expect(shown.buttons.map(({ text }) => text)).toEqual(["☐ 1. Auth", "☐ 2. A, B", "☐ 3. Export", "Done"]);
  expect(await tg.told(tg.service.press(ANN, shown.id, "Done"))).toBe("Not answered. Nothing is ticked yet.");
  const [auth, , last] = shown.buttons.map(({ callback_data }) => callback_data);
  tg.service.query(ANN, shown.id, auth ?? "");
  tg.service.query(ANN, shown.id, last ?? "");
  tg.service.scramble();
  await eventually(() => {
    expect(shown.buttons.map(({ text }) => text)).toEqual(["☑ 1. Auth", "☐ 2. A, B", "☑ 3. Export", "Done (2 chosen)"]);
  });
  tg.service.press(ANN, shown.id, "Auth");
  await eventually(() => expect(shown.buttons.map(({ text }) => text)).toContain("☐ 1. Auth"));
  await tg.stage.restart();
  await tg.stage.notifications.tick();
  tg.service.press(ANN, shown.id, "Done (1 chosen)");
  await tg.says(shown.id, "✓ Answered by Ann (telegram): Export");
  expect(await outcomeOf(tg.stage, ask.id)).toMatchObject({ answers: [{ picks: [2] }] });
});

test("[MG5] several questions are answered one after the other, and sent by a press of its own", async () => {
  await using tg = await createTelegramStage();
  const ask = await tg.stage.ask({ questions: [database, features] });
  const shown = await tg.question();
  expect(shown.text).toContain("(1 of 2)\nWhich database?");
  tg.service.press(ANN, shown.id, "SQLite");
  await tg.says(shown.id, "(2 of 2)\nWhich features?");
  tg.service.press(ANN, shown.id, "Export");
  await eventually(() => expect(shown.buttons.map(({ text }) => text)).toContain("Done (1 chosen)"));
  tg.service.press(ANN, shown.id, "Done");
  await tg.says(shown.id, "Which database?\n→ SQLite\nWhich features?\n→ Export");
  expect(await outcomeOf(tg.stage, ask.id)).toBeUndefined();
  tg.service.press(ANN, shown.id, "Send");
  await tg.says(shown.id, "✓ Answered");
  expect(await outcomeOf(tg.stage, ask.id)).toMatchObject({ answers: [{ picks: [0] }, { picks: [2] }] });
});

test("[RE9] presses that come late, twice and in the wrong order: nothing is settled by half, and once is once", async () => {
  await using tg = await createTelegramStage();
  const { service, stage } = tg;
  const ask = await stage.ask({ questions: [database, question("Which port?", ["80", "8080"])] });
  const shown = await tg.question();
  const version = shown.buttons[0]?.callback_data.split(".")[2] ?? "";
  const press = (verb: string) => service.query(ANN, shown.id, `q.${ask.id}.${version}.${verb}`);
  // Send comes first, then the second answer, then the first.
  expect(await tg.told(press("s.0.0"))).toBe("Noted");
  await tg.told(press("p.1.1"));
  expect(await outcomeOf(stage, ask.id)).toBeUndefined();
  await tg.told(press("p.0.0"));
  await eventually(() => expect(shown.buttons.map(({ text }) => text)).toEqual(["Send", "Start over"]));
  expect(shown.text).toContain("→ 8080");
  await stage.restart();
  await stage.notifications.tick();
  const sends = [press("s.0.0"), press("s.0.0"), press("p.0.1")];
  service.scramble();
  await tg.says(shown.id, "✓ Answered by Ann");
  for (const late of sends.slice(1)) expect(await tg.told(late)).toContain("Already settled");
  expect(await outcomeOf(stage, ask.id)).toMatchObject({ answers: [{ picks: [0] }, { picks: [1] }] });
  const events = await stage.store.events({ ask: ask.id, after: 0, limit: 100 });
  expect(events.filter(({ type }) => type === "ask.settled")).toHaveLength(1);
});

test("[MG6] who is not paired is not answered and answers nothing, whatever they send", async () => {
  await using tg = await createTelegramStage();
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  const [button] = shown.buttons;
  tg.service.write(666, "hello", { name: "Eve" });
  tg.service.write(666, "/start abcdefgh2345", { name: "Eve" });
  tg.service.write(666, "SQLite", { chat: ANN, replyTo: shown.id, name: "Eve" });
  tg.service.query(ANN, shown.id, button?.callback_data ?? "", { user: 666 });
  tg.service.query(666, shown.id, button?.callback_data ?? "");
  tg.service.write(ANN, "hello", { chat: -100, type: "group", name: "Ann" });
  // What comes after them is handled: so they were.
  tg.service.press(ANN, shown.id, "Postgres");
  await tg.says(shown.id, "✓ Answered by Ann");
  expect(await outcomeOf(tg.stage, ask.id)).toMatchObject({ answers: [{ picks: [1] }] });
  expect(tg.service.shown(666)).toEqual([]);
  expect(tg.service.shown(-100)).toEqual([]);
  expect(tg.service.shown(ANN)).toHaveLength(2);
});

test("[MG7] a code pairs one chat, once; who is unpaired may not answer any more", async () => {
  await using tg = await createTelegramStage({ pair: false });
  const { code } = await tg.stage.notifications.pair("telegram");
  expect(readOr(join(tg.stage.home, "paired-chats.json"))).toBe("");
  tg.service.write(ANN, code.toUpperCase());
  await eventually(() =>
    expect(tg.stage.notifications.pairs().pairs).toMatchObject([{ id: String(ANN), name: "Ann" }]),
  );
  tg.service.write(777, code, { name: "Bob" });
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  const [button] = shown.buttons;
  expect(tg.stage.notifications.pairs()).toMatchObject({ expecting: false, pairs: [{ name: "Ann" }] });
  expect(await tg.stage.notifications.unpair("telegram", "Ann")).toEqual({ removed: ["Ann"] });
  tg.service.query(ANN, shown.id, button?.callback_data ?? "");
  await pairWith(tg.stage, tg.service, 777, "Bob");
  expect(await outcomeOf(tg.stage, ask.id)).toBeUndefined();
  expect(tg.service.shown(777).map(({ text }) => text)).toEqual([expect.stringMatching(/^Paired\./)]);
});

test("[MG8] what may do more than answer is no button: approvals, high stakes, and what does not fit", async () => {
  await using tg = await createTelegramStage();
  const high = { ...question("Go?", ["Yes", "No"]) };
  high.options[0] = { ...high.options[0], label: "Yes, always", description: "", recommended: false, stakes: "high" };
  await tg.stage.ask({ questions: [high] });
  const shown = await tg.question();
  expect(shown.buttons.map(({ text }) => text)).toEqual(["2. No"]);
  const typed = tg.service.write(ANN, "1", { replyTo: shown.id });
  expect(await tg.reply(typed)).toContain("does more than answer this: choose it in your inbox");
  const forged = shown.buttons[0]?.callback_data.replace(/\.1$/, ".0") ?? "";
  expect(await tg.told(tg.service.query(ANN, shown.id, forged))).toContain("choose it in your inbox");
  for (const bad of [forged.replace(/\.0$/, ".99"), "q.nobody.1.p.0.0", "x".repeat(64), "test.nobody"])
    expect(await tg.told(tg.service.query(ANN, shown.id, bad))).not.toContain("Answered");
  const long = await tg.stage.ask({ questions: [question(`Long ${"🙂".repeat(3000)}?`, ["A", "B"])] });
  const cut = await eventually(() => {
    const found = tg.service.shown(ANN).find(({ text }) => text.includes("Long"));
    if (!found) throw new Error("not sent");
    return found;
  });
  expect(cut.text).toContain(`…\n\nIn your inbox: parley show ${long.id}`);
  expect(cut.text.toWellFormed()).toBe(cut.text);
  const words = tg.service.write(ANN, "A", { replyTo: cut.id });
  expect(await tg.reply(words)).toContain("Only a part of this question fits here");
  await tg.stage.ask({ kind: "approval", questions: [question("Run it?", ["Approve", "Deny"])] });
  const approval = await eventually(() => {
    const found = tg.service.shown(ANN).find(({ text }) => text.includes("Run it?"));
    if (!found) throw new Error("not sent");
    return found;
  });
  const late = tg.service.write(ANN, "1", { replyTo: approval.id });
  expect(await tg.reply(late)).toContain("see your inbox");
  expect([cut.buttons, approval.buttons]).toEqual([[], []]);
});

test("[MG9] the service's limits are kept: Retry-After for everything, and nothing is given up or sent twice", async () => {
  await using tg = await createTelegramStage();
  const before = tg.service.of("sendMessage").length;
  tg.service.fault("sendMessage", { code: 429, retryAfter: 30 });
  await tg.stage.ask();
  await tg.stage.ask({ questions: [question("Second?", ["A", "B"])] });
  // Its wait begins when that is kept, a moment after the service has said so.
  const waits = () => tg.stage.logged.filter(({ message }) => message.endsWith("waits as long as the service says"));
  await eventually(() => expect(waits()).toHaveLength(1));
  expect(tg.service.of("sendMessage")).toHaveLength(before + 1);
  await tg.stage.after(29);
  expect(tg.service.of("sendMessage")).toHaveLength(before + 1);
  await tg.stage.after(2);
  await eventually(() => expect(tg.service.shown(ANN).filter(({ buttons }) => buttons.length > 0)).toHaveLength(2));
  expect(tg.service.of("sendMessage").filter(({ ok }) => ok)).toHaveLength(before + 2);
});

test("[MG10] while the service fails it is tried again, for as long as the question waits; its secret is in no log", async () => {
  await using tg = await createTelegramStage();
  tg.service.fault(
    "sendMessage",
    { code: 500 },
    { code: 502 },
    { code: 401, description: "Unauthorized" },
    "cut-before",
  );
  const ask = await tg.stage.ask();
  for (let i = 0; i < 12; i++) tg.service.fault("sendMessage", { code: 503 });
  const tries = () => tg.service.of("sendMessage").length;
  for (let round = 0; tries() < 14; round++) {
    const seen = tries();
    // What failed may be noted only after the clock was moved: it is moved until it is tried again.
    await eventually(async () => {
      await tg.stage.after(700);
      expect(tries()).toBeGreaterThan(seen);
    });
  }
  await eventually(async () => {
    await tg.stage.after(700);
    expect(tg.service.shown(ANN).some(({ buttons }) => buttons.length > 0)).toBe(true);
  });
  const shown = await tg.question();
  tg.service.press(ANN, shown.id, "SQLite");
  await tg.says(shown.id, "✓ Answered");
  expect(await outcomeOf(tg.stage, ask.id)).toMatchObject({ answers: [{ picks: [0] }] });
  expect(JSON.stringify(tg.stage.logged)).not.toContain(TOKEN.slice(8));
});

test("[MG11] a mark that fails is made later; one whose message is gone is done", async () => {
  await using tg = await createTelegramStage();
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  tg.service.fault("editMessageText", { code: 500 }, { code: 429, retryAfter: 3 });
  await tg.stage.settle(ask);
  await eventually(async () => {
    await tg.stage.after(10);
    expect(shown.buttons).toEqual([]);
  });
  const other = await tg.stage.ask({ questions: [question("Second?", ["A", "B"])] });
  const next = await tg.question();
  tg.service.messages.delete(`${ANN}:${next.id}`);
  await tg.stage.settle(other);
  await eventually(async () => {
    expect((await logOf(tg.stage, other.id)).map(([, step]) => step)).toEqual(["sent", "marked"]);
  });
});

test("[MG12] two people are told, the first answer counts, and both messages say whose; one who blocked the bot is left out", async () => {
  await using tg = await createTelegramStage();
  await pairWith(tg.stage, tg.service, 777, "Bob");
  await pairWith(tg.stage, tg.service, 888, "Cyd");
  tg.service.blocked.add(888);
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  const bobs = await eventually(() => {
    const found = tg.service.shown(777).find(({ buttons }) => buttons.length > 0);
    if (!found) throw new Error("Bob was not told");
    return found;
  });
  tg.service.press(777, bobs.id, "Postgres", { name: "Bob" });
  await tg.says(shown.id, "✓ Answered by Bob (telegram): Postgres");
  await eventually(() => expect(bobs.text).toContain("✓ Answered by Bob"));
  await eventually(async () => expect(await logOf(tg.stage, ask.id)).toContainEqual(["telegram", "sent", "Ann, Bob"]));
});

test("[MG13] a test proves the way out and back, and leaves nothing that can be pressed", async () => {
  await using tg = await createTelegramStage();
  const result = tg.stage.notifications.test("telegram", 60_000);
  const shown = await tg.question();
  tg.service.press(ANN, shown.id, "It works");
  expect((await result).channels).toEqual([
    { channel: "telegram", result: "sent", detail: "sent to Ann; Ann pressed its button, and that came back" },
  ]);
  expect(shown.buttons).toEqual([]);
});

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

test("[RO15] the terminal was first: whoever answered here is told here that their answer was not taken, and nobody else", async () => {
  await using tg = await createTelegramStage();
  await pairWith(tg.stage, tg.service, 777, "Bob");
  const ask = await tg.stage.ask();
  const shown = await tg.question();
  tg.service.press(ANN, shown.id, "Postgres");
  await tg.says(shown.id, "✓ Answered by Ann");
  await tg.stage.inbox.change(ask.id, ({ outcome }) => [
    {
      type: "ask.ended",
      key: "k",
      outcome: {
        type: "overtaken",
        reason: "answered-elsewhere",
        actor: { type: "person", surface: "terminal" },
        at: tg.stage.clock.now,
        answers: [{ picks: [0] }],
        lost: outcome,
      } as never,
    },
  ]);
  const lost = (user: number) => tg.service.shown(user).filter(({ text }) => text.startsWith("⚠"));
  await eventually(() => expect(lost(ANN)).toHaveLength(1));
  expect(lost(ANN)[0]).toMatchObject({ replyTo: shown.id });
  expect(lost(ANN)[0]?.text).toMatch(
    /^⚠ Your answer did not reach Claude Code\. The terminal was first: .*SQLite; not taken: Postgres$/,
  );
  await eventually(async () => expect((await logOf(tg.stage, ask.id)).at(-1)).toEqual(["telegram", "sent", "Ann"]));
  await tg.stage.restart();
  await tg.stage.after(60);
  expect([lost(ANN).length, lost(777).length]).toEqual([1, 0]);
});
