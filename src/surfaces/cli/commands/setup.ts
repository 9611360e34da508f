import { AGENTS } from "../../../agents/agents.ts";
import { ParleyError } from "../../../core/error.ts";
import { writeLauncher } from "../../../machine/launcher.ts";
import { makePrivateDir } from "../../../machine/private-dir.ts";
import { refuseAgents } from "../guard.ts";
import type { Command } from "../run.ts";
import { setup } from "../setup.ts";

/** Without a name: every agent that is found. Hooks that point nowhere would be silently useless, so the program they call is written first. */
export const setupCommand: Command = async (args, { terminal, client, paths }) => {
  if (!args.includes("--print") && !args.includes("--help")) await refuseAgents("setup", { paths, client });
  makePrivateDir(paths.home);
  await writeLauncher(paths);
  const io = { ...terminal, program: paths.program };
  if (args.some((arg) => !arg.startsWith("-")) || args.includes("--help")) return setup(args, io);
  const found = AGENTS.filter(
    ({ install, program }) => install && Bun.which(program, { PATH: terminal.env["PATH"] ?? "" }) !== null,
  );
  if (found.length === 0)
    throw new ParleyError("not_found", "No agent is on your PATH. Name one: parley setup claude-code");
  let code = 0;
  for (const { name } of found) code = Math.max(code, await setup([name, ...args], io));
  return code;
};
