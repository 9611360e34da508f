import { writeLauncher } from "../../machine/launcher.ts";
import { makePrivateDir } from "../../machine/private-dir.ts";
import type { Command } from "./run.ts";
import { setup } from "./setup.ts";

/** Hooks that point nowhere would be silently useless, so the program they call is written first. */
export const setupCommand: Command = async (args, { terminal, paths }) => {
  makePrivateDir(paths.home);
  await writeLauncher(paths);
  return setup(args, { ...terminal, program: paths.program });
};
