import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { clock } from "../../../../core/words/time.ts";
import { counted } from "../../../../core/words/number.ts";
import { timeSpan } from "../../../terminal/time-span.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Audited } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { PLACE_NOTES, PLACE_OPTIONS } from "../../hub-place.ts";
import { jsonLine } from "../../json.ts";
import { withAdmin } from "./hub-admin.ts";

const MOST_SAID = 20;
const MEANS: Readonly<Record<string, string>> = {
  changed: "is not what was written",
  gap: "is missing",
  reordered: "stands behind a later one",
  unreadable: "cannot be read",
  cut: "and what follows was cut off",
  rewritten: "is another one than the head knows: the log was written anew",
  signature: "has a head that the hub did not sign",
  key: "has a head signed by another hub",
  record: "is not what the hub has in its records",
  unlogged: "is in the hub's records, and the log knows nothing of it",
  alone: "is an answer of one person, where two had to choose the same",
  unsigned: "is an answer without a valid signature, where one was demanded",
};

const exported = defineCommand({
  about:
    "Writes the hub's log as JSON lines: who joined, answered, was revoked, got a token. The last line carries its head, signed by the hub. Keep the head elsewhere: with it a later log shows whether anything before was cut or written anew.",
  options: {
    ...PLACE_OPTIONS,
    out: { value: "FILE", of: "file", description: "where to" },
    head: { value: "FILE", of: "file", description: "the signed head also by itself, in this file" },
  },
  notes: PLACE_NOTES,
  async run(values, context) {
    const { terminal } = context;
    if (values.out === undefined) throw new ParleyError("usage", "Where to? --out FILE");
    const [out, head] = [values.out, values.head].map((each) => each && resolve(terminal.cwd, each));
    const made = await withAdmin(values, context, (admin) => admin.exportAudit(out ?? ""), { looks: true });
    if (head) await writeFile(head, `${JSON.stringify(made.head)}\n`, { mode: 0o600 });
    const { seq, hash } = made.head;
    const words = `✓ ${counted(made.events, "event")} in ${safeLine(values.out)}\nHead: ${seq} ${hash}\n`;
    terminal.out(values.json ? jsonLine({ ...made, out }) : words);
    return 0;
  },
});

const verify = defineCommand({
  about:
    "Looks whether the hub's log is whole, event by event; with FILE an exported one, on any machine. Without FILE also whether machines, members and answers are what the log says.",
  options: {
    ...PLACE_OPTIONS,
    head: { value: "FILE", of: "file", description: "one that was exported earlier: must be in it" },
  },
  positionals: { file: { optional: true, of: "file" } },
  notes: `${PLACE_NOTES}\n\nExit codes: 0 whole · 1 not`,
  async run(values, context) {
    const { terminal } = context;
    const [file, head] = [values.file, values.head].map((each) =>
      each === undefined ? undefined : resolve(terminal.cwd, each),
    );
    if (file !== undefined) await refuseAgents("hub", context);
    const found =
      file === undefined
        ? await withAdmin(values, context, (admin) => admin.verifyAudit(head), { looks: true })
        : await (await context.hubs()).verifyAuditFile(file, head);
    terminal.out(values.json ? jsonLine(found) : `${said(found)}\n`);
    return found.ok ? 0 : 1;
  },
});

function said({ ok, events, head, problems }: Audited): string {
  const known = head ? `, head ${head.seq} ${head.hash} of ${clock(head.at)}` : "";
  if (ok) return `✓ ${counted(events, "event")}, nothing was changed${known}`;
  const lines = problems.slice(0, MOST_SAID).map(({ seq, kind, record }) => {
    const what = record === undefined || seq > 0 ? `event ${seq}` : safeLine(record, { max: 200 });
    const about = record === undefined || seq === 0 ? "" : ` (${safeLine(record, { max: 200 })})`;
    return `✗ ${what} ${MEANS[kind] ?? safeLine(kind)}${about}`;
  });
  const more = problems.length > MOST_SAID ? [`and ${counted(problems.length - MOST_SAID, "problem")} more`] : [];
  return [...lines, ...more].join("\n");
}

const forget = defineCommand({
  about:
    "Drops what was written long ago: answers and their questions in the log, and the hub's copies of questions that are done. Who did what and when stays, and the log still verifies: it has digests of what was dropped.",
  options: { ...PLACE_OPTIONS, older: { value: "D", description: "what is older than this, such as 90d" } },
  notes: PLACE_NOTES,
  async run(values, context) {
    if (values.older === undefined) throw new ParleyError("usage", "How old? --older 90d");
    const gone = await withAdmin(values, context, (admin) => admin.forget(timeSpan(values.older ?? "", "--older")), {
      looks: true,
    });
    const words = `✓ forgotten: ${counted(gone.contents, "content")} of the log, ${counted(gone.asks, "question")}\n`;
    context.terminal.out(values.json ? jsonLine(gone) : words);
    return 0;
  },
});

export const command = defineCommand({
  about: "The hub's log: a chain without gaps, in which no event can be changed, left out or moved without being seen.",
  subcommands: [
    { name: "export", summary: "write it to a file, with a signed head", load: async () => ({ command: exported }) },
    { name: "verify", summary: "nothing was changed, cut or moved?", load: async () => ({ command: verify }) },
    { name: "forget", summary: "drop old contents; the chain stays", load: async () => ({ command: forget }) },
  ],
  needs: "What? parley hub audit export, verify or forget",
});
