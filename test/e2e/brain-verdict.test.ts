import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPilot, isSettled, type Pilot, stateIs } from "./autopilot-stage.ts";
import { holds } from "./program.ts";
import { decided, isFirst, replyTo, screened } from "./verdict-reply.ts";

type Play = (message: string) => string | Promise<string>;
const good: Play = (message) => replyTo(message, "List");
const answering =
  (more: object): Play =>
  (message) =>
    isFirst(message) ? screened(message) : decided(message, "List", more);
const screening =
  (more: object): Play =>
  (message) =>
    isFirst(message)
      ? JSON.stringify({ ...(JSON.parse(screened(message)) as object), ...more })
      : decided(message, "List");

/** Takes whatever stands first. */
const first: Play = (message) => (isFirst(message) ? screened(message) : decided(message, "?"));

/** Who plays what, and with which second brain; where the answer goes. */
const PLAYS: Record<string, { play: Play; second?: string; why: string }> = {
  agreeing: { play: good, second: "witness", why: "held" },
  witness: { play: good, why: "two brains have to agree, and witness has no second one" },
  loner: { play: good, second: "twin", why: "twin is the same brain as loner" },
  taker: { play: first, why: "two brains have to agree" },
  doubted: { play: first, second: "taker", why: "taker would answer otherwise" },
  feared: { play: good, second: "careful", why: "careful says that it needs a person" },
  careful: {
    play: screening({ needsPerson: true, reason: "it is theirs" }),
    why: "careful says that it needs a person: it is theirs",
  },
  unsure: { play: answering({ confidence: 0.5 }), second: "witness", why: "it is 50 % sure, and 80 % are needed" },
  silent: { play: answering({ confidence: undefined }), second: "witness", why: "it did not say how sure it is" },
  judging: { play: answering({ decidedBy: ["judgement"] }), second: "witness", why: "it rests on its own judgement" },
  lying: {
    play: answering({ decidedBy: [{ document: "ROADMAP.md", quote: "The list, says the roadmap." }] }),
    second: "witness",
    why: "what it quotes is not in ROADMAP.md",
  },
  vague: {
    play: screening({ needsPerson: undefined }),
    second: "witness",
    why: "it did not say whether this needs a person",
  },
  short: { play: screening({ options: [] }), second: "witness", why: 'it did not say all of what "Grid" would do' },
  spender: {
    play: (message) => (isFirst(message) ? screened(message, { spends: true }) : decided(message, "List")),
    second: "witness",
    why: '"List" spends something, it says',
  },
  writer: {
    play: answering({ actions: [{ action: "type", text: "Both" }] }),
    second: "witness",
    why: "what a brain writes itself is only suggested",
  },
  vouched: { play: good, second: "judging", why: "judging has to agree, but it rests on its own judgement" },
};

const names = Object.keys(PLAYS);
const asked: { brain: string; message: string }[] = [];
let gate: PromiseWithResolvers<void> | undefined;
let [now, most] = [0, 0];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    const brain = new URL(request.url).pathname.split("/")[1] ?? "";
    const { messages } = (await request.json()) as { messages: { content: string }[] };
    const message = messages.at(-1)?.content ?? "";
    asked.push({ brain, message });
    most = Math.max(most, ++now);
    await gate?.promise;
    now -= 1;
    const content = await (PLAYS[brain]?.play ?? good)(message);
    return Response.json({ choices: [{ message: { content } }] });
  },
});

const rule = (brain: string) =>
  `[[autopilot.rules]]\nname = "${brain}"\nmatch = { header = "${headerOf(brain)}" }\nbrain = "${brain}"\n`;
const openai = (name: string, second?: string, path = name) =>
  `[autopilot.brains.${name}]\ntype = "openai"\nmodel = "m"\nurl = "${server.url.origin}/${path}"\n${second === undefined ? "" : `second = "${second}"\n`}`;
/** Plain words, one for each brain. */
const WORDS =
  "Grid List Table Card Row Column Page Panel Menu Footer Border Margin Title Label Colour Font Layout".split(" ");
const headerOf = (brain: string) => WORDS[names.indexOf(brain)] ?? brain;
const CONFIG = [
  `[autopilot]\nmode = "on"\ntrust.per_rule = 0\nundo_seconds = 600\n`,
  ...names.map(rule),
  ...names.map((name) => openai(name, PLAYS[name]?.second)),
  openai("twin", undefined, "loner"),
].join("");

let pilot: Pilot;
beforeAll(async () => {
  pilot = createPilot(CONFIG);
  await pilot.program.start();
  await pilot.program.parley(["autopilot", "pause"]);
  await pilot.settles(await pilot.ask({ header: "Before" }), "List");
  await pilot.program.parley(["autopilot", "resume"]);
});
afterAll(async () => {
  gate?.resolve();
  await pilot.dispose();
  await server.stop(true);
});

