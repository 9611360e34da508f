import { openingRules } from "../../../../core/autopilot/gate/opening-rule.ts";
import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { configPath } from "../../../../machine/settings/config-file.ts";
import { hang } from "../../../terminal/columns.ts";
import { defineCommand } from "../../command-line/define.ts";
import { findAsk } from "../../find-ask.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about:
    "What it risks to let one answer to exactly this question be given without you, and the rule that does it. Changes nothing: you put the rule into your settings.",
  options: { template: { description: "for this question whatever stands in its middle" } },
  positionals: { id: { of: "ask" }, options: { repeatable: true } },
  needs: "Which answer? parley autopilot allow <id> <number>, one for each question",
  async run({ id, options: typed, template, json }, { client, terminal }) {
    const ask = await findAsk(client, id);
    if (typed.length !== ask.questions.length)
      throw new ParleyError("usage", "Which answer? parley autopilot allow <id> <number>, one for each question");
    const labels = ask.questions.map(({ options }, i) => {
      const label = options[Number(typed[i]) - 1]?.label;
      if (label === undefined)
        throw new ParleyError("usage", `There is no option ${safeLine(typed[i] ?? "")}: 1 to ${options.length}`);
      return label;
    });
    const opening = openingRules(ask, labels, { name: `allow-${shortId(ask.id)}`, isTemplate: template });
    if (json) return (terminal.out(jsonLine(opening)), 0);
    const { style, width } = terminal;
    const line = (lead: string, text: string) => hang(lead, safeLine(text, { max: 300 }), width);
    const shown = ask.questions.flatMap(({ text }, i) => [...line("", text), ...line("  → ", labels[i] ?? "")]);
    const risks =
      opening.risks.length === 0
        ? ["Nothing holds it back: it needs no rule of this kind."]
        : [style.bold("What it risks:"), ...opening.risks.flatMap((risk) => line("  ∥ ", risk))];
    const left =
      opening.left === undefined ? [] : line(`${style.yellow("!")} Still yours, even with the rule: `, opening.left);
    const rule = [
      `To let it be given without you, put into ${safeLine(configPath(terminal.env, terminal.cwd))}:`,
      "",
      opening.toml,
    ];
    terminal.out([...shown, "", ...risks, ...left, "", ...rule].join("\n"));
    return 0;
  },
});
