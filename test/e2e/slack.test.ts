import { expect, test } from "bun:test";
import { question, database, features } from "../sample.ts";
import { eventually } from "../patience.ts";
import { ANN, buttonIn, createSlackStage, EVE, pairWith, submitCode, textIn } from "../messengers/slack-stage.ts";
import { APP_TOKEN, BOT_TOKEN, elementsIn } from "../messengers/slack-service.ts";
import { ANN as TELEGRAM_ANN, createTelegramStage } from "../messengers/telegram-stage.ts";

const labels = (message: Parameters<typeof elementsIn>[0]) => elementsIn(message).map(({ text }) => text?.text);
const outcomeOf = async ({ store }: { store: { ask(id: string): Promise<unknown> } }, id: string) =>
  ((await store.ask(id)) as { outcome?: unknown }).outcome;
const picked = (...values: number[]) => ({ selected_options: values.map((value) => ({ value: String(value) })) });

test("[SK1] a press answers the question as that person, the envelope is acknowledged, and the message says so", async () => {
  await using slack = await createSlackStage();
  const ask = await slack.stage.ask();
  const shown = await slack.question();
  expect(textIn(shown)).toBe("shop · Claude Code\n<@U1ANN>\nWhich database?\n1. SQLite\n2. Postgres");
  expect(labels(shown)).toEqual(["1. SQLite", "2. Postgres", "Own words, note…"]);
  const envelope = slack.press(shown, "Postgres");
  await slack.acked(envelope);
  expect(await outcomeOf(slack.stage, ask.id)).toMatchObject({
    type: "answered",
    actor: { type: "person", surface: "slack", name: "ann" },
    answers: [{ picks: [1] }],
  });
  await slack.says(shown, "✓ Answered by ann (slack): Postgres");
  expect(labels(shown)).toEqual([]);
  expect(textIn(shown)).toContain("Which database?");
  await eventually(async () => {
    const events = await slack.stage.store.events({ ask: ask.id, after: 0, limit: 100 });
    const said = events.filter(({ type }) => type === "ask.messaged").map(({ data }) => [data["step"], data["to"]]);
    expect(said).toEqual([
      ["sent", "ann"],
      ["replied", "ann"],
      ["marked", undefined],
    ]);
  });
});

test("[SK2] answered elsewhere, the message says by whom; a late press and a late form are told what happened", async () => {
  await using slack = await createSlackStage();
  const ask = await slack.stage.ask();
  const shown = await slack.question();
  const button = buttonIn(shown, "SQLite");
  await slack.form(shown, "Own words");
  await slack.stage.settle(ask);
  await slack.says(shown, "✓ Answered by a person (cli): SQLite");
  slack.service.press(ANN, shown.ts, button);
  expect((await slack.whispered("Already settled: answered by cli")).user).toBe(ANN);
  const { payload } = await slack.acked(slack.service.submit(ANN, { "0.text": { value: "MySQL" } }));
  expect(payload).toMatchObject({ response_action: "update" });
  expect(JSON.stringify(payload)).toContain("Already settled");
  expect(await outcomeOf(slack.stage, ask.id)).toMatchObject({ answers: [{ picks: [0] }] });
});

test("[SK3] own words and a note come by a form; what is missing is said in it, and nothing is settled", async () => {
  await using slack = await createSlackStage();
  const ask = await slack.stage.ask();
  const shown = await slack.question();
  await slack.form(shown, "Own words");
  const empty = await slack.acked(slack.service.submit(ANN, { "0.note": { value: "soon" } }));
  expect(empty.payload).toEqual({ response_action: "errors", errors: { "0.pick": "Choose, or write your own words" } });
  const both = slack.service.submit(ANN, { "0.pick": { selected_option: { value: "0" } }, "0.text": { value: "x" } });
  expect((await slack.acked(both)).payload).toMatchObject({
    errors: { "0.pick": "Not answered. Choose one, or write your own words: not both." },
  });
  expect(await outcomeOf(slack.stage, ask.id)).toBeUndefined();
  await slack.acked(slack.service.submit(ANN, { "0.text": { value: "a plain file" }, "0.note": { value: "soon" } }));
  expect(await outcomeOf(slack.stage, ask.id)).toMatchObject({
    answers: [{ picks: [], text: "a plain file", note: "soon" }],
  });
  await slack.says(shown, "✓ Answered by ann (slack): a plain file");
});

