import { describe, expect, test } from "bun:test";
import type { Ask, Delivery } from "../../src/core/ask/ask.ts";
import type { Channel } from "../../src/delivery/channel.ts";

/** A channel with an Ask whose agent waits at its other end. */
export type ChannelStage = {
  channel: Channel;
  /** The Ask as it is now; its first delivery is the one that waits. */
  ask(): Promise<Ask>;
  /** Somebody answers it. */
  settle(): Promise<void>;
  /** The agent goes away. */
  leave(): Promise<void>;
  /** How often the agent's side was given the outcome. */
  handed(): number;
  close(): Promise<void>;
};

type Now = () => Promise<[Ask, Delivery]>;
type Case = (title: string, run: () => Promise<void>) => void;

type How = {
  /** How one case is run, where an agent has to be there for it. */
  each?: Case;
  /** Why it cannot tell, before it tries, that the agent has gone. */
  looksLate?: string;
};

/** What every way back must do. */
export function channelContract(name: string, open: () => Promise<ChannelStage>, { each = test, looksLate }: How = {}) {
  describe(`the channel ${name}`, () => {
    const it = (title: string, run: (stage: ChannelStage, now: Now) => Promise<void>): void =>
      each(title, async () => {
        const stage = await open();
        try {
          await run(stage, async () => {
            const ask = await stage.ask();
            const [delivery] = ask.deliveries;
            return delivery ? [ask, delivery] : Promise.reject(new Error("nothing waits"));
          });
        } finally {
          await stage.close();
        }
      });

    it("[CH1] reaches an agent that waits, and hands nothing over before somebody has decided", async (stage, now) => {
      const [ask, delivery] = await now();
      expect(stage.channel.reaches(ask, delivery)).toBe(true);
      expect(await stage.channel.deliver(ask, delivery)).toBe("later");
      expect(stage.handed()).toBe(0);
    });

    it("[CH2] hands the outcome over once, however often it is offered", async (stage, now) => {
      await stage.settle();
      const [ask, delivery] = await now();
      const results = [await stage.channel.deliver(ask, delivery)];
      for (let i = 0; i < 3; i++) results.push(await stage.channel.deliver(...(await now())));
      expect([results[0], stage.handed()]).toEqual(["sent", 1]);
      expect(results.slice(1)).not.toContain("sent");
    });

    it("[CH3] does not reach an agent that has gone", async (stage, now) => {
      await stage.settle();
      const before = await now();
      await stage.leave();
      expect(stage.channel.reaches(...(await now()))).toBe(looksLate !== undefined);
      expect(await stage.channel.deliver(...before)).not.toBe("sent");
      expect(stage.handed()).toBe(0);
    });

    it("[CH4] does not fail, nor hands it over twice, when the agent goes away in the middle", async (stage, now) => {
      await stage.settle();
      const [ask, delivery] = await now();
      const [sent] = await Promise.all([stage.channel.deliver(ask, delivery), stage.leave()]);
      expect(["sent", "later", "never"]).toContain(sent);
      expect(stage.handed()).toBeLessThanOrEqual(1);
    });
  });
}
