import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { findCommand } from "../src/surfaces/cli/command-line/find.ts";
import { parseInput } from "../src/surfaces/cli/command-line/parse.ts";

const root = join(import.meta.dir, "..");
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  ...new Glob("docs/*.md").scanSync(root),
  ...new Glob("plugins/*/README.md").scanSync(root),
].toSorted();
const read = (page: string) => readFileSync(join(root, page), "utf8");
const FENCED = /^```(\w*)\n([^]*?)^```$/gm;

type Typed = { page: string; line: string; words: string[]; isWhole: boolean };

describe("what the docs tell people to type", () => {
  const typed = PAGES.flatMap((page) => [...inBlocks(page), ...inSentences(page)]);

  test("[SP3] there is much of it, in blocks and in sentences", () => {
    expect(typed.filter(({ isWhole }) => isWhole).length).toBeGreaterThan(100);
    expect(typed.filter(({ isWhole }) => !isWhole).length).toBeGreaterThan(200);
  });

  test("[SP4] every parley command in README and docs exists, with its subcommand and options", async () => {
    const wrong: string[] = [];
    for (const each of typed) {
      const problem = await problemOf(each);
      if (problem !== undefined) wrong.push(`${each.page}: ${each.line}\n    ${problem}`);
    }
    expect(wrong).toEqual([]);
  });

  test("[SP5] a command, subcommand or option that does not exist is found", async () => {
    const problems = ["parley lss", "parley task shown x", "parley ls --bogus", "parley answer --grand 30m"].map(
      async (line) => problemOf(commandsIn("x.md", line, true)[0]),
    );
    expect((await Promise.all(problems)).map((problem) => problem !== undefined)).toEqual([true, true, true, true]);
  });
});

describe("links of README and docs", () => {
  test("[SP6] every relative link leads to a file, and every anchor to a heading there", () => {
    const wrong = PAGES.flatMap((page) =>
      linksOf(read(page)).flatMap((link) => {
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? page : relative(root, join(root, dirname(page), decodeURI(file)));
        if (!existsSync(join(root, target))) return [`${page}: ${link} is not there`];
        const isThere = anchor === undefined || !target.endsWith(".md") || anchorsOf(read(target)).has(anchor);
        return isThere ? [] : [`${page}: ${link} has no such heading`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("[SP7] the index of the docs names every page once, and no other", () => {
    const named = linksOf(read("docs/README.md")).filter((link) => /^[\w-]+\.md$/.test(link));
    const pages = [...new Glob("*.md").scanSync(join(root, "docs"))].filter((page) => page !== "README.md");
    expect([...new Set(named)].toSorted()).toEqual(pages.toSorted());
  });
});

/** What stands behind a prompt, or every line of a block that shows none. */
function inBlocks(page: string): Typed[] {
  return [...read(page).matchAll(FENCED)].flatMap(([, language = "", block = ""]) => {
    if (!["", "sh", "bash", "console", "yaml"].includes(language)) return [];
    const lines = block.replaceAll("\\\n", " ").split("\n");
    const prompted = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
    const plain = language === "" ? lines.filter((line) => line.startsWith("parley ")) : lines;
    return (prompted.length > 0 ? prompted : plain).flatMap((line) => commandsIn(page, line, true));
  });
}

function inSentences(page: string): Typed[] {
  const text = read(page).replaceAll(FENCED, "");
  return [...text.matchAll(/`([^`\n]*\bparley [^`\n]*)`/g)].flatMap(([, code = ""]) => commandsIn(page, code, false));
}

/** Every call of parley in a line of shell, as words; what a shell puts in place of a word stays as it is written. */
function commandsIn(page: string, line: string, isWhole: boolean): Typed[] {
  const starts = [...line.matchAll(/(?<=^|[\s(`;|&!])parley(?:-inbox)? /g)];
  return starts.map(({ index }) => {
    const words = wordsOf(line.slice(index).replaceAll("\\|", "¦"));
    return { page, line, words: words.slice(1), isWhole };
  });
}

/** Up to the end of the command. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(
    /"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^)]*\)|[;|&)#]|(?:[^\s"';|&)]|'[^']*'|"[^"]*")+|;/g,
  )) {
    if (/^(?:[;|&)#]|[<>]{1,2}&?\d*$|\d>)/.test(word)) break;
    words.push(word.replaceAll(/^["']|["']$/g, ""));
  }
  return words;
}

async function problemOf(typed: Typed | undefined): Promise<string | undefined> {
  const { words = [], isWhole = false } = typed ?? {};
  const [name = "", ...args] = words;
  if (!/^[a-z][a-z-]*$/.test(name)) return undefined;
  try {
    const called = await findCommand(
      name,
      args.map((arg) => arg.split("¦")[0] ?? arg),
    );
    if (isWhole && !words.some((word) => /[…<]/.test(word))) return void (await parseInput(called));
    const { options } = called.definition;
    const shorts = new Set(Object.values(options).map(({ short }) => short));
    // Behind two dashes are the words of another program.
    const own = called.args.slice(0, called.args.includes("--") ? called.args.indexOf("--") : undefined);
    const missing = own.find((arg) => {
      const [long, short] = [/^--([a-z][\w-]*)/.exec(arg)?.[1], /^-([a-zA-Z])$/.exec(arg)?.[1]];
      return (long !== undefined && !Object.hasOwn(options, long)) || (short !== undefined && !shorts.has(short));
    });
    return missing === undefined ? undefined : `${called.path} has no ${missing}`;
  } catch (error) {
    return (error as Error).message;
  }
}

const linksOf = (text: string): string[] =>
  [...text.replaceAll(FENCED, "").matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));

/** As GitHub makes them: lower case, without signs, and numbered where there are two. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, title = ""] of text.replaceAll(FENCED, "").matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-");
    let [name, n] = [anchor, 0];
    while (anchors.has(name)) name = `${anchor}-${++n}`;
    anchors.add(name);
  }
  return anchors;
}