test("[SK4] several are chosen in a list and confirmed", async () => {
  await using slack = await createSlackStage();
  const ask = await slack.stage.ask({ questions: [features] });
  const shown = await slack.question();
  const list = elementsIn(shown).find(({ type }) => type === "multi_static_select");
  expect(list).toMatchObject({ options: [{ value: "0" }, { value: "1" }, { value: "2" }] });
  await slack.acked(slack.press(shown, "Done"));
  await slack.whispered("Not answered. Nothing is chosen yet.");
  // Each change comes too, and is nothing yet.
  await slack.acked(slack.service.press(ANN, shown.ts, list ?? { type: "" }, { state: { ticks: { v: picked(0) } } }));
  expect(await outcomeOf(slack.stage, ask.id)).toBeUndefined();
  slack.press(shown, "Done", { state: { ticks: { v: picked(2, 0) } } });
  await slack.says(shown, "✓ Answered by ann (slack): Auth, Export");
  expect(await outcomeOf(slack.stage, ask.id)).toMatchObject({ answers: [{ picks: [0, 2] }] });
});

test("[SK5] several questions are one form; the sessions of an agent are threads", async () => {
  await using slack = await createSlackStage();
  const origin = { agent: "claude-code", project: "shop", session: "s1" };
  const first = await slack.stage.ask({ origin, questions: [database, features] });
  const root = await slack.question();
  expect(labels(root)).toEqual(["Answer…"]);
  expect(textIn(root)).toContain("(1 of 2)\nWhich database?");
  const view = await slack.form(root, "Answer…");
  expect(view.blocks.flatMap(({ block_id }) => block_id ?? [])).toEqual([
    "0.pick",
    "0.text",
    "0.note",
    "1.pick",
    "1.text",
    "1.note",
  ]);
  const part = await slack.acked(slack.service.submit(ANN, { "0.pick": { selected_option: { value: "1" } } }));
  expect(part.payload).toMatchObject({ errors: { "1.pick": "Choose, or write your own words" } });
  slack.service.submit(ANN, {
    "0.pick": { selected_option: { value: "1" } },
    "1.pick": picked(0, 1),
    "1.text": { value: "logs" },
  });
  await slack.says(root, "✓ Answered by ann");
  expect(await outcomeOf(slack.stage, first.id)).toMatchObject({
    answers: [{ picks: [1] }, { picks: [0, 1], text: "logs" }],
  });
  await slack.stage.restart();
  await slack.stage.notifications.tick();
  await slack.stage.ask({ origin, questions: [question("And then?", ["A", "B"])] });
  const next = await slack.question("And then?");
  expect(next.thread).toBe(root.ts);
  await slack.stage.ask({ origin: { ...origin, session: "s2" }, questions: [question("Other?", ["A", "B"])] });
  expect((await slack.question("Other?")).thread).toBeUndefined();
  // Its first message is gone: the next one begins a thread.
  slack.service.posted.delete(root.ts);
  await slack.stage.ask({ origin, questions: [question("Where now?", ["A", "B"])] });
  expect((await slack.question("Where now?")).thread).toBeUndefined();
});

test("[SK6] who is in the channel and not paired settles nothing, and is told alone how to pair", async () => {
  await using slack = await createSlackStage();
  const ask = await slack.stage.ask();
  const shown = await slack.question();
  await slack.acked(slack.press(shown, "SQLite", { user: EVE }));
  expect(await slack.whispered("parley notify pair slack")).toMatchObject({ user: EVE });
  await slack.acked(slack.press(shown, "Own words", { user: EVE }));
  await eventually(() => expect(slack.service.whispers).toHaveLength(2));
  expect(slack.service.views).toHaveLength(1);
  // A form that somebody else opened is none of theirs.
  await slack.form(shown, "Own words");
  const { payload } = await slack.acked(slack.service.submit(EVE, { "0.text": { value: "mine" } }));
  expect(JSON.stringify(payload)).toContain("You are not paired");
  expect(await outcomeOf(slack.stage, ask.id)).toBeUndefined();
  slack.press(shown, "Postgres");
  await slack.says(shown, "✓ Answered by ann");
});

