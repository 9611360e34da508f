import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AGENTS, isInstallable } from "../../src/agents/agents.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fewOf } from "../cases.ts";
import { everyCommand, shownOptions } from "../every-command.ts";
import { TEST_MS } from "../patience.ts";
import { question } from "./api-request.ts";
import { create } from "./cli-words.ts";
import { COMMAND, createProgram, type Program } from "./program.ts";

setDefaultTimeout(TEST_MS);

/** Each reads lines from $TYPED and writes what Tab offers at the end of each, below the line itself, into $OFFERED. */
const DRIVERS = {
  bash: `eval "$(parley completion bash)"
[ "$(complete -p parley)" = "complete -F _parley parley" ] || exit 1
while IFS= read -r line; do
  read -ra COMP_WORDS <<<"$line"
  [[ "$line" == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _parley
  printf '%s\\n' "# $line" "\${COMPREPLY[@]}" >>"$OFFERED"
done <"$TYPED"`,
  fish: `parley completion fish | source
while read -l line
  echo "# $line" >>$OFFERED
  complete -C "$line" >>$OFFERED
end <$TYPED`,
  // Only a line editor completes: a shell in a terminal of its own, where \`compadd\` tells what it would add.
  zsh: `zmodload zsh/zpty; zpty inner zsh -i; while zpty -r inner line; do :; done`,
};
const ZSHRC = `autoload -Uz compinit; compinit -u -d $ZDOTDIR/dump
eval "$(parley completion zsh)"
compadd() { local -a hits; builtin compadd -O hits "$@"; print -rl -- $hits >>$OFFERED; return 1 }
zle-line-init() {
  local line
  while IFS= read -r line; do
    BUFFER=$line CURSOR=$#line
    print -r -- "# $line" >>$OFFERED
    zle list-choices
  done <$TYPED
  exit
}
zle -N zle-line-init
`;
/** Those with words below them, and some of the rest. */
const isShownToAll = ({ definition }: { definition: { subcommands: readonly unknown[] } }, place: number) =>
  definition.subcommands.length > 0 || place % 6 === 0;
type Shell = keyof typeof DRIVERS;
const SHELLS = Object.keys(DRIVERS) as Shell[];

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
  const bin = join(program.root, "bin");
  mkdirSync(bin);
  const quoted = COMMAND.map((word) => `'${word}'`).join(" ");
  const parley = `#!/bin/sh\nPARLEY_HOME='${program.home}' exec ${quoted} "$@"\n`;
  writeFileSync(join(bin, "parley"), parley, { mode: 0o755 });
  writeFileSync(join(program.root, ".zshrc"), ZSHRC);
});
afterAll(() => program.dispose());

/** What a real shell offers at the end of each of these lines. */
async function offered(shell: Shell, lines: readonly string[], env = {}): Promise<Record<string, string[]>> {
  const [input, output] = ["lines", "offered"].map((name) => join(program.root, `${name}-${shell}`)) as [
    string,
    string,
  ];
  writeFileSync(input, lines.map((line) => `${line}\n`).join(""));
  writeFileSync(output, "");
  const path = `${join(program.root, "bin")}:${process.env["PATH"]}`;
  const flags = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] }[shell];
  const child = Bun.spawn([shell, ...flags, "-c", DRIVERS[shell]], {
    env: {
      PATH: path,
      HOME: program.user,
      ZDOTDIR: program.root,
      PARLEY_PORT: "0",
      LANG: "C.UTF-8",
      TERM: "xterm",
      TYPED: input,
      OFFERED: output,
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [err, code] = await Promise.all([child.stderr.text(), child.exited]);
  expect([code, err]).toEqual([0, ""]);
  const blocks = (await Bun.file(output).text()).split(/^# /m).slice(1);
  return Object.fromEntries(
    blocks.map((block) => {
      const [line = "", ...offers] = block.split("\n");
      return [line, [...new Set(offers.filter(Boolean))]];
    }),
  );
}
const wordsOf = (offers: readonly string[] = []) => offers.map((line) => line.split("\t")[0] ?? "").toSorted();

describe.each(SHELLS)("%s", (shell) => {
  const isThere = Bun.which(shell) !== null || process.env["CI"] === "true";
  const it = test.skipIf(!isThere);

  it("[CM30] offers every command, every subcommand and every option of the table (skipped without the shell)", async () => {
    const every = await everyCommand();
    // What a shell does with it is the same for each: one of them is shown all, the others a part of each kind.
    const all = shell === SHELLS[0] ? every : fewOf(every, isShownToAll);
    const wanted: Record<string, string[]> = {
      "parley ": [...every.flatMap(({ path }) => (path.includes(" ") ? [] : path)), "help"],
    };
    for (const { path, definition } of all) {
      wanted[`parley ${path} -`] = shownOptions(definition);
      if (definition.subcommands.length > 0) wanted[`parley ${path} `] = definition.subcommands.map(({ name }) => name);
    }
    const found = await offered(shell, Object.keys(wanted));
    for (const [line, words] of Object.entries(wanted))
      expect([line, wordsOf(found[line])]).toEqual([line, words.toSorted()]);
  });

  it("[CM31] offers open questions, values, and nothing where nothing is known; files are its own", async () => {
    const { id } = await create(program);
    const short = id.slice(0, 6);
    const folder = join(program.user, "saved");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "file.db"), "");
    const restore = `parley restore ${folder}/f`;
    const found = await offered(shell, [
      "parley show ",
      `parley answer ${short.slice(0, 3)}`,
      "parley ls --state op",
      "parley setup ",
      "parley up ",
      "parley nonsense ",
      restore,
    ]);
    const { [restore]: files, ...known } = found;
    // Bash looks for files when our function has offered nothing.
    if (shell !== "bash") expect(files?.join()).toContain("file.db");
    const agents = AGENTS.filter(isInstallable)
      .map(({ name }) => name)
      .toSorted();
    expect(Object.values(known).map(wordsOf)).toEqual([[short], [short], ["open"], agents, [], []]);
    await program.client().call("settleAsk", { id, body: { action: "cancel" } });
  });

  it("[CM32] a question that looks like shell is only text", async () => {
    const trap = join(program.user, `trap-${shell}`);
    const text = `$(touch ${trap}) \`touch ${trap}\`; touch ${trap} 'a" & : \\`;
    const { id } = await create(program, [question("H", { question: `${text}?` })]);
    const found = await offered(shell, ["parley show "], { COMP_TYPE: "63" });
    expect(wordsOf(found["parley show "])).toEqual([id.slice(0, 6)]);
    expect(await Bun.file(trap).exists()).toBe(false);
    await program.client().call("settleAsk", { id, body: { action: "cancel" } });
  });
});

test.skipIf(Bun.which("fish") === null && process.env["CI"] !== "true")(
  "[CM33] fish and a list of bash say beside each what it means; what bash inserts is the word alone",
  async () => {
    const fish = (await offered("fish", ["parley task re"]))["parley task re"];
    expect(fish).toEqual(["retry\tstart it again from the beginning"]);
    const line = "parley notify test --";
    expect((await offered("bash", [line]))[line]).toEqual(["--channel", "--wait", "--json", "--help"]);
    expect((await offered("bash", [line], { COMP_TYPE: "63", COLUMNS: "40" }))[line]).toEqual([
      "--channel  only this one",
      "--wait     how long to wait for a press",
      "--json     print it as JSON",
      "--help     show this help",
    ]);
  },
);
