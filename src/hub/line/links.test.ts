import { expect, test } from "bun:test";
import { newLine } from "./line.ts";
import { createLinks } from "./links.ts";

const LINES = 200;
/** One more than may wait. */
const FLOOD = 201;

/** Lines over records of which only some are there. Each message is counted for as long as anything keeps it. */
function stage(records: object) {
  const links = createLinks({
    records: { onTold: () => () => undefined, ...records } as never,
    now: () => 1,
    log: () => undefined,
    trust: async () => ({ policies: [], keys: [] }),
  });
  const said: WeakRef<Buffer>[] = [];
  const ends: number[] = [];
  function dial() {
    const line = newLine({ token: "t", address: "", canWithdraw: false, free: () => undefined });
    const socket = { data: line, send: () => 0, close: (code: number) => void ends.push(code) } as never;
    void links.handlers.open?.(socket);
    return {
      line,
      say(bytes: number) {
        const text = Buffer.alloc(bytes, "x");
        said.push(new WeakRef(text));
        void links.handlers.message?.(socket, text);
      },
      hangUp: () => void links.handlers.close?.(socket, 1006, ""),
    };
  }
  async function kept(): Promise<number> {
    await Bun.sleep(0);
    Bun.gc(true);
    return said.filter((each) => each.deref() !== undefined).length;
  }
  return { dial, kept, ends, [Symbol.dispose]: () => void links.stop() };
}
/** As a database that is away: whoever waits for it is kept. */
const waiting: (() => void)[] = [];
const away = () => new Promise<never>((resolve) => void waiting.push(resolve as () => void));

test("[HU12] while a hub cannot look who dials, what strangers said is not kept once they hung up", async () => {
  using hub = stage({ connect: away });
  const { dial, kept } = hub;
  const lines = Array.from({ length: LINES }, dial);
  for (const { say } of lines) say(1000);
  expect(await kept()).toBe(LINES);
  for (const { hangUp } of lines) hangUp();
  // The stack may keep a few.
  expect(await kept()).toBeLessThan(LINES / 10);
  expect(lines).toHaveLength(LINES);
});

test("[HU12] of a machine that is sent away for saying too much nothing is kept, however long what it said first takes", async () => {
  const machine = { id: "m", name: "M", logRead: 0, intents: 0 };
  using hub = stage({ connect: async () => machine, takeBacks: async () => [] });
  const { dial, kept, ends } = hub;
  const { line, say } = dial();
  await line.turn;
  line.turn = away();
  for (let n = 0; n < FLOOD - 1; n++) say(1000);
  expect([await kept(), ends]).toEqual([FLOOD - 1, []]);
  say(1000);
  expect(ends).toEqual([4400]);
  expect(await kept()).toBeLessThan(FLOOD / 10);
});