test.each(names)(
  "[BV8] a brain that plays %j goes as far as code finds its verdict good, and explain says why",
  async (name) => {
    const { why, second } = PLAYS[name]!;
    asked.length = 0;
    const id = await pilot.ask({ header: headerOf(name) });
    const state = why === "held" ? "held" : name === "careful" ? "human" : "suggested";
    const { autopilot } = await pilot.becomes(id, stateIs(state));
    expect(state === "human" ? autopilot?.proposal : undefined).toBeUndefined();
    if (state !== "human") expect(autopilot?.proposal?.by).toMatchObject({ type: "brain", name });
    const { out } = await pilot.program.parley(["explain", id]);
    const said = out.replaceAll(/\s+/g, " ");
    expect(said).toContain(why === "held" ? "witness agrees" : why);
    const own = asked.filter(({ brain }) => brain === name);
    // Whether a person is needed comes first, and without what could argue for it; then the answer, if at all.
    expect(own.map(({ message }) => isFirst(message))).toEqual(name === "careful" ? [true] : [true, false]);
    expect(own[0]?.message).not.toContain("Precedent");
    const seconds = asked.filter(({ brain }) => brain === second && second !== name);
    for (const { message } of seconds) expect(message).toMatch(/^ {2}0\. List.*\n {2}1\. Grid/m);
    for (const { message } of own) expect(message).toMatch(/^ {2}0\. Grid.*\n {2}1\. List/m);
  },
);

test("[BV9] what two brains agree on goes out as the first one's, also when it was only suggested before", async () => {
  pilot.configure(CONFIG.replace('"on"', '"suggest"'));
  const id = await pilot.ask({ header: headerOf("agreeing"), question: "Which layout?" });
  await pilot.becomes(id, stateIs("suggested"));
  asked.length = 0;
  pilot.configure(CONFIG.replace("undo_seconds = 600", "undo_seconds = 0"));
  const { outcome } = await pilot.becomes(id, isSettled);
  expect(outcome).toMatchObject({ actor: { type: "brain", name: "agreeing" }, answers: [{ picks: [1] }] });
  expect(asked.filter(({ message }) => message.includes("Which layout?")).map(({ brain }) => brain)).not.toContain(
    "agreeing",
  );
  pilot.configure(CONFIG);
});

test("[BV10] however many questions there are, four brains think at once, and all get their turn", async () => {
  gate = Promise.withResolvers<void>();
  most = 0;
  const colours = ["red", "blue", "green", "grey", "black", "white"].map((colour) => `Which ${colour}?`);
  const ids = await Promise.all(colours.map((text) => pilot.ask({ header: headerOf("witness"), question: text })));
  for (const id of ids) await pilot.becomes(id, stateIs("asking"));
  expect(await holds(() => now === 4)).toBe(true);
  // Taken back, it waits no more, and nobody is asked about it.
  const last = ids.find((_, i) => !asked.some(({ message }) => message.includes(colours[i] ?? ""))) ?? "";
  await pilot.program.parley(["undo", last]);
  gate.resolve();
  gate = undefined;
  for (const id of ids.filter((each) => each !== last)) await pilot.becomes(id, stateIs("suggested"));
  expect(most).toBe(4);
  expect((await pilot.look(last)).autopilot?.state).toBe("undone");
});

test("[BV11] a brain that was asked before another one is answers nothing any more, by reply or by command", async () => {
  using gateway = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ ok: true }) });
  const key = join(pilot.program.root, "key");
  writeFileSync(key, "secret-token", { mode: 0o600 });
  const claw = (name: string) =>
    `[autopilot.brains.${name}]\ntype = "openclaw"\nagent = "${name}"\nurl = "${gateway.url.origin}"\nkey_file = "${key}"\n`;
  const asks = (brain: string) =>
    `[autopilot]\nmode = "on"\ntrust.per_rule = 0\nbrain = "${brain}"\n${openai("slow")}${claw("a")}${claw("b")}`;
  const answer = (id: string, brain: string) =>
    pilot.program.parley(["answer", id, "--as", brain, "--actions", `[{"action":"select","optionIndex":0}]`]);
  gate = Promise.withResolvers<void>();
  pilot.configure(asks("slow"));
  const id = await pilot.ask({ header: "Size" });
  await pilot.becomes(id, ({ autopilot }) => autopilot?.brain === "slow");
  pilot.configure(asks("a"));
  await pilot.becomes(id, ({ autopilot }) => autopilot?.brain === "a");
  gate.resolve();
  gate = undefined;
  pilot.configure(asks("b"));
  await pilot.becomes(id, ({ autopilot }) => autopilot?.brain === "b");
  expect(await answer(id, "a")).toMatchObject({ code: 77, err: expect.stringContaining("only --as b answers it") });
  expect((await pilot.look(id)).autopilot).toMatchObject({ state: "asking", brain: "b" });
  expect((await answer(id, "b")).code).toBe(0);
  const { autopilot } = await pilot.becomes(id, stateIs("suggested"));
  expect(autopilot?.proposal?.by.name).toBe("b");
});
