/** In what `codex --version` prints, and in how its app-server names itself. */
export function versionIn(output: string): string | undefined {
  return /\d+\.\d+\.\d+(-[\w.-]+)?/.exec(output.slice(0, 1000))?.[0];
}
