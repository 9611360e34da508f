import { topFolder } from "../../../machine/git/project-top.ts";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { settingsPath } from "../install.ts";
import { readExact } from "../../../machine/file/atomic-file.ts";
import { type Finding, problem } from "../../../core/finding.ts";
import { issueWords } from "../../../core/words/issue-words.ts";

const Handler = z.looseObject({ command: z.string().optional(), timeout: z.number().optional() });
const Group = z.looseObject({ matcher: z.string().optional(), hooks: z.array(Handler) });
/** What Parley looks at in a settings file of Claude Code. */
const Settings = z.looseObject({
  hooks: z.record(z.string(), z.array(Group)).optional(),
  disableAllHooks: z.boolean().optional(),
  enabledPlugins: z.record(z.string(), z.unknown()).optional(),
  permissions: z.looseObject({ deny: z.array(z.string()).optional() }).optional(),
  askUserQuestionTimeout: z.unknown().optional(),
  allowManagedHooksOnly: z.boolean().optional(),
  strictPluginOnlyCustomization: z.union([z.boolean(), z.array(z.string())]).optional(),
});
export type Settings = z.infer<typeof Settings>;

export type Source = "user" | "project" | "local" | "managed";
export type SettingsFile = { source: Source; path: string; settings: Settings };
type At = { env: Record<string, string | undefined>; cwd: string; managedDir?: string };

/**
 * The settings files that count for a session started here, weakest first: for a single value the last one that sets it
 * wins, hooks of all of them run. Seen with 2.1.197 and 2.1.325.
 */
export async function readSettings({ env, cwd, managedDir = MANAGED }: At): Promise<{
  files: SettingsFile[];
  findings: Finding[];
}> {
  const user = settingsPath({ env, cwd });
  const project = settingsPath({ env, cwd, project: topFolder(cwd) });
  const candidates: [Source, string][] = [
    ["user", user],
    ...(project === user ? [] : ([["project", project]] as [Source, string][])),
    ["local", join(dirname(project), "settings.local.json")],
    ["managed", join(managedDir, "managed-settings.json")],
    ...dropIns(join(managedDir, "managed-settings.d")).map((path): [Source, string] => ["managed", path]),
  ];
  const read = await Promise.all(candidates.map(([source, path]) => readOne(source, path)));
  return {
    files: read.flatMap((one) => (one && "settings" in one ? one : [])),
    findings: read.flatMap((one) => (one && "level" in one ? one : [])),
  };
}

const MANAGED = process.platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";

async function readOne(source: Source, path: string): Promise<SettingsFile | Finding | undefined> {
  // A single wrong value is enough: Claude Code then uses nothing of the file (seen with both).
  const unusable = (why: string) => problem("settings", `${path} ${why}: Claude Code ignores all of it`, `fix ${path}`);
  try {
    const text = await readExact(path);
    if (text === undefined) return undefined;
    const { data, error } = Settings.safeParse(JSON.parse(text.replace(/^\uFEFF/, "")));
    if (data) return { source, path, settings: data };
    const [first] = error.issues;
    const what = first === undefined ? "" : `${first.path.join(".") || "top level"}: ${issueWords(first)}`;
    return unusable(`has a wrong value (${what})`);
  } catch (error) {
    return unusable(
      error instanceof SyntaxError ? "is not valid JSON" : `cannot be read (${(error as Error).message})`,
    );
  }
}

/** In the order in which Claude Code reads them. */
function dropIns(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && !name.startsWith("."));
  return names.toSorted().map((name) => join(folder, name));
}
