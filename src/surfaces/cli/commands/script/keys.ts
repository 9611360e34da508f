import { answerKeys } from "./keys-answer.ts";
import { look } from "./keys-look.ts";
import { defineCommand } from "../../command-line/define.ts";

const NEEDS = "Say what to do: parley keys look %3, or: parley keys answer %3 '<actions>'";
const SERVER = { value: "SOCKET", of: "file", description: "a tmux server other than the one you are in" } as const;
const EXIT_CODES = `Exit codes: 0 the agent received it · 1 stopped, it says where · 2 wrong actions
3 no such pane or session · 4 the pane takes no keys now · 5 the agent received
something else`;

const lookCommand = defineCommand({
  usage: ["<session|pane> [options]"],
  about: "What is recognised in that pane; presses nothing.",
  options: { server: SERVER },
  positionals: { target: {} },
  needs: NEEDS,
  run: ({ target, server, json }, context) => look(target, { server, json }, context),
});

const answerCommand = defineCommand({
  usage: ["<session|pane> '<actions>' [options]"],
  about: "Answers the dialog in that pane, one action for each question, options numbered from 0.",
  options: { "dry-run": { description: "say what it would do; press no key" }, server: SERVER },
  positionals: { target: {}, actions: {} },
  needs: NEEDS,
  examples: [
    [`parley keys answer %3 '[{"action":"select","optionIndex":1}]'`, ""],
    [`{"action":"type","text":"own words"}`, ""],
    [`{"action":"multi-select","selectedIndices":[0,2],"text":"and mine"}`, ""],
    [`{"action":"chat","text":"a message instead of an answer"}`, ""],
  ],
  notes: EXIT_CODES,
  run: ({ target, actions, server, json, "dry-run": dryRun }, context) =>
    answerKeys(target, actions, { server, json, dryRun }, context),
});

export const command = defineCommand({
  usage: ["look <session|pane> [options]", "answer <session|pane> '<actions>' [options]"],
  about:
    'Reads and answers the dialog of an agent in tmux by its own keys, one at a time, each only when the screen has shown the effect of the one before. Only where nothing better exists: a session with Parley\'s hooks is answered with "parley answer", and a pane that you watch (parley watch) too.',
  subcommands: [
    { name: "look", summary: "what is recognised in a pane", load: async () => ({ command: lookCommand }) },
    { name: "answer", summary: "answer its dialog", load: async () => ({ command: answerCommand }) },
  ],
  needs: NEEDS,
  notes: EXIT_CODES,
});
