import type { Context } from "../../context.ts";
import { isUp } from "../../../../client/wire.ts";
import { shortId } from "../../../../core/id.ts";
import { askTitle } from "../../../../core/ask/title.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { complete, type Offered } from "../../command-line/complete.ts";
import { defineCommand } from "../../command-line/define.ts";

/** What the scripts of `parley completion` call on every Tab. Starts nothing. */
export const command = defineCommand({
  usage: ["-- <word…>"],
  about: "What a shell offers for the last of these words: a line each, with what it means behind a tab.",
  options: { json: { hidden: true, description: "" } },
  positionals: { words: { optional: true, repeatable: true } },
  async run({ words }, context) {
    const found = await complete(words, { ask: () => openAsks(context), task: () => knownTasks(context) });
    context.terminal.out(found === "file" ? ":files\n" : linesOf(found));
    return 0;
  },
});

export const linesOf = (offers: readonly Offered[]): string =>
  offers.map(({ value, text }) => `${value}\t${text}\n`).join("");

export async function openAsks({ paths, client }: Context): Promise<Offered[]> {
  const { asks } = (await isUp(paths)) ? await client.call("listAsks") : { asks: [] };
  return asks.map((ask) => offer(ask.id, askTitle(ask)));
}

export async function knownTasks({ paths, client }: Context): Promise<Offered[]> {
  const { tasks } = (await isUp(paths)) ? await client.call("listTasks") : { tasks: [] };
  return tasks.map(({ id, order }) => offer(id, order.name));
}

const offer = (id: string, words: string) => ({ value: shortId(id), text: safeLine(words, { max: 60 }) });
