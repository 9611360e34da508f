import { defineCommand } from "../../command-line/define.ts";

/** Only its help: `main.ts` runs the hook itself, before anything of a surface is loaded. */
export const command = defineCommand({
  usage: ["<agent> <event> [--hold]"],
  about:
    "What an agent's hooks start when it asks: reads one event as JSON from standard input, hands it to Parley and, where the agent waits, prints the answer in the agent's own form. Not for people: parley setup writes it into the agent's settings.",
  options: { hold: { description: "wait for a person before the agent's own dialog appears" } },
  positionals: { agent: {}, event: {} },
  notes:
    "It ends with 0 and prints nothing when anything is wrong, so that the agent goes on as if Parley were not there.",
  noJson: true,
  run: async () => 0,
});
