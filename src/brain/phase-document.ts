import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

const PHASES = join(".planning", "phases");
const MOST = 200;

/**
 * Workflows keep a document of each phase in its folder, as in `.planning/phases/04-answers/04-CONTEXT.md`.
 * The one of the phase that was worked on last, as a path below `top`.
 */
export async function phaseDocument(top: string, name: string): Promise<string | undefined> {
  try {
    const phases = await realpath(join(top, PHASES));
    if (!phases.startsWith(top + sep)) return undefined;
    const names = (await readdir(phases)).toSorted().slice(-MOST);
    const folders = await Promise.all(
      names.map(async (folder) => ({ folder, at: await changed(join(phases, folder)) })),
    );
    for (const { folder } of folders.toSorted((a, b) => b.at - a.at)) {
      const files = await readdir(join(phases, folder)).catch(() => []);
      const found = files.find((file) => file === name || file.endsWith(`-${name}`));
      if (found !== undefined) return join(PHASES, folder, found);
    }
  } catch {
    // There are no phases.
  }
  return undefined;
}

const changed = (path: string): Promise<number> =>
  stat(path).then(
    (info) => info.mtimeMs,
    () => 0,
  );
