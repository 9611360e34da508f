import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { writeLauncher } from "../../../../machine/program/launcher.ts";
import { makePrivateDir } from "../../../../machine/file/private-dir.ts";
import { defineCommand } from "../../command-line/define.ts";

/** `main.ts` stands between the editor and the agent itself, before anything of a surface is loaded. */
export const command = defineCommand({
  usage: ["-- <agent command>", "--settings <name> -- <agent command>"],
  about:
    "Stands between an editor that speaks the Agent Client Protocol and the agent it starts. Every byte goes through as it came; permissions and forms that the agent asks for are in the inbox too, while the editor shows them. Whoever answers first has answered; the editor takes its dialog back. Not for people: it is what the editor's settings start.",
  options: {
    settings: { value: "NAME", description: "print what goes into Zed's settings for this agent, under that name" },
  },
  positionals: { command: { optional: true, repeatable: true } },
  examples: [
    ["parley acp -- opencode acp", "what an editor starts instead of: opencode acp"],
    ["parley acp --settings OpenCode -- opencode acp", "the entry for Zed's settings.json"],
  ],
  notes: "Without a Parley, or when it breaks, editor and agent go on as if it were not there.",
  noJson: true,
  standsAlone: true,
  async run({ settings, command: given }, { terminal, paths }) {
    const [program, ...args] = given;
    if (program === undefined) throw new ParleyError("usage", "Which agent? Such as: parley acp -- opencode acp");
    if (settings === undefined)
      throw new ParleyError(
        "usage",
        `The agent's command stands behind two dashes: parley acp -- ${safeLine([program, ...args].join(" "), { max: 200 })}`,
      );
    makePrivateDir(paths.home);
    await writeLauncher(paths);
    const server = { type: "custom", command: paths.program, args: ["acp", "--", program, ...args], env: {} };
    terminal.out(`${JSON.stringify({ agent_servers: { [settings]: server } }, null, 2)}\n`);
    return 0;
  },
});
