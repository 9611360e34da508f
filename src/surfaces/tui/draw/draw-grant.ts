import { shortId } from "../../../core/id.ts";
import { capitalised, safeLine } from "../../../core/text/text.ts";
import { endWords } from "../../../core/words/grant-words.ts";
import { counted } from "../../../core/words/number.ts";
import { clock } from "../../../core/words/time.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { GrantOffer, GrantView } from "../../../protocol/grant.ts";
import { hang } from "../../terminal/columns.ts";
import type { Page } from "../../terminal/terminal.ts";
import type { Row } from "../row.ts";

export function grantRow(grant: GrantView, now: number): Row {
  const used = `used ${counted(grant.used, "time")}`;
  const until = `until ${endWords(grant.end, now)}`;
  return {
    title: safeLine(grant.title, { max: 300 }),
    brief: `${used} · ${until}`,
    about: `${used} · ${until} · ${safeLine(grant.folder, { max: 200 })}`,
    mark: " ",
  };
}

export function grantDetail(grant: GrantView, { style, width }: Page): string[] {
  const facts: [string, string][] = [
    ["Grant", shortId(grant.id)],
    ["Given", clock(grant.givenAt)],
    [
      "Used",
      `${counted(grant.used, "time")}${grant.lastAsk === undefined ? "" : `; parley why ${shortId(grant.lastAsk)}`}`,
    ],
  ];
  return [
    ...grant.lines.flatMap(([name, text], i) =>
      hang(style.dim(name.padEnd(9)), text, width, i === 0 ? style.bold : undefined),
    ),
    "",
    ...facts.flatMap(([name, text]) => hang(style.dim(name.padEnd(9)), text, width)),
  ];
}

/** What is proposed after equal approvals, and its keys. */
export function proposalLines(offer: GrantOffer | undefined, theme: Theme, { width }: Page): string[] {
  const { proposal } = offer ?? {};
  if (!proposal) return [];
  const words = `${capitalised(proposal.words)}: ${safeLine(proposal.title, { max: 200 })}`;
  const keys = `w allows it for ${proposal.for} · W never proposes it again`;
  return [...hang("", words, width, theme.accent), ...hang("", keys, width, theme.muted)];
}
