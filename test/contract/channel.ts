import { afterEach, beforeEach, describe, expect, test } from "bun:test";
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

/** What every way back must do. */
export function channelContract(name: string, open: () => Promise<ChannelStage>): void {
  describe(`the channel ${name}`, () => {
    let stage: ChannelStage;
    beforeEach(async () => {
      stage = await open();
    });
    afterEach(() => stage.close());
    const now = async (): Promise<[Ask, Delivery]> => {
      const ask = await stage.ask();
      const [delivery] = ask.deliveries;
      if (!delivery) throw new Error("nothing waits");
      return [ask, delivery];
    };

    test("[CH1] reaches an agent that waits, and hands nothing over before somebody has decided", async () => {
      const [ask, delivery] = await now();
      expect(stage.channel.reaches(ask, delivery)).toBe(true);
      expect(await stage.channel.deliver(ask, delivery)).toBe("later");
      expect(stage.handed()).toBe(0);
    });

    test("[CH2] hands the outcome over once, however often it is offered", async () => {
      await stage.settle();
      const [ask, delivery] = await now();
      const results = [await stage.channel.deliver(ask, delivery)];
      for (let i = 0; i < 3; i++) results.push(await stage.channel.deliver(...(await now())));
      expect([results[0], stage.handed()]).toEqual(["sent", 1]);
      expect(results.slice(1)).not.toContain("sent");
    });

    test("[CH3] does not reach an agent that has gone", async () => {
      await stage.settle();
      const before = await now();
      await stage.leave();
      expect(stage.channel.reaches(...(await now()))).toBe(false);
      expect(await stage.channel.deliver(...before)).not.toBe("sent");
      expect(stage.handed()).toBe(0);
    });

    test("[CH4] does not fail, nor hands it over twice, when the agent goes away in the middle", async () => {
      await stage.settle();
      const [ask, delivery] = await now();
      const [sent] = await Promise.all([stage.channel.deliver(ask, delivery), stage.leave()]);
      expect(["sent", "later", "never"]).toContain(sent);
      expect(stage.handed()).toBeLessThanOrEqual(1);
    });
  });
}
