/** What it cost to read something: how often a part of it was looked at, and how much text was parsed. */
export type Meter = { looks: number; parsed: number };

/** Looks at every part of a value are counted, however the value is walked. */
export function metered<T>(value: T, meter: Meter): T {
  if (typeof value !== "object" || value === null) return value;
  const proxy = new Proxy(value, {
    get(target, key, receiver) {
      meter.looks++;
      return metered(Reflect.get(target, key, receiver) as unknown, meter);
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      meter.looks += keys.length;
      return keys;
    },
    getOwnPropertyDescriptor(target, key) {
      meter.looks++;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
  plain.set(proxy, value);
  return proxy;
}

const plain = new WeakMap<object, object>();
/** The value itself: looks at it are not counted. */
export const unmetered = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? (plain.get(value) ?? value) : value;
/** As it was before anything was counted. */
export const parseUncounted = JSON.parse;

/** While this runs, whatever is parsed is counted too. */
export async function measured(meter: Meter, work: () => unknown): Promise<void> {
  const parse = JSON.parse;
  JSON.parse = ((text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown) => {
    meter.parsed += text.length;
    return metered(parse(text, reviver) as unknown, meter);
  }) as typeof JSON.parse;
  try {
    await work();
  } finally {
    JSON.parse = parse;
  }
}

/** Without a clock: on a busy machine the same work is the same work. */
export function tooMuch({ looks, parsed }: Meter, given: readonly unknown[]): string | undefined {
  const size = JSON.stringify(given)?.length ?? 0;
  const most = { looks: 5000 + 12 * size, parsed: 5000 + 6 * size };
  if (looks > most.looks) return `${looks} looks at ${size} characters`;
  return parsed > most.parsed ? `${parsed} characters parsed of ${size}` : undefined;
}
