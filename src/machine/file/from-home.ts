/** A path as a person writes it in their settings: `~/` is their home. */
export function fromHome(path: string, env: Record<string, string | undefined>): string {
  return path.startsWith("~/") ? `${env["HOME"] ?? ""}${path.slice(1)}` : path;
}
