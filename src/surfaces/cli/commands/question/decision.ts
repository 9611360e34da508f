import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  about: "The same as parley ls, show and answer.",
  subcommands: [
    { name: "list", summary: "what waits for an answer", load: () => import("../every-day/ls.ts") },
    {
      name: "show",
      summary: "one question, its options and its history",
      load: async () => ({ command: await show() }),
    },
    { name: "resolve", summary: "answer a question", load: () => import("../every-day/answer.ts") },
  ],
});

/** The same in the words of this command. */
async function show() {
  const { showCommand } = await import("../every-day/show.ts");
  return showCommand("decision show", (_ask, id) => [
    `Use: parley decision resolve ${id} <number> [-m message]`,
    'Tip: Use -m to provide a custom answer (option "Other")',
  ]);
}
