import { askTitle } from "../../../core/ask/title.ts";
import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import { safeLine } from "../../../core/text/text.ts";
import { counted } from "../../../core/words/number.ts";
import type { ApprovalRow } from "../../../protocol/grant.ts";
import { fit, hang, pad } from "../../terminal/columns.ts";
import { colourOf, type Terminal } from "../../terminal/terminal.ts";
import type { Context } from "../context.ts";
import { findAsk } from "../find-ask.ts";
import { jsonLine } from "../json.ts";
import { settleAsk, type Settlement } from "./settle-ask.ts";
import type { Given } from "./settlement.ts";

type Wanted = Omit<Given, "choices"> & { ids: string[]; yes: boolean; json: boolean };
type Result = { row: ApprovalRow; sentence: string; code: number };

/**
 * Several approvals decided at once: all in one table, those that are meant, one confirmation, a receipt each. Contract: what wants
 * to be looked at by itself is only allowed where a person named it.
 */
export async function answerInBulk(given: Wanted, context: Context): Promise<number> {
  const { terminal, client } = context;
  const { ids, decline = false, yes, json } = given;
  if (given.chat !== undefined || given.cancel || given.text.length > 0)
    throw new ParleyError("usage", "--bulk approves, or denies with --decline: leave the other answer out");
  if (given.message.length > 0 && !decline)
    throw new ParleyError("usage", "Who approves has no place for words: -m goes with --bulk --decline");
  const { approvals } = await client.call("listApprovals", {});
  const rows = ids.length === 0 ? approvals : await named(approvals, ids, context);
  const isHeld = ({ held }: ApprovalRow) => held !== undefined && !decline && ids.length === 0;
  if (json && !yes) return (terminal.out(jsonLine({ approvals: rows.map(shown) })), 0);
  if (rows.length === 0) return (terminal.out("No approval waits.\n"), 0);
  if (!json) terminal.out(table(rows, isHeld, decline, terminal));
  const ticked = yes ? rows.filter((row) => !isHeld(row)) : await choose(rows, isHeld, given, terminal);
  if (ticked.length === 0) return (terminal.out(json ? jsonLine(told([], rows)) : NOTHING), 1);
  const results = await Promise.all(ticked.map((row) => settled(row, given, context)));
  const left = rows.filter((row) => !ticked.includes(row));
  if (json) terminal.out(jsonLine(told(results, left)));
  else for (const result of results) terminal.out(receipt(result, terminal));
  return Math.max(...results.map(({ code }) => code));
}

const NOTHING = "Nothing was decided. To decide without being asked: --yes, and the ids of those that are held back\n";

async function named(approvals: readonly ApprovalRow[], ids: readonly string[], { client }: Context) {
  const rows: ApprovalRow[] = [];
  for (const typed of new Set(ids)) {
    const { id } = await findAsk(client, typed);
    const row = approvals.find(({ ask }) => ask.id === id);
    if (!row)
      throw new ParleyError("usage", `${shortId(id)} is no approval that waits; see: parley answer --bulk --json`);
    if (!rows.includes(row)) rows.push(row);
  }
  return rows;
}

type Held = (row: ApprovalRow) => boolean;

/** Numbers, Enter for all that are not held back, n for none; then one confirmation. */
async function choose(rows: readonly ApprovalRow[], isHeld: Held, given: Wanted, terminal: Terminal) {
  if (!terminal.isTty || !terminal.ask) return [];
  const verb = given.decline ? "Deny" : "Approve";
  const free = rows.filter((row) => !isHeld(row));
  const all = free.length === rows.length ? "all" : `the ${free.length} not held back`;
  const typed =
    given.ids.length > 0
      ? ""
      : ((await terminal.ask(`${verb} which? [Enter: ${all} · numbers: 1,3 · n: none] `)) ?? "n").trim().toLowerCase();
  if (/^no?$/.test(typed)) return [];
  const numbers = typed.split(/[\s,]+/).filter(Boolean);
  const wrong = numbers.find((each) => !/^\d+$/.test(each) || !rows[Number(each) - 1]);
  if (wrong !== undefined) throw new ParleyError("usage", `There is no row “${safeLine(wrong, { max: 20 })}”`);
  const ticked = numbers.length === 0 ? free : rows.filter((_, i) => numbers.some((each) => Number(each) === i + 1));
  if (ticked.length === 0) return [];
  const places = ticked.map((row) => rows.indexOf(row) + 1).join(", ");
  const reply = await terminal.ask(`${verb} ${counted(ticked.length, "call")} (${places})? [y/N] `);
  return /^y(es)?$/i.test(reply?.trim() ?? "") ? ticked : [];
}

/** What was answered meanwhile is told for its row; so is what was refused. */
async function settled(row: ApprovalRow, given: Wanted, { client, terminal }: Context): Promise<Result> {
  const message = given.message.join("\n");
  const settlement: Settlement = given.decline
    ? { action: "decline", ...(message !== "" && { message }) }
    : { action: "answer", answers: [{ picks: [row.approve] }] };
  try {
    const { sentence, code } = await settleAsk(row.ask, settlement, client, terminal);
    return { row, sentence, code };
  } catch (error) {
    return { row, sentence: `✗ ${error instanceof Error ? error.message : String(error)}`, code: 1 };
  }
}

function table(rows: readonly ApprovalRow[], isHeld: Held, decline: boolean, { style, width }: Terminal): string {
  const most = Math.min(width, 240);
  const projects = rows.map(({ ask }) => safeLine(ask.origin.project ?? ask.agentTitle, { max: 20 }));
  const wide = Math.max(...projects.map((each) => Bun.stringWidth(each)));
  return rows
    .map((row, i) => {
      const verb = isHeld(row) ? style.yellow(pad("look", 8)) : pad(decline ? "deny" : "approve", 8);
      const lead = `${String(i + 1).padStart(3)}  ${style.bold(shortId(row.ask.id))}  ${verb} ${pad(projects[i] ?? "", wide)}  `;
      const room = most - Bun.stringWidth(lead);
      // What is held back is shown in full, however long it is.
      const title = askTitle(row.ask, { max: 4000 });
      const lines = isHeld(row) ? hang(lead, title, most) : [`${lead}${fit(title, Math.max(20, room))}`];
      const why = isHeld(row) ? hang(" ".repeat(13), `held back: ${row.held ?? ""}`, most, style.yellow) : [];
      return [...lines, ...why].map((line) => `${line}\n`).join("");
    })
    .join("");
}

function receipt({ row, sentence }: Result, { style, width }: Terminal): string {
  const words = safeLine(sentence, { max: 500 });
  const title = fit(askTitle(row.ask, { max: 200 }), Math.max(20, Math.min(width, 240) - 10));
  return `${style.bold(shortId(row.ask.id))}  ${title}\n        ${colourOf(words, style)(words)}\n`;
}

const shown = ({ ask: { id, origin, ...ask }, held }: ApprovalRow) => ({
  id,
  title: askTitle(ask, { max: 4000 }),
  ...(origin.project !== undefined && { project: origin.project }),
  ...(held !== undefined && { held }),
});
const told = (results: readonly Result[], left: readonly ApprovalRow[]) => ({
  results: results.map(({ row, sentence, code }) => ({
    ...shown(row),
    result: safeLine(sentence, { max: 500 }),
    code,
  })),
  left: left.map(shown),
});
