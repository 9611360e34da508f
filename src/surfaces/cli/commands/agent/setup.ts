import { AGENTS, isInstallable, programOf } from "../../../../agents/agents.ts";
import { ParleyError } from "../../../../core/error.ts";
import { writeLauncher } from "../../../../machine/program/launcher.ts";
import { makePrivateDir } from "../../../../machine/file/private-dir.ts";
import { defineCommand } from "../../command-line/define.ts";
import { refuseAgents } from "../../guard.ts";
import { setup } from "../../setup.ts";

const INSTALLABLE = AGENTS.filter(isInstallable);
const NAMES = INSTALLABLE.map(({ name }) => name);

export const command = defineCommand({
  usage: ["[<agent>] [options]"],
  about: `Makes an agent ask through Parley, by adding hooks to its settings file. Everything else in that file stays as it is; a backup is kept beside it. Without a name: every agent that is found.\n\nAgents: ${NAMES.join(", ")}`,
  options: {
    project: { description: "change the project's settings instead of your own" },
    hold: { description: "with --project: no dialog in the terminal, only Parley answers" },
    "must-ask": { description: "also ask about what approvals.must_ask names, in every mode" },
    remove: { description: "remove what Parley added" },
    print: { description: "only show the change" },
    yes: { description: "do not ask" },
    json: { description: "print the result as JSON (with --yes or --print)" },
  },
  positionals: { agents: { optional: true, repeatable: true, of: NAMES } },
  async run(input, { terminal, client, paths }) {
    if (!input.print) await refuseAgents("setup", { paths, client });
    // First: hooks that point nowhere would be silently useless.
    makePrivateDir(paths.home);
    await writeLauncher(paths);
    const io = { ...terminal, program: paths.program };
    if (input.agents.length > 0) return setup(input, io);
    const found = INSTALLABLE.filter((agent) => programOf(agent, terminal.env["PATH"]) !== undefined);
    if (found.length === 0)
      throw new ParleyError(
        "not_found",
        `No agent is on your PATH. Name one: parley setup ${NAMES.slice(0, -1).join(", ")} or ${NAMES.at(-1)}`,
      );
    const missing = INSTALLABLE.filter((agent) => !found.includes(agent));
    const titles = (agents: readonly { title: string }[]) => agents.map(({ title }) => title).join(", ");
    if (!input.json && !input.print && found.length + missing.length > 1)
      terminal.out(`Found ${titles(found)}.${missing.length === 0 ? "" : ` Not found: ${titles(missing)}.`}\n`);
    let code = 0;
    for (const { name } of found) code = Math.max(code, await setup({ ...input, agents: [name] }, io));
    return code;
  },
});
