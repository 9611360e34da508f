import { connectHub } from "../../client/hub-client.ts";
import { shortId } from "../../core/id.ts";
import { safeLine } from "../../core/text/text.ts";
import {
  claimWords,
  halvesWords,
  intentWords,
  machineWords,
  needWords,
  routeWords,
} from "../../core/words/hub-words.ts";
import type { HubAskView } from "../../protocol/hub/hub.ts";
import { changedLines } from "../terminal/changed-lines.ts";
import { hang } from "../terminal/columns.ts";
import { questionLines } from "../terminal/question.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { contextLines, headline, type Hints, originLines } from "./commands/every-day/show.ts";
import { jsonLine } from "./json.ts";

/** One question of another machine, as its hub knows it: what there is to choose from, and who has done what about it. */
export async function showInHub(typed: string, json: boolean, terminal: Terminal, teach: Hints): Promise<number> {
  const ask = await (await connectHub(terminal.env)).ask(typed);
  if (json) return (terminal.out(jsonLine(ask)), 0);
  const { style, width } = terminal;
  const dim = (words: string) => hang("", words, width, style.dim);
  const isOpen = ask.state === "open" && (ask.intent === undefined || ask.intent.state === "withdrawn");
  const parts = [
    headline(ask, terminal),
    ...questionLines(ask, terminal),
    changedLines(ask, terminal),
    contextLines(ask, terminal),
    originLines(ask, terminal),
    hubLines(ask, Date.now()).flatMap(dim),
    isOpen ? teach(ask, shortId(ask.id)).flatMap((hint) => dim(inHub(hint))) : [],
  ].filter((part) => part.length > 0);
  terminal.out(`${parts.map((part) => part.join("\n")).join("\n\n")}\n`);
  return 0;
}

/** The same words typed for a hub. */
const inHub = (hint: string): string => hint.replace(/(parley answer \w+)/, "$1 --hub");

function hubLines(ask: HubAskView, now: number): string[] {
  const { machine, intent, claim, route, halves, needs, questions } = ask;
  const said = intent && intentWords(intent, machine, now);
  return [
    `On ${machineWords(machine, now)}`,
    needs && !said ? `It needs ${needWords(needs)}${needs.signed ? ", on the hub's page" : ""}` : "",
    halves ? halvesWords(halves, questions) : "",
    claim ? claimWords(claim, now) : "",
    route && ask.state === "open" ? routeWords(route, now) : "",
    said ?? "",
  ]
    .filter((line) => line !== "")
    .map((line) => safeLine(line, { max: 400 }));
}
