import { defineCommand } from "../command-line/define.ts";

export const command = defineCommand({
  about: "The same as parley ls, show and answer.",
  subcommands: [
    { name: "list", summary: "what waits for an answer", load: () => import("./ls.ts") },
    { name: "show", summary: "one question, its options and its history", load: () => import("./show.ts") },
    { name: "resolve", summary: "answer a question", load: () => import("./answer.ts") },
  ],
});
