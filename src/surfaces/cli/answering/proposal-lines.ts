import type { Client } from "../../../client/client.ts";
import { shortId } from "../../../core/id.ts";
import { capitalised, safeLine } from "../../../core/text/text.ts";
import { counted } from "../../../core/words/number.ts";
import type { GrantOffer } from "../../../protocol/grant.ts";
import type { AskView } from "../../../protocol/view.ts";
import { hang } from "../../terminal/columns.ts";
import type { Page } from "../../terminal/terminal.ts";

/** What may be granted with it; undefined where nothing is, or a daemon of another version does not know. */
export async function offerFor(client: Client, { id, kind }: AskView): Promise<GrantOffer | undefined> {
  if (kind !== "approval" && kind !== "plan") return undefined;
  return client.call("grantOffer", { id }).catch(() => undefined);
}

/** The grant that is proposed after equal approvals, or the calls that a plan names: how each is given, and the first declined. */
export function proposalLines(ask: AskView, offer: GrantOffer | undefined, { style, width }: Page): string[] {
  const id = shortId(ask.id);
  const { proposal, calls = [] } = offer ?? {};
  if (proposal) {
    const saved = `${capitalised(proposal.words)}: ${safeLine(proposal.title, { max: 200 })}`;
    const how = `Allow it for ${proposal.for}: parley answer ${id} --grant ${proposal.for} · never propose it again: parley grants decline ${id}`;
    return [...hang("", saved, width, style.cyan), ...hang("", how, width, style.dim)];
  }
  if (ask.kind !== "plan" || calls.length === 0 || ask.outcome) return [];
  const names = calls.map(({ title, held }) =>
    safeLine(held === undefined ? title : `${title} (held back: ${held})`, { max: 300 }),
  );
  return [
    `The plan names ${counted(calls.length, "command")}:`,
    ...names.flatMap((name) => hang("  ", name, width)),
    ...hang("", `Accept it and allow them until it is done: parley answer ${id} 1 --grant plan`, width, style.dim),
  ];
}
