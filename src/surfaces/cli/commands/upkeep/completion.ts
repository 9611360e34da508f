import { ParleyError } from "../../../../core/error.ts";
import { defineCommand } from "../../command-line/define.ts";
import { SCRIPTS } from "../../completion-scripts.ts";
import { jsonLine } from "../../json.ts";
import { knownTasks, linesOf, openAsks } from "./complete.ts";

export const command = defineCommand({
  usage: ["bash | zsh | fish [options]"],
  about: "Prints tab completion for your shell, options, questions and tasks.",
  options: {
    // What the scripts of earlier versions call.
    ids: { hidden: true, description: "open questions" },
    tasks: { hidden: true, description: "tasks" },
  },
  positionals: { shell: { optional: true, of: Object.keys(SCRIPTS) } },
  examples: [
    ['eval "$(parley completion bash)"', "in ~/.bashrc"],
    ['eval "$(parley completion zsh)"', "in ~/.zshrc, after compinit"],
    ["parley completion fish | source", "in ~/.config/fish/config.fish"],
  ],
  async run({ shell = "", ids, tasks, json }, context) {
    const { terminal } = context;
    if (ids) return (terminal.out(linesOf(await openAsks(context))), 0);
    if (tasks) return (terminal.out(linesOf(await knownTasks(context))), 0);
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw new ParleyError("usage", "For which shell? parley completion bash, zsh or fish");
    return (terminal.out(json ? jsonLine({ shell, script }) : script), 0);
  },
});
