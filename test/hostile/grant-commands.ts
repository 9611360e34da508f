import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Place, readGrant } from "../../src/core/grant/match.ts";
import { shellWords } from "../../src/core/grant/shell-words.ts";

/** Everything a shell gives a meaning to, beside words; of programs only two that are not there. */
const FRAGMENTS = [
  "zz", "yy", "a", "bc", "-x", "--y=1", "'", '"', "\\", " ", "  ", "\t", "\n", ";", ";;", "&", "&&", "|", "||", "(", ")", "{", "}", "<", ">",
  ">>", ">|", "2>&1", ">/dev/null", "2>/dev/null", "</dev/null", "&>", "<>", "<<E", "\nE\n", "<<<", "<(", "$", "$(", "`", "${x}", "$x", "$@", "$#",
  "*", "?", "[a]", "~", "=", "#", "!", "%", "^", "'a b'", '"c d"', '"e$x"', '"f\\"g"', "'h\\'", "$'i\\n'", '$"j"', "\\ ", "\\\n", "\\'", '\\"', "é",
  "漢", "\u00a0", "\u200b", "if", "then", "fi", "for", "do", "done", "time", "zz()", "x=1", "x+=1", "x[0]=1", "a=b", "HEAD~1", ",", "{a,b}", "/",
  "..", "./", "-", "--", "\r", "\u0001", "function", "[[", "]]", "((", "))", "case", "in", "esac", "coproc", "@(a)", "+(b)", ":", "zz a", "...",
]; // prettier-ignore
const PATTERNS = ["zz", "zz a", "zz *", "zz a *", "zz ...", "zz a ...", "zz '*'", "zz a*", "yy *", "zz --y=*"];
const FOLDER = "/folder";
/** Nothing is there, so nothing is a link. */
const place: Place = { cwd: FOLDER, real: (path) => join("/", path) };
type Found = { commands: number; decided: number; matched: number; wider: string[] };

/** With the options that keep a person's own settings away. The agents run commands in either. */
const SHELLS = [
  ["/bin/bash", "--norc"],
  ["/bin/zsh", "-f"],
].filter(([path = ""]) => existsSync(path));

/** Generated commands whose words we say, beside the words with which shells call the program. */
export async function compareWithShells(count: number, seed: number, batch = 20_000): Promise<Found> {
  const random = mulberry(seed);
  const found: Found = { commands: 0, decided: 0, matched: 0, wider: [] };
  while (found.commands < count) {
    const commands = Array.from({ length: Math.min(batch, count - found.commands) }, () => generate(random));
    const decided = commands.flatMap((command) => {
      const read = shellWords(command);
      return "words" in read && ["zz", "yy"].includes(read.words[0] ?? "") ? [{ command, words: read.words }] : [];
    });
    for (const shell of SHELLS) {
      const called = await callsOf(
        shell,
        decided.map(({ command }) => command),
      );
      for (const [i, { command, words }] of decided.entries()) {
        const calls = called[i] ?? [];
        if (JSON.stringify(calls) !== JSON.stringify([words]))
          found.wider.push(
            `${JSON.stringify(command)}: we ${JSON.stringify(words)}, ${shell[0]} ${JSON.stringify(calls)}`,
          );
        for (const { text, read } of READ) {
          if (!("pattern" in read) || !read.pattern({ type: "command", command }, place)) continue;
          found.matched++;
          if (!isAsShown(text, calls[0] ?? [])) found.wider.push(`${text} matched ${JSON.stringify(command)}`);
        }
      }
    }
    found.commands += commands.length;
    found.decided += decided.length;
  }
  return found;
}

const READ = PATTERNS.map((text) => ({
  text,
  read: readGrant({ pattern: { type: "command", text }, folder: FOLDER }),
}));

/** What a person reads in the pattern, said once more in the simplest way. */
function isAsShown(text: string, argv: readonly string[]): boolean {
  const wanted = text.split(" ");
  const rest = wanted.at(-1) === "..." ? wanted.pop() : undefined;
  if (rest === undefined ? argv.length !== wanted.length : argv.length < wanted.length) return false;
  return argv.every((word, i) => {
    const part = wanted[i] ?? "*";
    const isFree = word !== "" && !word.startsWith("-") && word.split(/[=:,@]/).every(staysHere);
    if (part === "*") return isFree;
    if (part === "a*") return word.startsWith("a") && !word.includes("/");
    if (part === "--y=*") return word.startsWith("--y=");
    return word === (part === "'*'" ? "*" : part);
  });
}

const staysHere = (path: string) =>
  !/^[/~]/.test(path) && !/(^|\/)\.\.(\/|$)/.test(path.replace(/[^/]+\/+\.\.(?=\/|$)/g, ""));

/** The programs are functions of the shell's own, so nothing is started; a file that appears is a redirection we missed. */
async function callsOf(shell: readonly string[], commands: readonly string[]): Promise<string[][][]> {
  const folder = mkdtempSync(join(tmpdir(), "parley-grants-"));
  const script = `zz() { printf '%s\\0' zz "$@" $'\\1CALL' >&3; }; yy() { printf '%s\\0' yy "$@" $'\\1CALL' >&3; }
    PATH=/nonexistent; while IFS= read -r -d '' -u 4 command; do eval "$command"; printf '%s\\0' $'\\1END' >&3; done`;
  try {
    await Bun.write(join(folder, "in"), commands.map((command) => `${command}\0`).join(""));
    const cwd = join(folder, "cwd");
    const run = Bun.spawnSync(
      [
        "/bin/bash",
        "-c",
        `mkdir cwd; cd cwd; exec ${shell.join(" ")} -c "$0" 3>../out 4<../in >/dev/null 2>&1`,
        script,
      ],
      { cwd: folder, env: { PATH: "/bin:/usr/bin", LANG: "C.UTF-8" } },
    );
    if (run.exitCode !== 0 && commands.length === 0) throw new Error("the shell did not run");
    const left = readdirSync(cwd);
    if (left.length > 0) throw new Error(`a shell wrote ${left.join(", ")}`);
    const words = (await Bun.file(join(folder, "out")).text()).split("\0").slice(0, -1);
    return grouped(words);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function grouped(words: readonly string[]): string[][][] {
  const all: string[][][] = [];
  let [calls, call]: [string[][], string[]] = [[], []];
  for (const word of words)
    if (word === "\u0001CALL") [calls, call] = [[...calls, call], []];
    else if (word === "\u0001END") [, calls, call] = [all.push(calls), [], []];
    else call.push(word);
  return all;
}

function generate(random: () => number): string {
  const pick = () => FRAGMENTS[Math.floor(random() * FRAGMENTS.length)] ?? "";
  const isSpaced = random() < 0.7;
  const parts = Array.from({ length: 1 + Math.floor(random() * 6) }, pick);
  const start = random() < 0.8 ? "zz " : "";
  return `${start}${parts.join(isSpaced ? " " : "")}`;
}

function mulberry(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
