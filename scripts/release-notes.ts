// `bun scripts/release-notes.ts [from] [to]`: what changed between two commits, from their subjects, as a list for people.
const PARTS = [
  ["feat", "New"],
  ["fix", "Mended"],
  ["perf", "Faster"],
] as const;

/** Contract: only what somebody who uses it notices; the newest first. */
export function notesOf(subjects: readonly string[]): string {
  const sections = PARTS.flatMap(([type, title]) => {
    const lines = subjects.flatMap((subject) => {
      const [, kind, scope, what] = /^(\w+)(?:\(([^)]*)\))?!?: (.+)$/.exec(subject) ?? [];
      return kind === type ? [`- ${scope === undefined ? "" : `**${scope}**: `}${what}`] : [];
    });
    return lines.length === 0 ? [] : [`## ${title}\n${lines.join("\n")}\n`];
  });
  return sections.length === 0 ? "Nothing that you would notice.\n" : sections.join("\n");
}

if (import.meta.main) {
  const git = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...args]);
    return { ok: exitCode === 0, text: stdout.toString().trim(), problem: stderr.toString().trim() };
  };
  const [given, to = "HEAD"] = process.argv.slice(2);
  // Without a release before it, everything.
  const last = git("describe", "--tags", "--abbrev=0", "--match=v*", `${to}^`);
  const from = given ?? (last.ok ? last.text : undefined);
  const log = git("log", "--no-merges", "--format=%s", from === undefined ? to : `${from}..${to}`);
  if (!log.ok) throw new Error(log.problem);
  process.stdout.write(notesOf(log.text.split("\n")));
}
