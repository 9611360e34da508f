import { isIP } from "node:net";
import type { Log } from "../../machine/log.ts";

/**
 * Lines of which nobody knows yet whose they are. Each has a place in the database's queue, and while that is away for as long
 * as it is waited for. A thousand machines behind one address that come at once find room within a few tries: one is known in
 * a millisecond or two.
 */
const MOST = 1000;
const MOST_OF_ONE = 500;
/** Whoever is refused may come again after so long. */
export const COME_AGAIN_SECONDS = 1;
const LOG_MS = 60_000;
type Deps = { now: () => number; log: Log };
export type Strangers = ReturnType<typeof createStrangers>;

/** How many may dial at once, of all and of one address. */
export function createStrangers({ now, log }: Deps) {
  const here = new Map<string, number>();
  const refused = { all: 0, address: 0 };
  let [all, unsaid, saidAt] = [0, 0, -Infinity];

  function refuse(why: keyof typeof refused, address: string): void {
    refused[why]++;
    unsaid++;
    if (now() - saidAt < LOG_MS) return;
    log("warn", "lines are refused: too many wait to be known", { refused: unsaid, waiting: all, from: address });
    [unsaid, saidAt] = [0, now()];
  }

  return {
    /** Undefined: there is no room. Else what gives its place free again, once or more often. */
    enter(address: string): (() => void) | undefined {
      const network = networkOf(address);
      const ofOne = here.get(network) ?? 0;
      if (all >= MOST) return (refuse("all", address), undefined);
      if (ofOne >= MOST_OF_ONE) return (refuse("address", address), undefined);
      all++;
      here.set(network, ofOne + 1);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        all--;
        const left = (here.get(network) ?? 1) - 1;
        if (left > 0) here.set(network, left);
        else here.delete(network);
      };
    },
    count: () => all,
    refused: (): Readonly<Record<string, number>> => refused,
  };
}

/** Who has one address of IPv6 has all of its network. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  // In the one form that they all have: groups without zeros before them.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`;
}
