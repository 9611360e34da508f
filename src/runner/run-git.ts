/** What git said, and how it ended. */
export type Said = { ok: boolean; out: string; err: string };

/**
 * Runs git without its owner's hooks, and without touching an index that somebody else works with: a look at a
 * repository must leave no trace in it.
 */
export async function runGit(cwd: string, ...args: string[]): Promise<Said> {
  const quiet = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];
  const { GIT_DIR: _dir, GIT_INDEX_FILE: _index, GIT_WORK_TREE: _tree, ...env } = process.env;
  try {
    const child = Bun.spawn(["git", ...quiet, ...args], {
      cwd,
      env: { ...env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { ok: code === 0, out, err: err.trim() };
  } catch (error) {
    return { ok: false, out: "", err: error instanceof Error ? error.message : String(error) };
  }
}
