import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "../../src/machine/shell-quote.ts";
import { COMMAND, createProgram, holds, type Program } from "./program.ts";

const root = join(import.meta.dir, "../..");
const PAGES = ["README.md", ...[...new Glob("*.md").scanSync(join(root, "docs"))].map((page) => `docs/${page}`)];
const ASKS = /\bparley (?:ask|confirm|wait)\b/;

/** Every shell example of the docs that asks somebody, as a script. */
const EXAMPLES = PAGES.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```(\w*)\n([^]*?)^```$/gm)].flatMap(
    ([, language = "", block = ""]) => {
      const script = commandsOf(block);
      return ["", "sh", "bash", "console"].includes(language) && ASKS.test(script)
        ? [{ page, script, question: questionOf(script) }]
        : [];
    },
  ),
);

/** What a person does, typed behind `parley answer <id>`. */
const WAYS = {
  "option 1": ["1"],
  "option 2": ["2"],
  "option 1 with a note": ["1", "-m", "but carefully"],
  "option 2 with a note": ["2", "-m", "not today"],
  "own words": ["-m", "something else"],
  "own words that say yes": ["--text", "yes"],
  declined: ["--decline"],
  "declined with words": ["--decline", "-m", "Yes"],
  cancelled: ["--cancel"],
  chat: ["--chat", "Yes"],
} satisfies Record<string, string[]>;
type Way = keyof typeof WAYS | "expired" | "stopped" | "no home" | "mistyped";
const ALL: Way[] = [...(Object.keys(WAYS) as (keyof typeof WAYS)[]), "expired", "stopped", "no home", "mistyped"];

/** What an example runs, by its question; whatever is not named here runs nothing. */
const RUNS: Record<string, Partial<Record<Way, string[]>>> = {
  "Deploy to production?": { "option 1": ["deploy.sh"], "option 1 with a note": ["deploy.sh"] },
  "Delete the old backups?": { "option 1": ["delete-backups.sh"], "option 1 with a note": ["delete-backups.sh"] },
  "Roll out?": { "option 1": ["roll-out.sh"], "option 1 with a note": ["roll-out.sh"] },
  "Ship it?": { "option 1": ["ship.sh"], "option 1 with a note": ["ship.sh"] },
  "Which region?": {
    "option 1": ["deploy.sh eu"],
    "option 1 with a note": ["deploy.sh eu"],
    "option 2": ["deploy.sh us"],
    "option 2 with a note": ["deploy.sh us"],
  },
  "Which cache?": {
    ...Object.fromEntries(ALL.map((way) => [way, ["build.sh"]])),
    "option 1": ["build.sh", "build.sh"],
    "option 1 with a note": ["build.sh", "build.sh"],
    "own words": ["build.sh", "build.sh"],
    "own words that say yes": ["build.sh", "build.sh"],
    stopped: [],
    "no home": [],
    mistyped: [],
  },
};

let program: Program;
let bin: string;
beforeAll(async () => {
  program = createProgram();
  bin = join(program.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "parley"), `#!/bin/sh\nexec ${COMMAND.map(shellQuote).join(" ")} "$@"\n`, { mode: 0o755 });
  await program.start();
});
afterAll(() => program.dispose());

test("[SF10] the docs have such examples, and each is known here with what it runs", () => {
  expect(EXAMPLES.map(({ question }) => question).toSorted()).toEqual(Object.keys(RUNS).toSorted());
});

test("[SF11] no page and no help takes the exit code of parley ask or wait for a yes", async () => {
  const commands = [...new Glob("src/surfaces/cli/**/*.ts").scanSync(root)];
  for (const page of [...PAGES, ...commands]) {
    const text = await Bun.file(join(root, page)).text();
    expect([page, /\b(?:if|while|until|elif) (?:! )?parley (?:ask|wait)\b/.exec(text)?.[0]]).toEqual([page, undefined]);
    expect([page, /\bparley (?:ask|wait) [^\n`|]*&&/.exec(text)?.[0]]).toEqual([page, undefined]);
  }
});

describe.each(EXAMPLES)("$page: $question", ({ script, question }) => {
  const mayExpire = script.includes("--timeout");
  test.each(ALL.filter((way) => way !== "expired" || mayExpire))(
    "[SF12] run by a shell, it does what it says: %s",
    async (way) => {
      expect(await ran(script, way)).toEqual(RUNS[question]?.[way] ?? []);
    },
  );
});

/** The programs that the example started, in their order, when it was answered this way. */
async function ran(script: string, way: Way): Promise<string[]> {
  const folder = mkdtempSync(join(program.user, "example-"));
  const journal = join(folder, "journal");
  for (const [, name = ""] of script.matchAll(/\.\/([\w.-]+)/g)) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name}\${*:+ $*}" >>"${journal}"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  for (const [, name = ""] of script.matchAll(/--context ([\w.-]+)/g)) writeFileSync(join(folder, name), "old\n");
  const known = new Set((await asks()).map(({ id }) => id));
  if (way === "stopped") await program.parley(["down"]);
  const child = Bun.spawn(["sh", "-c", changed(script, way)], {
    cwd: folder,
    env: {
      PATH: `${bin}:${process.env["PATH"]}`,
      HOME: program.user,
      PARLEY_HOME: way === "no home" ? "/dev/null/home" : program.home,
      PARLEY_PORT: "0",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (way in WAYS) {
    const mine = async () => (await asks()).find(({ id }) => !known.has(id));
    expect(await holds(async () => child.exitCode !== null || (await mine()) !== undefined)).toBe(true);
    const id = (await mine())?.id ?? "";
    expect((await program.parley(["answer", id, "--only", ...WAYS[way as keyof typeof WAYS]])).err).toBe("");
  }
  await child.exited;
  if (way === "stopped") await program.start();
  return existsSync(journal) ? readFileSync(journal, "utf8").trimEnd().split("\n") : [];
}

function changed(script: string, way: Way): string {
  if (way === "expired") return script.replace(/--timeout \w+/, "--timeout 300ms");
  return way === "mistyped" ? script.replace(ASKS, "$& --bogus") : script;
}

async function asks() {
  return (await program.client().call("listAsks", { query: { limit: 500 } })).asks;
}

/** What is typed: the lines behind a prompt, where there is one. */
function commandsOf(block: string): string {
  const typed = block.split("\n").filter((line) => line.startsWith("$ "));
  return typed.length > 0 ? typed.map((line) => line.slice(2)).join("\n") : block;
}

function questionOf(script: string): string {
  return /\bparley (?:ask|confirm) "([^"]+)"/.exec(script)?.[1] ?? "";
}
