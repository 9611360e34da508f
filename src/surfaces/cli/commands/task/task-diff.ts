import { safeLine, safeText } from "../../../../core/text/text.ts";
import { diffWords } from "../../../../core/words/task-words.ts";
import { defineCommand } from "../../command-line/define.ts";
import { jsonLine } from "../../json.ts";
import { patchColour } from "../../../terminal/patch-colour.ts";

const LONGEST_LINE = 2000;
/** A line stays one: what looks like another would not carry its plus or minus. */
const shown = (line: string) => safeText(line.replace(/\r$/, "").replaceAll("\r", "␍"), { max: LONGEST_LINE });

export const command = defineCommand({
  about:
    "What a task changed in its worktree since it began: commits, uncommitted changes and new files, as one patch.",
  options: { stat: { description: "only the files and how many lines" } },
  positionals: { id: { of: "task" } },
  needs: "One id is needed: parley task diff <id>; see: parley tasks",
  async run({ id, stat, json }, { client, terminal }) {
    const found = await client.call("taskDiff", { id });
    if (json) return (terminal.out(jsonLine(found)), 0);
    const paths = found.paths.map(
      ({ path, added, removed }) => `${safeLine(path, { max: 200 })}  +${added} -${removed}`,
    );
    if (stat || found.files === 0) return (terminal.out(`${[diffWords(found), ...paths].join("\n")}\n`), 0);
    for (const line of found.patch.replace(/\n$/, "").split("\n"))
      terminal.out(`${patchColour(line, terminal.style)(shown(line))}\n`);
    if (found.isCut) terminal.err("… this is the beginning: the rest is too long to be shown here\n");
    return 0;
  },
});
