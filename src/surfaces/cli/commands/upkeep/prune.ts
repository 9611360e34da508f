import { counted } from "../../../../core/words/number.ts";
import { countIn } from "../../../terminal/counting.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  about:
    "Removes questions that were settled some time ago, with their history. Open ones, and answers that wait for their agent, are never removed.",
  options: { days: { value: "N", default: "90", description: "those settled more than N days ago (90)" } },
  async run({ days: typed, json }, { terminal, client }) {
    const days = countIn("--days", typed, [0, 36_500]);
    const { removed } = await client.call("prune", { body: { days } });
    terminal.out(json ? jsonLine({ removed }) : `Removed ${counted(removed, "settled question")}.\n`);
    return 0;
  },
});
