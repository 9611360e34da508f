import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Files = Record<string, string>;

/** Runs git as somebody; answers what it printed. */
export function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com", "-c", "commit.gpgsign=false"];
  const { stdout, stderr, exitCode } = Bun.spawnSync(["git", ...who, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString()}`);
  return stdout.toString().trim();
}

export function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Answers the commit. */
export function commit(folder: string, files: Files = {}): string {
  write(folder, files);
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "--allow-empty", "-m", "a change");
  return git(folder, "rev-parse", "HEAD");
}

export function createRepository(folder: string, files: Files): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  return commit(folder, files);
}
