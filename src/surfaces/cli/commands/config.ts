import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { isUp } from "../../../client/wire.ts";
import type { ConfigView, Entry, Source } from "../../../core/config/view.ts";
import { ParleyError } from "../../../core/error.ts";
import { problemLine } from "../../../core/words/problem-line.ts";
import { safeLine } from "../../../core/text/text.ts";
import { configPath, createConfigFiles, shownOf } from "../../../machine/config-file.ts";
import { createTrustedFiles } from "../../../machine/trusted-files.ts";
import { hang, pad } from "../../terminal/columns.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const HELP = `Usage: parley config [--json]        parley config path [--json]

Every setting that is in force here and where it comes from: the default, your
own file, the project's .parley.toml, or the environment. A key with a mistake
is out of force, everything else holds. path says where your file is.
Exit codes: 0 fine · 1 a file has a mistake
`;

export const config: Command = async (args, { terminal, client, paths }) => {
  const options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) return (terminal.out(HELP), 0);
  const { env, cwd } = terminal;
  const mine = configPath(env, cwd);
  const [what, ...more] = positionals;
  if (what === "path" && more.length === 0) {
    terminal.out(values.json ? jsonLine({ path: mine, exists: existsSync(mine) }) : `${safeLine(mine)}\n`);
    return 0;
  }
  if (what !== undefined) throw new ParleyError("usage", `There is no "config ${safeLine(positionals.join(" "))}"`);
  // What the daemon has in force is what counts; started for this alone it would have nothing to say.
  const files = createConfigFiles({ env, cwd, trusted: createTrustedFiles(paths.trusted) });
  const offline = shownOf(await files.current(cwd));
  const view = (await isUp(paths)) ? await client.call("config", { query: { cwd } }) : offline;
  terminal.out(values.json ? jsonLine(view) : inWords(view, mine, terminal));
  return view.problems.length > 0 ? 1 : 0;
};

function inWords(view: ConfigView, mine: string, terminal: Terminal): string {
  const { style, width } = terminal;
  const { dim, red, yellow } = style;
  const keys = Math.max(...view.entries.map(({ key }) => key.length));
  const texts = view.entries.map(({ value }) => textOf(value));
  const values = Math.min(40, Math.max(...texts.map((text) => Bun.stringWidth(text))));
  const lines = view.entries.map(({ key, source }: Entry, i) =>
    [key.padEnd(keys), pad(texts[i] ?? "", values), dim(placeOf(source))].join("  "),
  );
  const files = [view.user, ...(view.project === undefined ? [] : [view.project])].map(
    (file, i) => `${i === 0 ? "Yours:  " : "Project:"} ${safeLine(file)}${existsSync(file) ? "" : " (not there)"}`,
  );
  const other = view.user === mine ? [] : [`The daemon runs with another file than ${safeLine(mine)}`];
  const problems = view.problems.map((problem) => safeLine(problemLine(problem), { max: 600 }));
  return [
    ...files.map((line) => dim(line)),
    ...other.flatMap((line) => hang(yellow("! "), line, width)),
    ...lines,
    ...problems.flatMap((line) => hang(`${red("✗")} `, line, width)),
    ...(problems.length > 0 ? ["What is wrong is out of force; everything else holds."] : []),
    "",
  ].join("\n");
}

function textOf(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return ["", "{}", "[]"].includes(text) ? "(not set)" : safeLine(text, { max: 80 });
}

function placeOf(source: Source): string {
  switch (source.from) {
    case "default":
      return "default";
    case "environment":
      return source.name;
    case "user":
    case "project":
      return `${safeLine(source.file)}:${source.line}${source.wrong ? " (cannot be read; this counts instead)" : ""}`;
  }
}
