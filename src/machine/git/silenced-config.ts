const FILTER = /^(filter\..+)\.(clean|smudge|process|required)$/is;
const MERGE = /^merge\..+\.driver$/is;
/** Whatever it would merge stays a conflict: an empty program would take one side for the whole. */
const NO_MERGE = "exit 1";
const HOOK = /^(hook\..+)\.(command|event)$/is;
/** A repository's own file, or that of one of its worktrees; what they include has their scope. */
const OF_REPOSITORY = new Set(["local", "worktree"]);

/**
 * What puts a repository's programs out of force, from `git config --list --null --show-scope`. A filter that the
 * person's own settings name too, as that of git-lfs, is put back to what they say.
 */
export function silenced(listed: string): [key: string, value: string][] {
  const fields = listed.split("\0");
  const theirs = new Map<string, Set<string>>();
  const mine = new Map<string, string>();
  const hooks = new Set<string>();
  const drivers = new Set<string>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [scope = "", entry = ""] = fields.slice(i, i + 2);
    const [key = "", ...value] = entry.split("\n");
    const [, filter, part = ""] = FILTER.exec(key) ?? [];
    const [, hook] = HOOK.exec(key) ?? [];
    if (hook !== undefined) hooks.add(hook);
    if (MERGE.test(key)) {
      if (OF_REPOSITORY.has(scope)) drivers.add(key);
      else mine.set(key, value.join("\n"));
    }
    if (filter === undefined) continue;
    if (OF_REPOSITORY.has(scope)) theirs.set(filter, (theirs.get(filter) ?? new Set()).add(part));
    // A key without a value means true.
    else mine.set(key, value.length === 0 ? "true" : value.join("\n"));
  }
  return [
    ...[...theirs].flatMap(([filter, parts]) => withoutTheirs(filter, parts, mine)),
    ...[...drivers].map((driver): [string, string] => [driver, mine.get(driver) ?? NO_MERGE]),
    ...[...hooks].map((hook): [string, string] => [`${hook}.enabled`, "false"]),
  ];
}

/** Only what they set: git takes a process that is empty for one that is there, and asks no other program. */
function withoutTheirs(filter: string, parts: ReadonlySet<string>, mine: ReadonlyMap<string, string>) {
  const set = [...parts].map((part): [string, string] => [`${filter}.${part}`, mine.get(`${filter}.${part}`) ?? ""]);
  const isWhole = set.every(([key, value]) => value !== "" || key.endsWith(".required"));
  // Without its program a filter that is required would refuse every file.
  return isWhole && mine.has(`${filter}.required`)
    ? set
    : [...set, [`${filter}.required`, "false"] as [string, string]];
}
