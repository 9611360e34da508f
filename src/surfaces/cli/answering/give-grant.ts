import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import type { GrantView } from "../../../protocol/grant.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Context } from "../context.ts";
import { isWanted, NEEDS_YES } from "./grant-lines.ts";
import { jsonLine } from "../json.ts";
import { type Given, readSettlement } from "./settlement.ts";
import { proven } from "./settle-ask.ts";
import { tellSettled } from "./tell-settled.ts";

type Wanted = Given & {
  grant: string;
  pattern?: string;
  folder?: string;
  yes: boolean;
  json: boolean;
  surface?: string;
};

/** Approves a call and calls like it, or a plan and the calls it names. What they will match is shown first, and counts only when wanted. */
export async function giveGrant(ask: AskView, given: Wanted, { client, terminal }: Context): Promise<number> {
  const {
    choices,
    message,
    text,
    decline,
    chat,
    cancel,
    grant: end,
    pattern,
    folder,
    yes,
    json,
    surface = "cli",
  } = given;
  const pick = ask.kind === "plan" && choices.length === 1 ? pickOf(ask, given) : undefined;
  const isMore = choices.length > 0 && pick === undefined;
  if (isMore || message.length + text.length > 0 || decline || chat !== undefined || cancel)
    throw new ParleyError("usage", "--grant approves it: leave the other answer out");
  const wish = {
    for: end,
    ...(pattern !== undefined && { pattern }),
    ...(folder !== undefined && { folder }),
    ...(pick !== undefined && { pick }),
    surface,
  };
  const { grant: shown, grants } = await client.call("giveGrant", { id: ask.id, body: { ...wish, dry: true } });
  if (json && !yes) throw new ParleyError("usage", "With --json nothing is shown first: add --yes");
  const isPlan = ask.kind === "plan";
  const lines = isPlan ? { lines: linesOfPlan(grants) } : shown;
  const question = isPlan && !ask.outcome ? "Accept the plan and give it?" : "Give it?";
  if (!json && !(await isWanted(lines, question, yes, terminal))) return (terminal.out(NEEDS_YES), 1);
  // Exactly what was shown, whatever has changed meanwhile.
  const exactly = isPlan
    ? {
        for: end,
        patterns: grants.map((each) => each.pattern.text),
        ...(pick !== undefined && { pick }),
        surface,
      }
    : { ...wish, pattern: shown.pattern.text, folder: shown.folder };
  const names: string[] = [];
  const give = async () => {
    const { grants: all, ask: after } = await client.call("giveGrant", { id: ask.id, body: exactly });
    names.push(...all.map((each) => each.id));
    return after;
  };
  if (ask.outcome) {
    const after = await client.call("giveGrant", { id: ask.id, body: exactly });
    terminal.out(json ? jsonLine(after.grant) : after.grants.map((each) => givenWords(each.id)).join(""));
    return 0;
  }
  const settled = await proven(ask, client, give, { surface });
  const code = tellSettled(settled, json, terminal);
  if (!json) for (const name of names) terminal.out(givenWords(name));
  return code;
}

/** Which way to accept the plan. */
function pickOf(ask: AskView, given: Given): number | undefined {
  const settlement = readSettlement(ask, given);
  return settlement.action === "answer" ? settlement.answers?.[0]?.picks?.[0] : undefined;
}

/** All its calls in one: they differ in nothing else. */
function linesOfPlan(grants: readonly GrantView[]): GrantView["lines"] {
  const [first] = grants;
  return (first?.lines ?? []).map(([name, text], i) =>
    i === 0 ? [name, grants.map(({ lines: [allows] }) => allows?.[1] ?? "").join("\n")] : [name, text],
  );
}

const givenWords = (id: string) =>
  `✓ grant ${shortId(id)} counts from now on; to end it: parley grants revoke ${shortId(id)}\n`;
