import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUN_COMMAND } from "../../e2e/program.ts";

const main = join(import.meta.dir, "../../../src/main.ts");

/**
 * A hub with a bug: it acknowledges before it commits. Only a wrapper of the test has it: this file is loaded before the
 * program, from its source, and changes what the embedded engine does at the end of a transaction.
 */
export const EARLY_COMMAND = [
  ...BUN_COMMAND.slice(0, 1),
  `--preload=${import.meta.path}`,
  ...BUN_COMMAND.slice(1, -1),
  main,
];

/** The intent is told and acknowledged, and comes to the disk later: by then whoever kills it at once has done so, on a busy machine too. */
const FILE = /src\/store\/sqlite\/hub\.ts$/;
const CHANGES: [from: string, to: string][] = [
  [
    "let turn: Promise<unknown> = Promise.resolve();",
    "$& let late: Promise<unknown> = Promise.resolve(); let isIntent = false;",
  ],
  ["db.query(text", 'isIntent ||= text.includes("INSERT INTO hub_intents"); return db.query(text'],
  ['db.run("BEGIN IMMEDIATE");', "await late; $&"],
  [
    'db.run("COMMIT");',
    'const write = () => db.run("COMMIT"); if (isIntent) late = Bun.sleep(5000).then(write); else write(); isIntent = false;',
  ],
];

if (process.argv.includes("hub"))
  Bun.plugin({
    name: "acknowledges before it commits",
    setup(build) {
      build.onLoad({ filter: FILE }, ({ path }) => {
        let contents = readFileSync(path, "utf8").replace(
          /(=> *\n? *)(db\.query\(text[^;]*;)/,
          (_, arrow: string, body: string) => `${arrow}{ ${body} }`,
        );
        for (const [from, to] of CHANGES) {
          if (!contents.includes(from)) throw new Error(`${path} has no ${from} any more`);
          contents = contents.replace(from, to);
        }
        return { contents, loader: "ts" };
      });
    },
  });
