import { afterEach, beforeEach, expect, test } from "bun:test";
import { mismatchAfter } from "./mismatch-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { eventually } from "../patience.ts";
import { askIn, endWithout, killAt as killDaemonAt, tokenFile, writeSettings } from "../messengers/kill-at.ts";
import { createTelegramService, type Shown, TOKEN, type TelegramService } from "../messengers/telegram-service.ts";

const ANN = 4242;
let program: Program;
let service: TelegramService;
let write: (more: string) => void;
beforeEach(async () => {
  program = createProgram();
  service = createTelegramService();
  const token = tokenFile(program, "bot-token", TOKEN);
  const telegram = `[notify.telegram]\ntoken_file = "${token}"\napi = "${service.url}"\n`;
  write = (more) => writeSettings(program, telegram, more);
  write("");
  await program.start();
  const { code } = await program.client().call("notifyPair", { body: { messenger: "telegram" } });
  service.write(ANN, code);
  await eventually(() => expect(service.shown(ANN)[0]?.text).toContain("Paired."));
});
afterEach(() => endWithout(program, service, [TOKEN.slice(8)]));

const ask = () => askIn(program);
const killAt = (method: string, done: boolean) => killDaemonAt(program, service, method, done);
const messages = () => service.shown(ANN).filter(({ replyTo }) => replyTo === undefined);
const open = () => messages().filter(({ buttons }) => buttons.length > 0);
const first = () =>
  eventually((): Shown => {
    const [shown] = open();
    if (!shown) throw new Error("nothing can be pressed");
    return shown;
  });

test.each([
  ["sendMessage", false, 1],
  // The service has it and could not say so: it has no key against doubles. The first has no button, and is all that is left of it.
  ["sendMessage", true, 2],
  ["editMessageText", false, 1],
  ["editMessageText", true, 1],
] as const)(
  "[MG21] killed at %s (done: %p): told once more at most, and one can be pressed",
  async (method, done, count) => {
    const killed = killAt(method, done);
    const { id } = await ask();
    await killed;
    await program.start();
    const shown = await first();
    expect([messages().length, open().length]).toEqual([count, 1]);
    service.press(ANN, shown.id, "PostgreSQL");
    await eventually(() => expect(open()).toEqual([]));
    const { outcome } = await program.client().call("getAsk", { id });
    expect(outcome).toMatchObject({ answers: [{ picks: [1] }], actor: { surface: "telegram", name: "Ann" } });
  },
);

test.each(["answerCallbackQuery", "editMessageText"])(
  "[MG22] killed at %s after a press: it counts once, its person is answered, and nothing says that it can be answered",
  async (method) => {
    const { id } = await ask();
    const shown = await first();
    const killed = killAt(method, false);
    const query = service.press(ANN, shown.id, "PostgreSQL");
    await killed;
    await program.start();
    await eventually(() => expect(open()).toEqual([]));
    await eventually(() => expect(service.queries.get(query)?.text).toBe("Answered: PostgreSQL"));
    expect(await holds(() => service.waiting() === 0)).toBe(true);
    const { events } = await program.client().call("readLog", { query: { ask: id, limit: 100 } });
    expect(events.filter(({ type }) => type === "ask.settled")).toHaveLength(1);
    expect((await program.client().call("getAsk", { id })).outcome).toMatchObject({ answers: [{ picks: [1] }] });
  },
);

test("[MG23] settled while no daemon runs to say so: the next one marks the message; why tells who was told and what came back", async () => {
  const { id } = await ask();
  const shown = await first();
  const late = service.query(ANN, shown.id, "q.nobody00000.1.p.0.0");
  await eventually(() => expect(service.queries.get(late)?.text).toContain("gone"));
  const killed = killAt("editMessageText", false);
  expect((await program.parley(["answer", id, "1"])).code).toBe(0);
  await killed;
  await program.start();
  await eventually(() => expect(shown.text).toContain("✓ Answered by a person (cli): SQLite"));
  // What the message says is written down a moment later.
  await eventually(async () => {
    const { out } = await program.parley(["why", id]);
    expect(out).toMatch(/\d\d:\d\d:\d\d: told Ann over telegram\./);
    expect(out).toContain("its message over telegram is marked: answered by a person (cli): SQLite.");
  });
});

