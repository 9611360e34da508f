import { defineCommand } from "../../command-line/define.ts";
import { pair, pairs, unpair } from "./notify-pair.ts";
import { test } from "./notify-test.ts";

export const command = defineCommand({
  about: "Notifications about questions that wait, and the chats in which they are answered. Settings: parley config",
  subcommands: [
    { name: "test", summary: "send one, and say what happened", load: async () => ({ command: test }) },
    { name: "pair", summary: "let a chat of yours answer questions", load: async () => ({ command: pair }) },
    { name: "pairs", summary: "who may answer by a messenger", load: async () => ({ command: pairs }) },
    { name: "unpair", summary: "somebody may not any more", load: async () => ({ command: unpair }) },
  ],
  needs: "Say what to do: parley notify test, or: parley notify pair telegram",
});
