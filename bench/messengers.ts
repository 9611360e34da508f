import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PLAYED } from "./played-messengers.ts";
import { p50p99, type Part, percentile, atMost, type Row } from "./row.ts";
import { openStage } from "./stage.ts";

const EVERY_MS = 10;
const ASKS = 500;
const LIMIT_MS = 1000;

export const messengers: Part = {
  name: "messengers",
  about: "an ask to each messenger, at 100 a second",
  notes: [
    `Messengers: ${ASKS} asks, one each ${EVERY_MS} ms whether or not the one before was told, none of them answered; \`after_seconds = 0\`, \`burst = 0\`. From the request that makes the ask to the message at the service, played on loopback, which answers at once and has no limit of its own (the real Telegram takes one a second in a chat, Slack one a second in a channel). One message at a time goes to each messenger; on Telegram and Slack each takes two calls, a push is encrypted.`,
  ],
  async run(say) {
    const rows: Row[] = [];
    for (const name of Object.keys(PLAYED)) {
      say(name);
      const times = await measure(name);
      rows.push({
        what: `ask → handed to ${name}, 100 a second (p50 / p99)`,
        measured: p50p99(times),
        aim: `p99 ≤ ${LIMIT_MS / 1000} s`,
        ...atMost(percentile(times, 0.99), LIMIT_MS),
      });
    }
    return rows;
  },
};

async function measure(name: string): Promise<number[]> {
  const begun = new Map<string, number>();
  const times = new Map<string, number>();
  const { promise: all, resolve: done } = Promise.withResolvers<void>();
  const service = PLAYED[name]?.((text) => {
    const at = performance.now();
    const [, number = ""] = /number (\d+)\?/.exec(text) ?? [];
    const from = begun.get(number);
    if (from !== undefined && !times.has(number)) times.set(number, at - from);
    if (times.size === ASKS) done();
  });
  if (!service) throw new Error(`nobody plays ${name}`);
  const stage = await openStage();
  try {
    const config = join(stage.root, "config.toml");
    writeFileSync(
      config,
      `[notify]\nafter_seconds = 0\nburst = 0\n[notify.desktop]\nenabled = false\n${service.settings}`,
    );
    Object.assign(stage.env, service.env, { PARLEY_CONFIG: config });
    await stage.start();
    await service.pair?.(stage);
    const { agent } = stage.tokens();
    const lines = await Promise.all(Array.from({ length: 10 }, () => stage.open()));
    const options = ["A", "B"].map((label) => ({ label, description: "What it means" }));
    const start = performance.now();
    // One request at a time on each line.
    const sending: Promise<unknown>[] = lines.map(() => Promise.resolve());
    for (let i = 0; i < ASKS; i++) {
      await Bun.sleep(Math.max(0, start + i * EVERY_MS - performance.now()));
      const question = { question: `Which one is number ${i}?`, header: "Which", multiSelect: false, options };
      begun.set(String(i), performance.now());
      const at = i % lines.length;
      const body = JSON.stringify({ questions: [question] });
      sending[at] = (sending[at] ?? Promise.resolve()).then(() => lines[at]?.send("POST", "/api/asks", agent, body));
    }
    await Promise.all(sending);
    await all;
    for (const line of lines) line.close();
    return [...times.values()];
  } finally {
    await stage.dispose();
    await service.stop();
  }
}
