import { isAbsolute, join, normalize } from "node:path";

/** Of tools for files: a hook is told the whole path, the record keeps what the model wrote. */
const PATHS = ["file_path", "notebook_path"];

/**
 * Equal calls have equal matches, whatever the order of their fields. Only a digest, because inputs can be whole files,
 * and one that nobody can forge: an allowance for one call must not fit another. `cwd`: where its relative paths begin.
 */
export function matchOf(tool: string, input: unknown, cwd?: string): string {
  return `${tool} ${new Bun.CryptoHasher("sha256").update(canonical(withWholePaths(input, cwd))).digest("hex")}`;
}

function withWholePaths(input: unknown, cwd: string | undefined): unknown {
  if (cwd === undefined || !isAbsolute(cwd) || typeof input !== "object" || input === null || Array.isArray(input))
    return input;
  const whole = PATHS.flatMap((name) => {
    const path = (input as Record<string, unknown>)[name];
    if (typeof path !== "string" || path === "" || path.startsWith("~")) return [];
    return [[name, normalize(isAbsolute(path) ? path : join(cwd, path))]];
  });
  return whole.length === 0 ? input : { ...input, ...(Object.fromEntries(whole) as Record<string, string>) };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}
