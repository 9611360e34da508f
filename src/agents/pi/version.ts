/** In what `pi --version` prints. */
export function versionIn(output: string): string | undefined {
  return /\d+\.\d+\.\d+(-[\w.-]+)?/.exec(output.slice(0, 1000))?.[0];
}
