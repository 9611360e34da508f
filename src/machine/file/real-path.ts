import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";

const LONGEST = 4096;

/**
 * A path without links and `..`; of what is not there yet, behind the deepest folder that is. Undefined: that cannot be said,
 * as of a path through something that is not there, or a link that leads nowhere.
 */
export function realPath(path: string): string | undefined {
  if (!isAbsolute(path) || path.length > LONGEST || path.includes("\0")) return undefined;
  const found = resolved(path);
  // Some programs take `..` away before they follow a link, others after: where that differs nobody knows which is meant.
  return !path.includes("..") || found === resolved(normalize(path)) ? found : undefined;
}

function resolved(path: string): string | undefined {
  const missing: string[] = [];
  for (let at = path.replace(/\/+$/, "") || "/"; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return undefined;
    }
    if (at === "/" || [".", ".."].includes(basename(at)) || isDangling(at)) return undefined;
    missing.unshift(basename(at));
  }
}

function isDangling(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
