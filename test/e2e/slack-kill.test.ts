import { afterEach, beforeEach, expect, test } from "bun:test";
import { fewOf } from "../cases.ts";
import { mismatchAfter } from "./mismatch-stage.ts";
import { createProgram, type Program } from "./program.ts";
import { eventually } from "../patience.ts";
import { askIn, endWithout, killAt as killDaemonAt, tokenFile, writeSettings } from "../messengers/kill-at.ts";
import {
  APP_TOKEN,
  BOT_TOKEN,
  CHANNEL,
  createSlackService,
  elementsIn,
  type Posted,
  type SlackService,
} from "../messengers/slack-service.ts";
import { ANN, buttonIn, submitCode, textIn } from "../messengers/slack-stage.ts";

let program: Program;
let service: SlackService;
beforeEach(async () => {
  program = createProgram();
  service = createSlackService();
  const places = Object.entries({ bot_token_file: BOT_TOKEN, app_token_file: APP_TOKEN }).map(
    ([name, token]) => `${name} = "${tokenFile(program, name, token)}"`,
  );
  writeSettings(program, `[notify.slack]\nchannel = "${CHANNEL}"\n${places.join("\n")}\napi = "${service.url}"\n`);
  await program.start();
  const { code } = await program.client().call("notifyPair", { body: { messenger: "slack" } });
  await submitCode(service, ANN, code);
  await eventually(async () => expect((await program.client().call("notifyPairs")).pairs).toHaveLength(1));
});
afterEach(() => endWithout(program, service, [BOT_TOKEN.slice(5), APP_TOKEN.slice(5)]));

const ask = () => askIn(program);
const killAt = (method: string, done: boolean) => killDaemonAt(program, service, method, done);
const messages = () => [...service.posted.values()].filter(({ metadata }) => metadata);
const open = () => messages().filter((each) => elementsIn(each).length > 0);
const first = () =>
  eventually((): Posted => {
    const [shown] = open();
    if (!shown || service.lines.size === 0) throw new Error("nothing can be pressed");
    return shown;
  });

test.each(
  fewOf(
    [
      ["chat.postMessage", true],
      ["chat.postMessage", false],
      ["chat.update", false],
      ["chat.update", true],
    ] as const,
    (_one, place) => place === 0,
  ),
)("[SK30] killed at %s (done: %p): it is there once, can be pressed, and counts once", async (method, done) => {
  const killed = killAt(method, done);
  const { id } = await ask();
  await killed;
  await program.start();
  const shown = await first();
  expect([messages().length, open().length]).toEqual([1, 1]);
  // And when its message is to be marked.
  const again = killAt("chat.update", false);
  service.press(ANN, shown.ts, buttonIn(shown, "PostgreSQL"));
  await again;
  await program.start();
  await eventually(() => expect(open()).toEqual([]));
  expect(textIn(shown)).toContain("✓ Answered by ann (slack): PostgreSQL");
  const { events } = await program.client().call("readLog", { query: { ask: id, limit: 100 } });
  expect(events.filter(({ type }) => type === "ask.settled")).toHaveLength(1);
});

test("[SK31] typed commands: test proves both ways, doctor says who is paired, why who was told; a mismatch is told in the thread", async () => {
  const tested = program.parley(["notify", "test", "slack"]);
  const button = await eventually((): Posted => {
    const found = [...service.posted.values()].find((each) =>
      elementsIn(each).some(({ action_id }) => action_id === "test"),
    );
    if (!found) throw new Error("no test was sent");
    return found;
  });
  service.press(ANN, button.ts, buttonIn(button, "It works"));
  expect(await tested).toMatchObject({
    code: 0,
    out: "✓ slack: sent to the channel; ann pressed its button, and that came back\n",
  });
  expect(elementsIn(button)).toEqual([]);
  const { out } = await program.parley(["doctor", "--json"]);
  expect(out).toContain(
    `"check":"slack","level":"ok","message":"@parley in Played works and is heard; paired with ann"`,
  );
  const { id } = await mismatchAfter(program, async () => {
    const shown = await first();
    service.press(ANN, shown.ts, buttonIn(shown, "Option A"));
  });
  const about = () => [...service.posted.values()].filter(({ text }) => text.includes("⚠"));
  await eventually(() => expect(about()).toHaveLength(1));
  expect(about()[0]?.text).toContain("<@U1ANN> ⚠ Claude Code received something else than you answered");
  expect(about()[0]?.thread).toBe(messages()[0]?.ts);
  // What is in the channel is written down a moment later.
  await eventually(async () => {
    const why = await program.parley(["why", id]);
    expect(why.out).toContain("told ann over slack.");
    expect(why.out).toContain("ann replied over slack: Answered: Option A");
    expect(why.out).toContain("told ann over slack: ⚠ Claude Code received something else");
  });
});
