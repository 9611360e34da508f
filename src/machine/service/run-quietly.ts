const PATIENCE_MS = 60_000;

/** Undefined: it ended well. Else what it said. */
export async function runQuietly([name = "", ...args]: readonly string[], env: Record<string, string | undefined>) {
  const program = Bun.which(name, { PATH: env["PATH"] ?? "" });
  if (program === null) return `there is no ${name} here`;
  const child = Bun.spawn([program, ...args], { env, stdio: ["ignore", "ignore", "pipe"], timeout: PATIENCE_MS });
  const [said, code] = await Promise.all([child.stderr.text(), child.exited]);
  return code === 0 ? undefined : said.trim() || `exit code ${code}`;
}
