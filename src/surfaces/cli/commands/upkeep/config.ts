import { existsSync } from "node:fs";
import { isUp } from "../../../../client/wire.ts";
import type { ConfigView, Entry, Source } from "../../../../core/config/view.ts";
import { problemLine } from "../../../../core/words/problem-line.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { configPath, createConfigFiles, shownOf } from "../../../../machine/settings/config-file.ts";
import { createTrustedFiles } from "../../../../machine/settings/trusted-files.ts";
import { hang, pad } from "../../../terminal/columns.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Terminal } from "../../../terminal/terminal.ts";

const path = defineCommand({
  about: "Where your own settings file is, whether it is there or not.",
  async run({ json }, { terminal }) {
    const mine = configPath(terminal.env, terminal.cwd);
    terminal.out(json ? jsonLine({ path: mine, exists: existsSync(mine) }) : `${safeLine(mine)}\n`);
    return 0;
  },
});

export const command = defineCommand({
  about:
    "Every setting that applies here and where it comes from: the default, your own file, the project's .parley.toml, or the environment. A setting with a mistake is ignored; the rest applies.",
  subcommands: [
    { name: "set", summary: "set a key in your own file, checked", load: () => import("./config-set.ts") },
    { name: "path", summary: "where your own file is", load: async () => ({ command: path }) },
  ],
  notes: "Exit codes: 0 fine · 1 a file has a mistake",
  async run({ json }, { terminal, client, paths }) {
    const { env, cwd } = terminal;
    const mine = configPath(env, cwd);
    // What the daemon has in force is what counts; started for this alone it would have nothing to say.
    const files = createConfigFiles({ env, cwd, trusted: createTrustedFiles(paths.trusted) });
    const offline = shownOf(await files.current(cwd));
    const view = (await isUp(paths)) ? await client.call("config", { query: { cwd } }) : offline;
    terminal.out(json ? jsonLine(view) : inWords(view, mine, terminal));
    return view.problems.length > 0 ? 1 : 0;
  },
});

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
    ...(problems.length > 0 ? ["Settings with mistakes are ignored; the rest applies."] : []),
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
