import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { agoWords } from "../../../../core/words/time.ts";
import { deciderWords, STAGE_WORDS } from "../../../../core/words/trust-words.ts";
import type { TrustView } from "../../../../protocol/trust.ts";
import { hang } from "../../../terminal/columns.ts";
import type { Page } from "../../../terminal/terminal.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { jsonLine } from "../../json.ts";
import { trustFile } from "./autopilot-trust-file.ts";

export const command = defineCommand({
  usage: ["[--project P] [--withdraw ID]", "--file [folder] [--yes | --remove]"],
  about:
    "What is trusted to answer in your place, how that was earned, and what is missing; in a terminal it asks what to withdraw. With --file a project's own settings file, .parley.toml: shows it and lets exactly the rules that were shown act, until it changes.",
  options: {
    project: { value: "P", description: "only this project" },
    withdraw: { value: "ID", description: "trust it no more; it begins anew" },
    file: { description: "the project's own settings file" },
    yes: { description: "trust that file without asking" },
    remove: { description: "trust that file no more" },
  },
  positionals: { folder: { optional: true, of: "file" } },
  async run({ folder, file, yes, remove, project, withdraw, json }, context) {
    const { client, terminal } = context;
    if (file || yes || remove)
      return trustFile({ ...(folder !== undefined && { folder }), yes, remove, json }, context);
    if (folder !== undefined)
      throw new ParleyError("usage", "A folder goes with --file: parley autopilot trust --file <folder>");
    if (withdraw !== undefined) return withdrawn(withdraw, json, context);
    const query = project === undefined ? {} : { project };
    const { trust } = await client.call("earnedTrust", { query });
    if (json) return (terminal.out(jsonLine({ trust })), 0);
    terminal.out(trustLines(trust, Date.now(), terminal));
    if (!terminal.ask || !terminal.isTty || trust.length === 0) return 0;
    const typed = (await terminal.ask("Withdraw (number; Enter: none): "))?.trim() ?? "";
    if (typed === "") return 0;
    const chosen = /^\d{1,3}$/.test(typed) ? trust[Number(typed) - 1]?.id : typed;
    if (chosen === undefined) throw new ParleyError("usage", `There is no ${typed}: 1 to ${trust.length}`);
    return withdrawn(chosen, false, context);
  },
});

async function withdrawn(id: string, json: boolean, { client, terminal }: Context): Promise<number> {
  const after = await client.call("withdrawTrust", { body: { id, surface: "cli" } });
  terminal.out(json ? jsonLine(after) : `✓ withdrawn: ${titleOf(after)}: ${STAGE_WORDS[after.stage]}, ${after.why}\n`);
  return 0;
}

const titleOf = ({ decider, question }: TrustView) =>
  safeLine(`${deciderWords(decider)}: ${question === "" ? "all its questions" : `"${question}"`}`, { max: 200 });

function trustLines(trust: readonly TrustView[], now: number, page: Page): string {
  if (trust.length === 0)
    return "Nothing is known yet. Switched on, the autopilot watches what you answer: docs/autopilot.md\n";
  const numbered = trust.map((each, i) => ({ ...each, number: i + 1 }));
  const projects = Map.groupBy(numbered, ({ project }) => project);
  const blocks = [...projects].map(([project, own]) =>
    [page.style.bold(safeLine(project, { max: 80 })), ...own.flatMap((each) => rowLines(each, now, page))].join("\n"),
  );
  return `${blocks.join("\n\n")}\n`;
}

function rowLines(each: TrustView & { number: number }, now: number, { width, style }: Page): string[] {
  const { number, id, stage, why, lost, usedAt } = each;
  const isActing = stage === "held" || stage === "automatic";
  const lead = `${String(number).padStart(3)}  ${id}  `;
  const used = usedAt === undefined ? "" : `; used ${agoWords(usedAt, now)}`;
  const facts = `${STAGE_WORDS[stage]}: ${why}${lost === "" ? "" : `; ${lost}`}${used}`;
  return [
    ...hang(lead, titleOf(each), width),
    ...hang(" ".repeat(lead.length), safeLine(facts, { max: 300 }), width, isActing ? style.green : style.dim),
  ];
}
