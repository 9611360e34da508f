import { isAnswered } from "../../core/hub-ask.ts";
import {
  askedOfWords,
  claimWords,
  halvesWords,
  intentWords,
  machineWords,
  needWords,
} from "../../core/words/hub-words.ts";
import { safeLine } from "../../core/text/text.ts";
import type { HubAskView } from "../../protocol/hub/hub.ts";

/** Where a question of a hub is, what it demands, and who has done what about it. */
export function hubLines(ask: HubAskView, now: number): string[] {
  const { machine, intent, claim, halves, needs, questions } = ask;
  const isOpen = ask.state === "open" && !isAnswered(ask);
  const said = intent && intentWords(intent, machine, now);
  return [
    `On ${machineWords(machine, now)}`,
    needs && isOpen ? `It needs ${needWords(needs)}${needs.signed ? ", on the hub's page" : ""}` : "",
    halves ? halvesWords(halves, questions) : "",
    claim && claim.until > now ? claimWords(claim, now) : "",
    isOpen ? askedOfWords(ask, now) : "",
    said ?? "",
  ]
    .filter((line) => line !== "")
    .map((line) => safeLine(line, { max: 400 }));
}