test("[SK7] a code pairs one person, once, by their stable id; who is unpaired may not answer any more", async () => {
  await using slack = await createSlackStage({ pair: false });
  const { code, bot, url } = await slack.stage.notifications.pair("slack");
  expect([bot, url]).toEqual(["parley", "https://slack.com/app_redirect?channel=C0123456789&team=T0PLAYED"]);
  const wrong = await slack.acked(await submitCode(slack.service, EVE, "abcdefgh2345"));
  expect(wrong.payload).toMatchObject({ response_action: "errors" });
  const right = await slack.acked(await submitCode(slack.service, ANN, ` ${code.toUpperCase()} `));
  expect(JSON.stringify(right.payload)).toContain("Paired.");
  expect(slack.stage.notifications.pairs()).toMatchObject({
    expecting: false,
    pairs: [{ id: "T0PLAYED:U1ANN", name: "ann" }],
  });
  const [offer] = [...slack.service.posted.values()];
  await eventually(() => expect(offer && textIn(offer)).toBe("✓ Paired with ann"));
  // Who kept the button open comes too late.
  slack.service.press(EVE, offer?.ts ?? "", { type: "button", action_id: "pair", value: "pair" });
  await slack.whispered("No code waits to be used");
  const ask = await slack.stage.ask();
  const shown = await slack.question();
  expect(await slack.stage.notifications.unpair("slack", "ann")).toEqual({ removed: ["ann"] });
  await pairWith(slack.stage, slack.service, "U2BOB");
  await slack.acked(slack.press(shown, "SQLite"));
  await slack.whispered("You are not paired");
  expect(await outcomeOf(slack.stage, ask.id)).toBeUndefined();
});

test("[SK8] envelopes that come twice, late and in the wrong order count once", async () => {
  await using slack = await createSlackStage();
  const { service, stage } = slack;
  const ask = await stage.ask();
  const shown = await slack.question();
  // She changed her mind: what arrives first counts, and the other one is told so.
  service.hold();
  const [first, second] = [slack.press(shown, "SQLite"), slack.press(shown, "Postgres")];
  service.release();
  await eventually(() => expect([first, second].map((id) => service.acks.get(id)?.count)).toEqual([2, 2]));
  await slack.says(shown, "✓ Answered by ann (slack): Postgres");
  await slack.whispered("Already settled: answered by ann");
  const whispers = service.whispers.length;
  // Late: a daemon that knows nothing of these envelopes any more, on a line of its own.
  const [old] = service.lines;
  await stage.restart();
  await stage.notifications.tick();
  await eventually(() => expect([service.lines.size, service.lines.has(old as never)]).toEqual([1, false]));
  for (const id of [second, first]) service.resend(id);
  await eventually(() => expect([first, second].map((id) => service.acks.get(id)?.count)).toEqual([3, 3]));
  await eventually(() => expect(service.whispers.length).toBe(whispers + 1));
  const events = await stage.store.events({ ask: ask.id, after: 0, limit: 100 });
  expect(events.filter(({ type }) => type === "ask.settled")).toHaveLength(1);
  expect(await outcomeOf(stage, ask.id)).toMatchObject({ answers: [{ picks: [1] }] });
  // What is of no use is acknowledged all the same.
  await slack.acked(service.envelope({ type: "event_callback" }, { type: "events_api" }));
  await slack.acked(service.envelope({ type: "block_actions", actions: "none" }));
});

test("[SK9] when Slack wants another connection it has one before the old one is closed; a cut line is opened again", async () => {
  await using slack = await createSlackStage();
  const { service } = slack;
  for (const reason of ["refresh_requested", "warning"] as const) {
    const before = service.of("apps.connections.open").length;
    const [old] = service.lines;
    service.disconnect(reason);
    await eventually(() => expect([...service.lines].some((line) => line !== old)).toBe(true));
    expect(service.of("apps.connections.open").length).toBe(before + 1);
    await eventually(() => expect(service.lines.has(old as never)).toBe(false));
  }
  service.fault("apps.connections.open", { status: 503 });
  const [last] = service.lines;
  service.cutLines();
  await eventually(() => expect([service.lines.size, service.lines.has(last as never)]).toEqual([1, false]));
  await slack.stage.ask();
  const shown = await slack.question();
  slack.press(shown, "Postgres");
  await slack.says(shown, "✓ Answered by ann");
});

test("[SK10] a form whose moment has passed is asked for again; no token and no answer of Slack's is in the log", async () => {
  await using slack = await createSlackStage();
  await slack.stage.ask();
  const shown = await slack.question();
  await slack.acked(slack.press(shown, "Own words", { late: true }));
  await slack.whispered("Press again");
  slack.service.fault("chat.postMessage", { error: "invalid_auth" });
  await slack.stage.ask({ questions: [question("Next?", ["A", "B"])] });
  await eventually(() =>
    expect(slack.stage.logged.some(({ fields }) => String(fields["error"]).includes("invalid_auth"))).toBe(true),
  );
  await slack.stage.after(10);
  expect(textIn(await slack.question("Next?"))).toContain("Next?");
  const log = JSON.stringify(slack.stage.logged);
  for (const secret of [BOT_TOKEN.slice(5), APP_TOKEN.slice(5), "ticket="]) expect(log).not.toContain(secret);
});

