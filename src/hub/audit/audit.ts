import { createReadStream } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import type { AuditRow, HubAudit } from "../../store/hub/audit.ts";
import type { AuditEvent } from "../../store/hub/chain.ts";
import { createApprovalCheck } from "./approvals.ts";
import { createChainCheck, type Problem } from "./chain.ts";
import { headOf, isSigned, newKey, type SignedHead, signHead } from "./head.ts";
import { createKeptCheck } from "./kept-check.ts";
import { eventOf, lineOf, parsed, readLine } from "./line.ts";

export type Verified = { ok: boolean; events: number; head: SignedHead | null; problems: Problem[] };
type Check = ReturnType<typeof begin>;

/** All of the log as JSON lines, in one new file; the last line carries the signed head. Contract: when it throws there is none. */
export async function exportAudit(
  audit: HubAudit,
  out: string,
  now: number,
): Promise<{ events: number; head: SignedHead }> {
  const secret = await audit.key(newKey);
  const unfinished = `${out}.${process.pid}.tmp`;
  const file = await open(unfinished, "wx", 0o600).catch((error: unknown) => {
    throw orNoPlace(error, `${out} cannot be written`);
  });
  try {
    let [events, last, waiting]: [number, AuditEvent | undefined, string] = [0, undefined, ""];
    const write = async (line: string) => {
      waiting += `${line}\n`;
      if (waiting.length < 65_536) return;
      await file.write(waiting);
      waiting = "";
    };
    for await (const row of audit.rows()) {
      if (last) await write(lineOf(last));
      last = ofRow(row);
      if (!last)
        throw new ParleyError("internal", `Event ${row.seq} of the log cannot be read: parley hub audit verify`);
      events++;
    }
    if (!last) throw new ParleyError("internal", "The log is empty: parley hub audit verify");
    const head = signHead(last, now, secret);
    await file.write(`${waiting}${lineOf(last, head)}\n`);
    await file.sync();
    await file.close();
    await rename(unfinished, out);
    return { events, head };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw orNoPlace(error, `${out} cannot be written`);
  }
}

/** An exported file, whoever has had it meanwhile. */
export async function verifyFile(file: string, known: SignedHead | undefined): Promise<Verified> {
  const check = begin(known);
  let [head, isEnded]: [SignedHead | undefined, boolean] = [undefined, false];
  try {
    for await (const { text, isWhole } of linesOf(file)) {
      // Only the last one carries a head.
      if (head) check.say(head.seq, "changed");
      const found = readLine(text);
      check.see(found?.event);
      [head, isEnded] = [found?.head, isWhole];
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw orNoPlace(error, `${file} cannot be read`);
    check.see(undefined);
  }
  await check.approvals.end();
  if (!head || !isEnded) check.say(check.last().seq + 1, "cut");
  return ended(check, head, known);
}

/** What the hub has now, and whether what it acts on is what the log says. */
export async function verifyRecords(audit: HubAudit, known: SignedHead | undefined, now: number): Promise<Verified> {
  // Others go on writing: the log and what is kept beside it are those of one moment.
  const check = await audit.atOnce(async (log) => {
    const stored = await log.head();
    const seen = begin(known);
    const kept = createKeptCheck();
    for await (const row of log.rows()) {
      const event = ofRow(row);
      seen.see(event);
      if (event) kept.see(event);
    }
    const last = seen.last();
    if (!stored || stored.seq > last.seq) seen.say(last.seq + 1, "cut");
    if (last.seq === 0) seen.say(1, "cut");
    kept.end(await log.kept(), seen.approvals.policies, seen.say);
    return seen;
  });
  await check.approvals.end();
  const last = check.last();
  const head = last.seq > 0 ? signHead(last, now, await audit.key(newKey)) : undefined;
  return ended(check, head, known);
}

/** A head that was kept: alone, at the end of an exported file, or in what a verification printed. */
export async function readHead(file: string): Promise<SignedHead> {
  const read = await readFile(file, "utf8").catch((error: unknown) => {
    throw orNoPlace(error, `${file} cannot be read`);
  });
  const text = read.trim();
  const value = parsed(text) ?? parsed(text.slice(text.lastIndexOf("\n") + 1));
  const head = headOf(value) ?? headOf((value as { head?: unknown } | undefined)?.head);
  if (!head) throw new ParleyError("invalid", "There is no head of a log in that file");
  return head;
}

/** A file that is not there, or a folder: whoever named it is told so. Every other error comes back as it is. */
function orNoPlace(error: unknown, words: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^(ENOENT|ENOTDIR|EISDIR|EACCES|EPERM)$/.test(code)) return error;
  return new ParleyError("usage", `${safeLine(words, { max: 500 })} (${code})`, { cause: error });
}

function begin(known: SignedHead | undefined) {
  const check = createChainCheck(known ? [known] : []);
  if (known && !isSigned(known)) check.say(known.seq, "signature");
  const approvals = createApprovalCheck(check.say);
  return {
    ...check,
    approvals,
    see(event: AuditEvent | undefined): void {
      check.see(event);
      if (event) approvals.see(event);
    },
  };
}

function ended(check: Check, head: SignedHead | undefined, known: SignedHead | undefined): Verified {
  check.end();
  const last = check.last();
  if (head && (head.seq !== last.seq || head.hash !== last.hash)) check.say(last.seq, "changed");
  if (head && !isSigned(head)) check.say(head.seq, "signature");
  if (head && known && head.key !== known.key) check.say(head.seq, "key");
  const problems = [
    ...new Map(check.problems.map((each) => [`${each.seq} ${each.kind} ${each.record}`, each])).values(),
  ];
  return { ok: problems.length === 0, events: check.count(), head: head ?? null, problems };
}

/** Contract: undefined unless the row is as it was written. */
function ofRow({ facts, content, ...row }: AuditRow): AuditEvent | undefined {
  const read = parsed(facts);
  if (typeof facts !== "string" || JSON.stringify(read) !== facts) return undefined;
  return eventOf({ ...row, facts: read, ...(content !== null && { content }) });
}

/** Lines end with \n alone: what else breaks a line stands escaped in JSON. Contract: a TypeError for what is not UTF-8. */
async function* linesOf(file: string): AsyncGenerator<{ text: string; isWhole: boolean }> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = "";
  for await (const chunk of createReadStream(file)) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield { text, isWhole: true };
  }
  rest += decoder.decode();
  if (rest !== "") yield { text: rest, isWhole: false };
}
