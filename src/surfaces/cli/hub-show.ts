import { connectHub } from "../../client/hub-client.ts";
import { isAnswered } from "../../core/hub-ask.ts";
import { shortId } from "../../core/id.ts";
import { changedLines } from "../terminal/changed-lines.ts";
import { hang } from "../terminal/columns.ts";
import { hubLines } from "../terminal/hub-lines.ts";
import { questionLines } from "../terminal/question.ts";
import { tellHubMismatches } from "./answering/hub-answers.ts";
import type { Context } from "./context.ts";
import { contextLines, headline, type Hints, originLines } from "./commands/every-day/show.ts";
import { jsonLine } from "./json.ts";

/** One question of another machine, as its hub knows it: what there is to choose from, and who has done what about it. */
export async function showInHub(typed: string, json: boolean, context: Context, teach: Hints): Promise<number> {
  const { terminal } = context;
  const hub = await connectHub(terminal.env);
  const ask = await hub.ask(typed);
  if (json) return (terminal.out(jsonLine(ask)), 0);
  const { style, width } = terminal;
  const dim = (words: string) => hang("", words, width, style.dim);
  // What has to be signed is answered on the hub's page alone.
  const isHere = ask.state === "open" && !isAnswered(ask) && ask.needs?.signed !== true;
  const parts = [
    headline(ask, terminal),
    ...questionLines(ask, terminal),
    changedLines(ask, terminal),
    contextLines(ask, terminal),
    originLines(ask, terminal),
    hubLines(ask, Date.now()).flatMap(dim),
    isHere ? teach(ask, shortId(ask.id)).flatMap((hint) => dim(inHub(hint))) : [],
  ].filter((part) => part.length > 0);
  terminal.out(`${parts.map((part) => part.join("\n")).join("\n\n")}\n`);
  await tellHubMismatches(context, hub);
  return 0;
}

/** The same words typed for a hub. */
const inHub = (hint: string): string => hint.replace(/(parley answer \w+)/, "$1 --hub");
