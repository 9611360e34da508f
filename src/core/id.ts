/** Letters and digits that survive being read aloud and typed: no 0/o, 1/l/i. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
export const ID_LENGTH = 12;

/** Contract: `random` gives bytes from the outside; the same bytes give the same id. */
export function makeId(random: Uint8Array): string {
  let id = "";
  for (let i = 0; i < ID_LENGTH && i < random.length; i++) id += ALPHABET[(random[i] ?? 0) % ALPHABET.length];
  return id;
}

/** What lists show; any unique prefix of an id works wherever an id is asked for. */
export function shortId(id: string): string {
  return id.slice(0, 6);
}
