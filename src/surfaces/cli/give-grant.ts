import { ParleyError } from "../../core/error.ts";
import { shortId } from "../../core/id.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Context } from "./context.ts";
import { isWanted, NEEDS_YES } from "./grant-lines.ts";
import { jsonLine } from "./json.ts";
import type { Given } from "./settlement.ts";
import { proven } from "./settle-ask.ts";
import { tellSettled } from "./tell-settled.ts";

type Wanted = Given & { grant: string; pattern?: string; folder?: string; yes: boolean; json: boolean };

/** Approves a call and calls like it. What it will match is shown first, and counts only when that is wanted. */
export async function giveGrant(ask: AskView, given: Wanted, { client, terminal }: Context): Promise<number> {
  const { choices, message, text, decline, chat, cancel, grant: end, pattern, folder, yes, json } = given;
  if (choices.length + message.length + text.length > 0 || decline || chat !== undefined || cancel)
    throw new ParleyError("usage", "--grant approves it: leave the other answer out");
  const wish = {
    for: end,
    ...(pattern !== undefined && { pattern }),
    ...(folder !== undefined && { folder }),
    surface: "cli",
  };
  const { grant: shown } = await client.call("giveGrant", { id: ask.id, body: { ...wish, dry: true } });
  if (json && !yes) throw new ParleyError("usage", "With --json nothing is shown first: add --yes");
  if (!json && !(await isWanted(shown, "Give it?", yes, terminal))) return (terminal.out(NEEDS_YES), 1);
  // Exactly what was shown, whatever has changed meanwhile.
  const body = { ...wish, pattern: shown.pattern.text, folder: shown.folder };
  let name = "";
  const give = async () => {
    const { grant, ask: after } = await client.call("giveGrant", { id: ask.id, body });
    name = grant.id;
    return after;
  };
  if (ask.outcome) {
    const { grant } = await client.call("giveGrant", { id: ask.id, body });
    terminal.out(json ? jsonLine(grant) : givenWords(grant.id));
    return 0;
  }
  const settled = await proven(ask, client, give);
  const code = tellSettled(settled, json, terminal);
  if (name !== "" && !json) terminal.out(givenWords(name));
  return code;
}

const givenWords = (id: string) =>
  `✓ grant ${shortId(id)} counts from now on; to end it: parley grants revoke ${shortId(id)}\n`;
