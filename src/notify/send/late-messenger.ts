import type { Notify } from "../../core/config/config.ts";
import type { Log } from "../../machine/log.ts";
import type { Messenger } from "../messenger.ts";

/** What is known of a messenger before it is read. `isWanted`: somebody has set it up, and it has to listen or send. */
export type Early = Pick<Messenger, "name" | "links" | "tireless" | "nameless" | "off"> & {
  isWanted(config: Notify): boolean;
};

/**
 * A messenger whose code is read when somebody has set it up. Contract: as the messenger itself; it has heard the newest
 * settings before anything else is asked of it.
 */
export function createLate<M extends { messenger: Messenger }>(
  { isWanted, ...early }: Early,
  { read, log }: { read: () => Promise<M>; log: Log },
): { messenger: Messenger; get: () => Promise<M> } {
  let reading: Promise<M> | undefined;
  let made: M | undefined;
  let newest: Notify | undefined;

  async function start(): Promise<M> {
    const found = await read();
    made = found;
    if (newest) found.messenger.follow?.(newest);
    return found;
  }
  const get = () =>
    (reading ??= start().catch((error: unknown) => {
      reading = undefined;
      throw error;
    }));
  const its = async () => (await get()).messenger;
  const must = <T>(can: T | undefined): T => {
    if (can === undefined) throw new Error(`${early.name} cannot do this`);
    return can;
  };

  const messenger: Messenger = {
    ...early,
    send: async (...given) => (await its()).send(...given),
    remind: async (...given) => must((await its()).remind)(...given),
    tell: async (...given) => must((await its()).tell)(...given),
    async withdraw(ref, ending, config, ...given) {
      await (await its()).withdraw(ref, ending, config, ...given);
    },
    follow(config) {
      newest = config;
      if (made) made.messenger.follow?.(config);
      else if (isWanted(config))
        void get().catch((error: unknown) =>
          log("error", "a messenger could not be read", { messenger: early.name, error: String(error) }),
        );
    },
    stop: async () => (await reading)?.messenger.stop?.(),
    prove: async (...given) => must((await its()).prove)(...given),
    check: async (...given) => must((await its()).check)(...given),
  };
  return { messenger, get };
}
