import { resolve } from "node:path";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { unifiedDiff } from "../../../../core/text/unified-diff.ts";
import type { Trust } from "../../../../protocol/autopilot.ts";
import { counted } from "../../../../core/words/number.ts";
import { jsonLine } from "../../json.ts";
import type { Context } from "../../context.ts";

type Given = { folder?: string; yes: boolean; remove: boolean; json: boolean };

/** Shows a project's own settings file and lets exactly the rules that were shown act, until it changes. */
export async function trustFile({ folder: typed, yes, remove, json }: Given, { client, terminal }: Context) {
  const folder = resolve(terminal.cwd, typed ?? ".");
  if (remove) {
    const after = await client.call("setTrust", { body: { folder, digest: null } });
    terminal.out(json ? jsonLine(after) : `✓ ${safeLine(after.file)} is not trusted any more\n`);
    return 0;
  }
  const found = await client.call("getTrust", { query: { folder } });
  if (json && !yes) return (terminal.out(jsonLine(found)), 0);
  if (found.state === "trusted") {
    terminal.out(json ? jsonLine(found) : `✓ ${safeLine(found.file)} is trusted\n`);
    return 0;
  }
  if (!json) terminal.out(`${shown(found).join("\n")}\n`);
  if (!yes) {
    if (!terminal.ask) throw new ParleyError("usage", "This needs a terminal to ask you, or --yes");
    const said = await terminal.ask(`Let ${counted(found.rules, "rule")} of this file answer in your place? [y/N] `);
    if (!/^y(es)?$/i.test(said?.trim() ?? "")) return (terminal.out("Nothing is changed\n"), 1);
  }
  const after = await client.call("setTrust", { body: { folder, digest: found.digest ?? "" } });
  terminal.out(json ? jsonLine(after) : `✓ ${safeLine(after.file)} is trusted, until it changes\n`);
  return 0;
}

/** What is new in it; of a file that was never trusted, all of it. */
function shown({ file, text = "", before, state }: Trust): string[] {
  return unifiedDiff({ before: state === "changed" ? before : undefined, after: text }, safeLine(file));
}
