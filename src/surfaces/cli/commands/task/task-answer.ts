import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { stateWords } from "../../../../core/words/task-words.ts";
import { defineCommand } from "../../command-line/define.ts";
import { ANSWER_OPTIONS, answerAsk } from "../every-day/answer.ts";

export const command = defineCommand({
  usage: ["<id> [choice…] [options]"],
  about: "Answers what the task asks, the longest waiting first, as `parley answer` does.",
  options: ANSWER_OPTIONS,
  positionals: { id: { of: "task" }, choices: { optional: true, repeatable: true } },
  needs: "Which one? parley task answer <id> <number>; see: parley tasks",
  examples: [
    ["parley task answer db 2", "option 2"],
    ["parley task answer db 2 1,3", "one choice for each question"],
    ['parley task answer db -m "neither"', "own words"],
    ["parley task answer db 4", "the last number, alone: cancels the task"],
  ],
  notes: "All the ways to answer: parley answer --help",
  async run(input, context) {
    const { terminal, client } = context;
    const task = await client.call("getTask", { id: input.id });
    const [ask, ...others] = task.asks;
    if (ask === undefined)
      throw new ParleyError("not_answerable", `${task.order.name} asks nothing: it is ${stateWords(task)}`);
    const code = await answerAsk({ ...input, id: ask }, context);
    if (others[0] !== undefined && !input.json) terminal.err(`It asks more: parley show ${shortId(others[0])}\n`);
    return code;
  },
});
