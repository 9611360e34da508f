import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { p50p99, type Part, percentile, atMost, type Row } from "./row.ts";
import { openStage } from "./stage.ts";

const EVERY_MS = 10;
const ASKS = 500;
const LIMIT_MS = 1000;

export const messengers: Part = {
  name: "messengers",
  about: "an ask to its messenger, at 100 a second",
  notes: [
    `Messengers: ${ASKS} asks, one each ${EVERY_MS} ms whether or not the one before was told, none of them answered; \`after_seconds = 0\`, \`burst = 0\`. From the request that makes the ask to the request at a server on loopback that answers at once. One message at a time goes to each messenger.`,
  ],
  async run(say) {
    say("ntfy");
    const times = await measure();
    const row: Row = {
      what: `ask → handed to the messenger, 100 a second (p50 / p99)`,
      measured: p50p99(times),
      aim: `p99 ≤ ${LIMIT_MS / 1000} s`,
      ...atMost(percentile(times, 0.99), LIMIT_MS),
    };
    return [row];
  },
};

async function measure(): Promise<number[]> {
  const begun = new Map<string, number>();
  const times: number[] = [];
  const { promise: all, resolve: done } = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const at = performance.now();
      const [, number] = /number (\d+)\?/.exec(await request.text()) ?? [];
      times.push(at - (begun.get(number ?? "") ?? Number.NaN));
      if (times.length === ASKS) done();
      return new Response("{}");
    },
  });
  const stage = await openStage();
  try {
    const config = join(stage.root, "config.toml");
    writeFileSync(
      config,
      `[notify]\nafter_seconds = 0\nburst = 0\n[notify.desktop]\nenabled = false\n[notify.ntfy]\nurl = "http://127.0.0.1:${server.port}/topic"\n`,
    );
    stage.env.PARLEY_CONFIG = config;
    await stage.start();
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
    return times;
  } finally {
    await stage.dispose();
    await server.stop(true);
  }
}
