/** A path as people write it: what lies in their home begins with `~`. */
export function tildePath(path: string, env: Record<string, string | undefined>): string {
  const home = env["HOME"] ?? "";
  return home.length > 1 && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
