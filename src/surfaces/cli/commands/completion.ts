import { parseArgs } from "node:util";
import { isUp } from "../../../client/wire.ts";
import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import { safeLine } from "../../../core/text/text.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";

const WITH_ID = ["show", "answer", "log", "wait", "why", "snooze", "jump", "bug-report"];
const ACTIONS = "show logs answer feedback retry cancel done rm";
const HELP = `Usage: parley completion bash | zsh | fish [--json]

Prints what your shell needs to complete commands, questions and tasks:

  bash   eval "$(parley completion bash)"          in ~/.bashrc
  zsh    eval "$(parley completion zsh)"           in ~/.zshrc, after compinit
  fish   parley completion fish | source           in ~/.config/fish/config.fish
`;

/** `--ids` and `--tasks` are what the scripts themselves call. */
export const completion: Command = async (args, { terminal, client, paths, commands }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ids: { type: "boolean" },
      tasks: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (terminal.out(HELP), 0);
  if (values.ids) {
    const { asks } = (await isUp(paths)) ? await client.call("listAsks") : { asks: [] };
    const lines = asks.map(
      ({ id, questions }) => `${shortId(id)}\t${safeLine(questions[0]?.text ?? "", { max: 60 })}\n`,
    );
    return (terminal.out(lines.join("")), 0);
  }
  if (values.tasks) {
    const { tasks } = (await isUp(paths)) ? await client.call("listTasks") : { tasks: [] };
    const lines = tasks.map(({ id, order }) => `${shortId(id)}\t${safeLine(order.name, { max: 60 })}\n`);
    return (terminal.out(lines.join("")), 0);
  }
  const [shell = ""] = positionals;
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell]?.(commands.join(" "), WITH_ID) : undefined;
  if (script === undefined) throw new ParleyError("usage", "For which shell? parley completion bash, zsh or fish");
  return (terminal.out(values.json ? jsonLine({ shell, script }) : script), 0);
};

const SCRIPTS: Record<string, (commands: string, withId: readonly string[]) => string> = {
  bash: (commands, withId) => `_parley() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${commands}" -- "$word")); return; fi
  case "\${COMP_WORDS[1]}" in
    ${withId.join("|")}) [ "$COMP_CWORD" = 2 ] && COMPREPLY=($(compgen -W "$(parley completion --ids 2>/dev/null | cut -f1)" -- "$word")) ;;
    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")) ;;
    setup) COMPREPLY=($(compgen -W "claude-code" -- "$word")) ;;
    task) if [ "$COMP_CWORD" = 2 ]; then COMPREPLY=($(compgen -W "${ACTIONS}" -- "$word"))
      else COMPREPLY=($(compgen -W "$(parley completion --tasks 2>/dev/null | cut -f1)" -- "$word")); fi ;;
  esac
}
complete -F _parley parley
`,
  zsh: (commands, withId) => `_parley() {
  local -a ids
  if (( CURRENT == 2 )); then compadd -- ${commands}; return; fi
  case "$words[2]" in
    ${withId.join("|")})
      (( CURRENT == 3 )) || return
      ids=("\${(@f)$(parley completion --ids 2>/dev/null | sed 's/:/\\\\:/g' | tr '\\t' ':')}")
      _describe 'open question' ids ;;
    completion) compadd -- bash zsh fish ;;
    setup) compadd -- claude-code ;;
    task)
      if (( CURRENT == 3 )); then compadd -- ${ACTIONS}; return; fi
      ids=("\${(@f)$(parley completion --tasks 2>/dev/null | sed 's/:/\\\\:/g' | tr '\\t' ':')}")
      _describe 'task' ids ;;
  esac
}
compdef _parley parley
`,
  fish: (commands, withId) => `complete -c parley -f
complete -c parley -n __fish_use_subcommand -a "${commands}"
complete -c parley -n "__fish_seen_subcommand_from ${withId.join(" ")}; and not __fish_seen_subcommand_from task" -a "(parley completion --ids 2>/dev/null)"
complete -c parley -n "__fish_seen_subcommand_from completion" -a "bash zsh fish"
complete -c parley -n "__fish_seen_subcommand_from setup" -a claude-code
complete -c parley -n "__fish_seen_subcommand_from task; and not __fish_seen_subcommand_from ${ACTIONS}" -a "${ACTIONS}"
complete -c parley -n "__fish_seen_subcommand_from task; and __fish_seen_subcommand_from ${ACTIONS}" -a "(parley completion --tasks 2>/dev/null)"
`,
};
