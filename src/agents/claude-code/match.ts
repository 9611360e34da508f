/**
 * Equal calls have equal matches, whatever the order of their fields. Only a digest, because inputs can be whole files,
 * and one that nobody can forge: an allowance for one call must not fit another.
 */
export function matchOf(tool: string, input: unknown): string {
  return `${tool} ${new Bun.CryptoHasher("sha256").update(canonical(input)).digest("hex")}`;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}
