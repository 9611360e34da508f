/** Some providers name the first call of every message the same, so a call is named with its message. */
export const keyOf = (call: string, message: string | undefined): string =>
  message === undefined ? call : `${message} ${call}`;

export function callIn(key: string): { key: string; turn?: string } {
  const space = key.indexOf(" ");
  return space < 0 ? { key } : { turn: key.slice(0, space), key: key.slice(space + 1) };
}