test("[MG24] typed commands: pair waits for its chat, test proves both ways, unpair ends it", async () => {
  const child = program.spawn(["notify", "pair", "telegram"]);
  const reader = child.stdout.getReader();
  let out = "";
  const code = await (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      out += new TextDecoder().decode(value);
      const [, found] = /\?start=(\w+)/.exec(out) ?? [];
      if (found !== undefined || done) return found ?? "";
    }
  })();
  expect(out).toContain("@played_bot");
  service.write(777, `/start ${code}`, { name: "Bob" });
  for (;;) {
    const { value, done } = await reader.read();
    out += new TextDecoder().decode(value);
    if (done) break;
  }
  expect([await child.exited, out]).toEqual([0, expect.stringContaining("✓ Paired with Bob.")]);
  const tested = program.parley(["notify", "test", "telegram"]);
  const shown = await first();
  service.press(ANN, shown.id, "It works");
  expect(await tested).toMatchObject({
    code: 0,
    out: "✓ telegram: sent to Ann, Bob; Ann pressed its button, and that came back\n",
  });
  expect((await program.parley(["notify", "unpair", "telegram", "Bob"])).code).toBe(0);
  expect((await program.parley(["notify", "pairs"])).out).toMatch(/^telegram {2}Ann {2}\(4242, since /);
  expect((await program.parley(["notify", "unpair", "telegram", "Bob"])).code).not.toBe(0);
});

test.each([
  ["sendMessage", false],
  ["editMessageText", false],
  ["editMessageText", true],
] as const)(
  "[RO13] killed at %s (done: %p) over a crowd: one message with the count, the others when it is answered, none twice",
  async (method, done) => {
    write("enabled = false");
    const asked = [await ask(), await ask(), await ask()];
    const killed = killAt(method, done);
    write("burst = 1");
    await killed;
    await program.start();
    const shown = await first();
    await eventually(() => expect(shown.text).toEndWith("And 2 more questions wait"));
    const [one, , last] = asked.map(({ id }) => id);
    await eventually(async () =>
      expect((await program.parley(["why", last ?? ""])).out).toContain(
        "not told yet over telegram: counted in another message there (and 2 more questions wait).",
      ),
    );
    for (const left of [2, 1, 0]) {
      const current = await first();
      expect(messages().filter(({ text }) => !text.startsWith("Paired."))).toHaveLength(3 - left);
      service.press(ANN, current.id, "PostgreSQL");
      await eventually(() => expect(current.text).toContain("✓ Answered by Ann"));
    }
    expect((await program.parley(["why", one ?? ""])).out).toContain("told Ann over telegram.");
    for (const { id } of asked)
      expect((await program.client().call("getAsk", { id })).outcome).toMatchObject({ answers: [{ picks: [1] }] });
    expect(open()).toEqual([]);
  },
);

test("[RO14] an answer given here that the agent received otherwise is told here, beside the question, once", async () => {
  const { id } = await mismatchAfter(program, async () => {
    service.press(ANN, (await first()).id, "Option A");
  });
  const about = () => service.shown(ANN).filter(({ text }) => text.startsWith("⚠"));
  await eventually(() => expect(about()).toHaveLength(1));
  const [told] = about();
  expect(told?.text).toContain("Claude Code received something else than you answered");
  expect(told?.text).toContain("Option B");
  expect(messages().find(({ id: message }) => message === told?.replyTo)?.text ?? "none").toContain(
    "✓ Answered by Ann",
  );
  await eventually(async () =>
    expect((await program.client().call("getAsk", { id })).told).toMatchObject({ to: "telegram" }),
  );
  await program.kill9();
  await program.start();
  // What comes after it is handled: so it was looked at.
  await ask();
  await first();
  expect(about()).toHaveLength(1);
  expect((await program.parley(["why", id])).out).toMatch(
    /told Ann over telegram: ⚠ Claude Code received something else/,
  );
});
