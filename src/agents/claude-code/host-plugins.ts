import { dirname, join } from "node:path";
import { z } from "zod";
import { readExact } from "../../machine/file/atomic-file.ts";
import { isParleyPlugin } from "../hook-settings.ts";
import type { HostPlugin } from "../capability/install.ts";
import { settingsPath } from "./install.ts";

/** Its list of what it installed, by name and place; whatever has another shape is not of Parley's making. */
const Installed = z.object({
  plugins: z.record(
    z.string(),
    z.array(z.object({ installPath: z.string(), scope: z.string(), projectPath: z.string().optional() })).catch([]),
  ),
});

export async function hostPlugins(at: { env: Record<string, string | undefined>; cwd: string }): Promise<HostPlugin[]> {
  const text = await readExact(join(dirname(settingsPath(at)), "plugins", "installed_plugins.json"));
  const list = Installed.safeParse(parsed(text)).data?.plugins ?? {};
  const found: HostPlugin[] = [];
  for (const [name, places] of Object.entries(list))
    for (const { installPath: path, scope, projectPath: cwd } of places)
      if (await isParleyPlugin(path)) {
        const args = ["plugin", "uninstall", name, ...(scope === "user" ? [] : ["--scope", scope])];
        found.push({ path, args, ...(cwd !== undefined && { cwd }) });
      }
  return found;
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
