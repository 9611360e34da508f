import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { endWords } from "../../../../core/words/grant-words.ts";
import { counted } from "../../../../core/words/number.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { GrantView } from "../../../../protocol/grant.ts";
import { fit, pad } from "../../../terminal/columns.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { findAsk } from "../../find-ask.ts";
import { grantText, isWanted } from "../../answering/grant-lines.ts";
import { jsonLine } from "../../json.ts";

const LISTING = { all: { description: "also those that ended" } } as const;

export const command = defineCommand({
  about:
    "What agents may do for now without asking. A grant is given with the answer to a permission prompt: parley answer <id> --grant 30m",
  options: LISTING,
  subcommands: [
    { name: "list", summary: "the grants that count now", load: async () => ({ command: listCommand }) },
    {
      name: "show",
      summary: "what one matches, and how often it was used",
      load: async () => ({ command: showCommand }),
    },
    { name: "edit", summary: "change its pattern, folder or end", load: async () => ({ command: editCommand }) },
    { name: "revoke", summary: "end it at once", load: async () => ({ command: revokeCommand }) },
    {
      name: "decline",
      summary: "do not propose one for calls such as this again",
      load: async () => ({ command: declineCommand }),
    },
  ],
  run: list,
});

const listCommand = defineCommand({ about: "The grants that count now.", options: LISTING, run: list });

const showCommand = defineCommand({
  about: "What a grant matches, until when, and how often it was used.",
  positionals: { id: {} },
  needs: "Which one? parley grants show <id>; see: parley grants",
  async run({ id, json }, { client, terminal }) {
    const grant = await client.call("getGrant", { id });
    if (json) return (terminal.out(jsonLine(grant)), 0);
    const last = grant.lastAsk === undefined ? "" : `; the last one: parley why ${shortId(grant.lastAsk)}`;
    terminal.out(
      `${grantText(grant, terminal)}${shortId(grant.id)} is ${grant.sentence}, used ${counted(grant.used, "time")}${last}\n`,
    );
    return 0;
  },
});

const editCommand = defineCommand({
  about: "Changes a grant. It is shown before it counts.",
  positionals: { id: {} },
  options: {
    pattern: { value: "PATTERN", description: "what it matches" },
    folder: { value: "FOLDER", description: "where" },
    for: { value: "END", description: "30m, 2h or 10x, from now on" },
    yes: { short: "y", description: "without being asked" },
  },
  needs: "Which one? parley grants edit <id> --for 30m; see: parley grants",
  async run({ id, yes, json, pattern, folder, for: end }, { client, terminal }) {
    if (pattern === undefined && folder === undefined && end === undefined)
      throw new ParleyError("usage", "What shall change? --pattern, --folder or --for");
    const wish = {
      ...(pattern !== undefined && { pattern }),
      ...(folder !== undefined && { folder }),
      ...(end !== undefined && { for: end }),
      surface: "cli",
    };
    const shown = await client.call("editGrant", { id, body: { ...wish, dry: true } });
    if (json && !yes) throw new ParleyError("usage", "With --json nothing is shown first: add --yes");
    if (!json && !(await isWanted(shown, "Change it?", yes, terminal)))
      return (terminal.out("Nothing was changed. To change it without being asked: --yes\n"), 1);
    const grant = await client.call("editGrant", { id: shown.id, body: wish });
    terminal.out(json ? jsonLine(grant) : `✓ grant ${shortId(grant.id)} is changed\n`);
    return 0;
  },
});

const revokeCommand = defineCommand({
  about: "Ends a grant at once; the next call asks again.",
  positionals: { id: { optional: true } },
  options: { all: { description: "all that count now" } },
  async run({ id, all, json }, { client, terminal }) {
    if ((id === undefined) === !all) throw new ParleyError("usage", "Which one? parley grants revoke <id>, or --all");
    const ids = id === undefined ? (await client.call("listGrants", {})).grants.map((each) => each.id) : [id];
    const grants: GrantView[] = [];
    for (const each of ids) grants.push(await client.call("revokeGrant", { id: each, body: { surface: "cli" } }));
    if (json) return (terminal.out(jsonLine({ grants })), 0);
    for (const grant of grants)
      terminal.out(`✓ grant ${shortId(grant.id)} is ${grant.sentence}: ${safeLine(grant.title, { max: 200 })}\n`);
    if (grants.length === 0) terminal.out("No grants.\n");
    return 0;
  },
});

const declineCommand = defineCommand({
  about:
    "Does not propose a grant for calls such as this one again. One can still be given with parley answer --grant.",
  positionals: { id: { of: "ask" } },
  needs: "Which question? parley grants decline <id>, as its proposal says",
  async run({ id, json }, { client, terminal }) {
    const ask = await findAsk(client, id);
    const grant = await client.call("declineGrant", { id: ask.id, body: { surface: "cli" } });
    const words = `✓ a grant for ${safeLine(grant.title, { max: 200 })} is not proposed again\n`;
    terminal.out(json ? jsonLine(grant) : words);
    return 0;
  },
});

async function list({ all, json }: { all: boolean; json: boolean }, { client, terminal }: Context): Promise<number> {
  const { grants } = await client.call("listGrants", { query: { all: String(all) } });
  terminal.out(json ? jsonLine({ grants }) : table(grants, Date.now(), terminal));
  return 0;
}

function table(grants: readonly GrantView[], now: number, { width, style }: Terminal): string {
  if (grants.length === 0) return "No grants: agents ask. To give one: parley answer <id> --grant 30m\n";
  const most = Math.min(width, 240);
  return grants
    .map((grant) => {
      const until = grant.state === "live" ? `until ${endWords(grant.end, now)}` : grant.sentence;
      const where = grant.pattern.type === "fetch" ? "" : ` in ${safeLine(grant.folder, { max: 200 })}`;
      const head = `${style.bold(shortId(grant.id))}  ${fit(safeLine(grant.title, { max: 400 }), Math.max(10, most - 8))}\n`;
      return `${head}${pad("", 8)}${style.dim(fit(`used ${counted(grant.used, "time")}, ${until}${where}`, most - 8))}\n`;
    })
    .join("");
}
