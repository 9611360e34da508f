import { afterEach, expect, test } from "bun:test";
import { Config } from "../../src/core/config/config.ts";
import { askIn, endWithout, killAt, tokenFile, writeSettings } from "../messengers/kill-at.ts";
import { createTelegramService, TOKEN } from "../messengers/telegram-service.ts";
import { eventually } from "../patience.ts";
import { createReceiver, createStage } from "./notify-stage.ts";
import { createProgram } from "./program.ts";

const ANN = 4242;
const SHOP = { project: "shop", answered: 2, suggested: 1, left: 0, mismatched: 0, undone: 0 };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** It is noon there. */
function openStage(more: string) {
  const receiver = createReceiver();
  const days: number[] = [];
  const digest = async (since: number) => (days.push(since), [SHOP]);
  const stage = createStage({ digest });
  ends.push(
    () => stage[Symbol.asyncDispose](),
    () => receiver[Symbol.asyncDispose](),
  );
  const settings = (text: string) =>
    stage.config(
      `[notify]\n${text}\n[notify.ntfy]\nurl = "${receiver.url}/topic"\n[notify.webhook]\nurl = "${receiver.url}/hook"\nsecret = "0123456789abcdef"\n`,
    );
  settings(more);
  const digests = () => receiver.requests.filter(({ text }) => text.includes("in your place"));
  const settled = () => eventually(() => expect(stage.logged.filter(isTold)).toHaveLength(digests().length));
  return { stage, receiver, days, settings, digests, settled };
}

const isTold = ({ message }: { message: string }) => message === "the digest was told";
const hours = (count: number) => count * 3600;

test("[DK11] the digest is told at its time, once a day on each messenger, over restarts too", async () => {
  const { stage, days, digests, settled } = openStage(`digest = "13:30"`);
  await stage.after(60);
  expect(digests()).toEqual([]);
  await stage.after(hours(1.5));
  await eventually(() => expect(digests()).toHaveLength(2));
  await settled();
  expect(digests().map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`"title":"Parley: 2 answers in your place"`),
      expect.stringContaining(`"event":"digest","digest":{"since":${new Date(2026, 5, 14, 13, 30).getTime()}`),
    ]),
  );
  expect(days[0]).toBe(new Date(2026, 5, 14, 13, 30).getTime());
  await stage.restart();
  await stage.after(hours(1));
  expect(digests()).toHaveLength(2);
  await stage.after(hours(23));
  await eventually(() => expect(digests()).toHaveLength(4));
  await settled();
});

test("[DK12] off at its hour it is told later, but not half a day later; a time that is set is not for the hour that is over", async () => {
  const { stage, settings, digests, settled } = openStage(`digest = "09:00"\ndigest_to = ["webhook"]`);
  await stage.after(0);
  await eventually(() => expect(digests()).toHaveLength(1));
  await settled();
  settings(`digest = "11:00"`);
  await stage.after(60);
  settings(`digest = "05:00"`);
  await stage.restart();
  await stage.after(60);
  expect(digests()).toHaveLength(1);
  await stage.after(hours(17));
  await eventually(() => expect(digests()).toHaveLength(3));
  await settled();
});

test("[DK13] in quiet hours it waits; a messenger that is told nothing gets none; what fails is told again", async () => {
  const { stage, receiver, digests } = openStage(
    `digest = "11:00"\nquiet = "10:00-12:30"\nroutes = [{ messenger = "ntfy", when = "never" }]`,
  );
  await stage.after(0);
  expect(digests()).toEqual([]);
  receiver.statuses.push(500);
  await stage.after(hours(0.6));
  await eventually(() => expect(digests()).toHaveLength(1));
  await eventually(() => expect(stage.logged.map(({ message }) => message)).toContain("the digest will be told again"));
  await stage.after(10);
  await eventually(() => expect(digests()).toHaveLength(2));
  const [first, again] = digests().map(({ headers, path }) => [path, headers.get("parley-delivery")]);
  expect([first, again]).toEqual([
    ["/hook", "digest-2026-06-15"],
    ["/hook", "digest-2026-06-15"],
  ]);
  await eventually(() => expect(stage.logged.filter(isTold)).toHaveLength(1));
});

test("[DK14] killed while it is told on Telegram: it is there once", async () => {
  const program = createProgram();
  const service = createTelegramService();
  ends.push(() => endWithout(program, service, [TOKEN.slice(8)]));
  const telegram = `[notify.telegram]\ntoken_file = "${tokenFile(program, "bot-token", TOKEN)}"\napi = "${service.url}"\n`;
  writeSettings(program, telegram);
  await program.start();
  const { code } = await program.client().call("notifyPair", { body: { messenger: "telegram" } });
  service.write(ANN, code);
  await askIn(program);
  const shown = () => service.shown(ANN);
  await eventually(() => expect(shown().some(({ buttons }) => buttons.length > 0)).toBe(true));
  await program.terminate();
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, "0");
  writeSettings(program, telegram, `digest = "${two(now.getHours())}:${two(now.getMinutes())}"`);
  const killed = killAt(program, service, "sendMessage", true);
  await program.start();
  await killed;
  await program.start();
  // What comes after it is told: so it was looked at.
  const before = shown().length;
  await askIn(program);
  await eventually(() => expect(shown().length).toBeGreaterThan(before));
  const digests = shown().filter(({ text }) => text.includes("Parley: 1 question waits for you"));
  expect(digests.map(({ text, buttons }) => [text.split("\n").at(-1), buttons])).toEqual([
    ["See it: parley digest --hours 24", []],
  ]);
});

test("[DK15] its time is one of the clock", () => {
  const takes = (digest: unknown) => Config.safeParse({ notify: { digest } }).success;
  expect(["", "00:00", "23:59", "08:30"].map(takes)).toEqual([true, true, true, true]);
  expect(["8:30", "24:00", "12:60", "noon", 8].map(takes)).toEqual([false, false, false, false, false]);
});