test("[SK11] what a model writes is shown literally, cut where it is too long, and is no mention; what does more is no button", async () => {
  await using slack = await createSlackStage();
  const loud = { ...question("<!channel> *now* <@U1ANN>", ["<!here>", "B"]), body: "cat `x` ```y``` <!everyone>" };
  await slack.stage.ask({ questions: [loud] });
  const shown = await slack.question();
  expect(shown.text).toContain("&lt;!channel&gt;");
  expect(textIn(shown)).toContain("cat `x` ```y``` <!everyone>");
  const marked = JSON.stringify(shown.blocks.filter((block) => JSON.stringify(block).includes("mrkdwn")));
  expect(marked).not.toContain("!channel");
  slack.press(shown, "B");
  await slack.says(shown, "✓ Answered");
  const long = await slack.stage.ask({ questions: [question("x".repeat(9000), ["A", "B"])] });
  await eventually(() =>
    expect(slack.questions().some((each) => textIn(each).includes(`parley show ${long.id}`))).toBe(true),
  );
  expect(slack.open()).toEqual([]);
  const many = question(
    "Which?",
    Array.from({ length: 45 }, (_, i) => `Option ${i} ${"y".repeat(20)}`),
  );
  await slack.stage.ask({ questions: [many] });
  const list = await slack.question("Which?");
  const [select] = elementsIn(list);
  const options = select?.["options"] as { value: string }[];
  expect([select?.type, options.length]).toEqual(["static_select", 45]);
  slack.service.press(ANN, list.ts, { ...(select ?? { type: "" }), selected_option: options[44] });
  await slack.says(list, "✓ Answered by ann (slack): Option 44");
  const high = question("Mode?", ["Once", "Always"]);
  const [once, always] = high.options;
  const asked = await slack.stage.ask({
    questions: [{ ...high, options: [once, { ...always, stakes: "high" }] as never }],
  });
  const mode = await slack.question("Mode?");
  expect(labels(mode)).toEqual(["1. Once", "Own words, note…"]);
  await slack.acked(
    slack.service.press(ANN, mode.ts, { type: "button", action_id: "x", value: `q.${asked.id}.1.p.0.1` }),
  );
  await slack.whispered("does more than answer this");
  expect(await outcomeOf(slack.stage, asked.id)).toBeUndefined();
});

test("[SK12] an answer that no agent takes is told in its thread: that it is kept, and that its agent has ended", async () => {
  await using slack = await createSlackStage();
  const ask = await slack.stage.ask();
  const shown = await slack.question();
  slack.press(shown, "Postgres");
  await slack.says(shown, "✓ Answered");
  const told = () =>
    [...slack.service.posted.values()].filter(({ thread }) => thread === shown.ts).map(({ text }) => text);
  await slack.stage.after(10);
  expect(told()).toEqual([]);
  await slack.stage.after(6);
  await eventually(() =>
    expect(told()).toEqual([
      expect.stringMatching(/^<@U1ANN> … saved: .*Postgres.*Claude Code has not picked it up yet/),
    ]),
  );
  await slack.stage.restart();
  await slack.stage.after(60);
  const outcome = {
    type: "withdrawn",
    reason: "session-ended",
    actor: { type: "system", surface: "daemon" },
    at: slack.stage.clock.now,
  };
  await slack.stage.inbox.change(ask.id, () => [{ type: "ask.ended", key: "k", outcome } as never]);
  await eventually(() => expect(told()).toHaveLength(2));
  expect(told()[1]).toBe("<@U1ANN> ⚠ Your answer did not reach Claude Code: it ended before it had taken it.");
});

test("[SK13] the same on Telegram", async () => {
  await using tg = await createTelegramStage();
  await tg.stage.ask();
  const shown = await tg.question();
  tg.service.press(TELEGRAM_ANN, shown.id, "Postgres");
  await tg.says(shown.id, "✓ Answered by Ann");
  await tg.stage.after(16);
  await eventually(() =>
    expect(tg.service.shown(TELEGRAM_ANN).at(-1)).toMatchObject({
      replyTo: shown.id,
      text: expect.stringMatching(/^… saved: .*Claude Code has not picked it up yet/),
    }),
  );
});
