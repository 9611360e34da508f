import { shortId } from "../../../../core/id.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { discardWords, restoreWords } from "../../../../core/words/work-words.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { ParleyError } from "../../../../core/error.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about:
    "Throws away the worktree and branch of a task that is over, with everything in them. It asks first. The task itself stays in the list; rm forgets it.",
  options: { yes: { short: "y", description: "do not ask" } },
  positionals: { id: { repeatable: true, of: "task" } },
  needs: "Which one? parley task discard <id>; see: parley tasks",
  async run({ id: ids, yes, json }, context) {
    let code = 0;
    for (const id of ids) code = Math.max(code, await discard(id, { yes, json }, context));
    return code;
  },
});

async function discard(
  typed: string,
  { yes, json }: { yes: boolean; json: boolean },
  { client, terminal }: Context,
): Promise<number> {
  const task = await client.call("getTask", { id: typed });
  const name = safeLine(task.order.name, { max: 80 });
  if (!yes) {
    if (!terminal.ask || json)
      throw new ParleyError(
        "usage",
        `Nothing was discarded: add --yes. See it first: parley task diff ${shortId(task.id)}`,
      );
    const answer = await terminal.ask(`${name}: ${discardWords(task)} [y/N] `);
    if (!/^y(es)?$/i.test(answer?.trim() ?? "")) return (terminal.err("Nothing was discarded.\n"), 1);
  }
  const after = await client.call("taskDiscard", { id: task.id, body: { surface: "cli" } });
  if (json) return (terminal.out(jsonLine(after)), 0);
  terminal.out(`${terminal.style.green("✓")} ${name}: discarded\n`);
  const commit = after.cleared?.commit;
  if (commit !== undefined) terminal.out(terminal.style.dim(`  to restore it: ${restoreWords(commit)}\n`));
  return 0;
}
