import { ParleyError } from "../../../core/error.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley decision list | show <id> | resolve <id> <number> [-m message]

The same as parley ls, show and answer.
`;

export const decision: Command = async ([verb, ...args], context) => {
  if (verb === "list") return (await import("./ls.ts")).ls(args, context);
  if (verb === "show") return (await import("./show.ts")).show(args, context);
  if (verb === "resolve") return (await import("./answer.ts")).answer(args, context);
  if (verb === undefined || verb === "--help" || verb === "-h") return (context.terminal.out(HELP), 0);
  throw new ParleyError("usage", `There is no "decision ${verb}". See: parley decision --help`);
};
