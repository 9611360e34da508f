// An agent on plain Node: asks what its first argument says, twice if told so, and prints how each call ended.
import { AskUserQuestionError, findAskUserQuestionTool } from "parley-inbox";

// tmux moves the screen up a line when its program has ended.
say("START");
const [json, twice] = process.argv.slice(2);
const tool = await findAskUserQuestionTool({ agent: "node-host", told: (sentence) => say(`TOLD ${sentence}`) });
if (!tool) {
  say("NO TOOL");
  process.exit(0);
}
const ask = (id) =>
  tool.execute(id, JSON.parse(json)).then(
    ({ content }) => `${id}: ${content[0].text}`,
    (error) => `${id}: ${error instanceof AskUserQuestionError} ${error.outcome} ${error.message}`,
  );
const calls = [ask("first"), ...(twice ? [ask("second")] : [])];
const ended = await Promise.all(calls);
say(`${ended.join("\n")}\nEND`);

function say(line) {
  process.stdout.write(`${line}\n`);
}
