/**
 * A value that comes much later, in a box. A promise that resolves to another one is kept with all that hangs on it for as
 * long as that takes, on every level: of ten thousand who wait, that is most of what each costs.
 */
export type Later<T> = { later: Promise<T> };

export const isLater = <T>(value: T | Later<T>): value is Later<T> =>
  typeof value === "object" && value !== null && "later" in value && value.later instanceof Promise;

/** Waits for what is in the box too. */
export async function whole<T>(working: Promise<T | Later<T>>): Promise<T> {
  const value = await working;
  return isLater(value) ? value.later : value;
}
