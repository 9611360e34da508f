import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { installedFrom } from "./kept-program.ts";
import { programFolder, selfCommand } from "../self-command.ts";

/** `folder`: of the package, the clone, or the one file. */
export type Installed =
  | { by: "npm" | "pnpm" | "yarn" | "bun"; folder: string }
  | { by: "npx" | "dependency"; folder: string }
  | { by: "clone"; folder: string; isGit: boolean }
  | { by: "file"; folder: string };

/** How this Parley came here, told by where it lies. */
export function howInstalled(program = installedFrom()): Installed {
  const [first = "", ...rest] = selfCommand();
  if (rest.length === 0 && program === undefined) return { by: "file", folder: first };
  if (program === undefined) {
    const folder = join(programFolder(), "../..");
    return { by: "clone", folder, isGit: existsSync(join(folder, ".git")) };
  }
  const folder = join(program, "../..");
  const parts = folder.split(sep);
  if (parts.includes("_npx")) return { by: "npx", folder };
  if (parts.includes("pnpm") || parts.includes(".pnpm")) return { by: "pnpm", folder };
  if (parts.includes(".bun")) return { by: "bun", folder };
  if (parts.includes("yarn") || parts.includes(".yarn")) return { by: "yarn", folder };
  // Of a project, where it is a line in that project's package.json; for everybody it lies in lib/node_modules.
  return existsSync(join(folder, "../../package.json")) ? { by: "dependency", folder } : { by: "npm", folder };
}

/**
 * What brings the newest one, as somebody would type it; undefined: nobody but they can know. `npmPrefix`: where npm
 * installs unless told otherwise; this Parley may lie elsewhere, and a second one there would upgrade nothing.
 */
export function upgradeCommand(installed: Installed, npmPrefix?: string): string[] | undefined {
  const name = "parley-inbox@latest";
  switch (installed.by) {
    case "npm": {
      const prefix = join(installed.folder, "../../..");
      const isElsewhere = npmPrefix !== undefined && npmPrefix !== prefix;
      return ["npm", "install", "-g", ...(isElsewhere ? ["--prefix", prefix] : []), name];
    }
    case "pnpm":
      return ["pnpm", "add", "-g", name];
    case "yarn":
      return ["yarn", "global", "add", name];
    case "bun":
      return ["bun", "add", "-g", name];
    case "npx":
      return ["npx", "--yes", name, "restart"];
    case "clone":
    case "dependency":
    case "file":
      return undefined;
  }
}
