import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import { answer, ANSWER_OPTIONS } from "./answer.ts";
import type { Command } from "../run.ts";
import { stateWords } from "../../../core/words/task-words.ts";

const HELP = `Usage: parley task answer <id> [choice …] [-m message] [--json]

Answers what the task asks, the longest waiting first, as \`parley answer\` does:

  parley task answer db 2               option 2
  parley task answer db 2 1,3           one choice for each question
  parley task answer db -m "neither"    own words
  parley task answer db 4               the last number, alone: cancels the task

All the ways to answer: parley answer --help
`;

export const taskAnswer: Command = async (args, context) => {
  const { terminal, client } = context;
  const { values, tokens } = parseArgs({ args, allowPositionals: true, tokens: true, options: ANSWER_OPTIONS });
  if (values.help) return (terminal.out(HELP), 0);
  // Options may stand before it, with values of their own.
  const named = tokens.find(({ kind }) => kind === "positional");
  const id = args[named?.index ?? -1];
  if (named === undefined || id === undefined)
    throw new ParleyError("usage", "Which one? parley task answer <id> <number>; see: parley tasks");
  const task = await client.call("getTask", { id });
  const [ask, ...others] = task.asks;
  if (ask === undefined)
    throw new ParleyError("not_answerable", `${task.order.name} asks nothing: it is ${stateWords(task)}`);
  const code = await answer(args.with(named.index, ask), context);
  if (others[0] !== undefined && !values.json) terminal.err(`It asks more: parley show ${shortId(others[0])}\n`);
  return code;
};
