import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "../../src/machine/shell-quote.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { prompt } from "./comfort-prompt.ts";
import { COMMAND, createProgram, type Program, UNTIL_STARTED } from "./program.ts";

const root = join(import.meta.dir, "../..");
const PAGES = ["README.md", ...new Glob("docs/*.md").scanSync(root)].toSorted();

/** A terminal for each line: util-linux's, which macOS has not. */
const isMissing = (process.platform !== "linux" || Bun.which("script") === null) && process.env["CI"] !== "true";
const SKIPPED = isMissing ? " (skipped: no script of util-linux)" : "";

/** What these lines need is played elsewhere: the beginning of a line, and the test that types it. */
const ELSEWHERE: Record<string, string> = {
  "parley acp": "test/e2e/acp.test.ts",
  "parley answer --bulk": "test/e2e/bulk.test.ts",
  "parley answer 9vk": "test/agents/elicitation.test.ts",
  "parley answer 3tw8mq --change": "test/agents/edits.test.ts",
  "parley answer h7vgzp --actions": "test/e2e/brain-verdict.test.ts",
  "parley doctor": "test/e2e/doctor.test.ts",
  "parley hub": "test/hub/hub.test.ts",
  "parley join": "test/hub/hub.test.ts",
  "parley keys": "test/agents/keys-command.test.ts",
  "parley log --daemon -f": "test/e2e/log.test.ts",
  "parley notify": "test/e2e/notify-program.test.ts",
  "parley phone": "test/e2e/push.test.ts",
  "parley restore": "test/e2e/backup.test.ts",
  "parley review": "test/e2e/welcome.test.ts",
  "parley service": "test/e2e/service.test.ts",
  "parley run": "test/e2e/task-making.test.ts",
  "parley task": "test/e2e/task-work.test.ts",
  "parley uninstall": "test/e2e/uninstall.test.ts",
  "parley watch http": "test/agents/opencode-server.test.ts",
};
/** What needs neither a hub that runs nor somebody who has signed in there. */
const ON_THE_HOST = /^parley hub (?:token|code|machines|members|policy|audit)\b/;
const OPTIONS = ["SQLite", "Redis", "Postgres"].map((label) => ({ label, description: `about ${label}` }));
const QUESTION = { question: "Which store?", header: "Store", multiSelect: false, options: OPTIONS };
/** `isRefused`: the page shows that it is. */
type Typed = { page: string; line: string; isRefused: boolean };
const TYPED = PAGES.flatMap((page) => linesOf(page));
const here = TYPED.filter(({ line }) => reasonOf(line) === undefined);

describe("what the blocks of README and docs tell people to type", () => {
  test("[SP12] most of it is run here, and what is not has its reason", () => {
    expect(here.length).toBeGreaterThan(TYPED.length / 2);
    expect(Object.values(ELSEWHERE).filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const unused = Object.keys(ELSEWHERE).filter((start) => !TYPED.some(({ line }) => line.startsWith(start)));
    expect(unused).toEqual([]);
  });

  const pages = Object.entries(Object.groupBy(here, ({ page }) => page));
  test.skipIf(isMissing).each(pages)(`[SP13] %s${SKIPPED}`, async (_page, lines = []) => {
    const wrong: string[] = [];
    const world = await openWorld();
    try {
      for (const typed of lines) {
        const { code, out, err } = await world.type(typed);
        if ((code !== 0) !== typed.isRefused) wrong.push(`${typed.line}\n    ended with ${code}: ${out}${err}`);
      }
    } finally {
      await world.close();
    }
    expect(wrong).toEqual([]);
  });

  test.skipIf(isMissing)(`[SP14] a line that does not work is found${SKIPPED}`, async () => {
    const world = await openWorld();
    try {
      expect((await world.type(line("parley ls --bogus"))).code).not.toBe(0);
      expect((await world.type(line("parley answer sw8hz7 9"))).code).not.toBe(0);
    } finally {
      await world.close();
    }
  });
});

function line(typed: string): Typed {
  return { page: "", line: typed, isRefused: false };
}

function linesOf(page: string): Typed[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].flatMap(([, language = "", block = ""]) => {
    if (!["", "sh", "bash", "console"].includes(language)) return [];
    const lines = block.replaceAll(/\\\n\s*/g, " ").split("\n");
    const prompt = lines.some((each) => each.startsWith("$ ")) ? "$ " : "";
    return lines.flatMap((each, i) => {
      if (!each.startsWith(prompt)) return [];
      const typed = each
        .slice(prompt.length)
        .replace(/\s+#.*$/, "")
        .trim();
      // Two spaces: it is printed, with what it does behind them.
      if (!/^(?:[A-Z_]+=\S+ |echo .*\| )?parley /.test(typed) || / {2}/.test(typed)) return [];
      return [{ page, line: typed, isRefused: lines[i + 1]?.startsWith("✗") ?? false }];
    });
  });
}

function reasonOf(line: string): string | undefined {
  if (ON_THE_HOST.test(line)) return undefined;
  if (/\bparley (?:ask|confirm|wait)\b/.test(line)) return "test/e2e/docs-shell.test.ts";
  if (/ --hub\b/.test(line)) return ELSEWHERE["parley hub"];
  return Object.entries(ELSEWHERE).find(([start]) => line.startsWith(start))?.[1];
}

/** A person's machine on which agents have asked whatever the page names. */
async function openWorld() {
  const program = createProgram();
  const [bin, project] = [join(program.root, "bin"), join(program.user, "shop")];
  for (const folder of [bin, project, join(program.user, "site")]) mkdirSync(folder);
  const write = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  write("xdg-open", "exit 0");
  const call = { type: "tool_use", id: "toolu_1", name: "AskUserQuestion", input: { questions: [QUESTION] } };
  const said = { type: "assistant", message: { content: [call] } };
  writeFileSync(join(project, "stream.ndjson"), `${JSON.stringify(said)}\n`);
  writeFileSync(
    join(project, ".parley.toml"),
    '[[autopilot.rules]]\nname = "x"\nmatch = { header = "Store" }\nchoose = { label = "SQLite" }\n',
  );
  write("parley", `exec ${COMMAND.map(shellQuote).join(" ")} "$@"`);
  write("claude", "echo '2.1.325 (Claude Code)'");
  const env = {
    ...UNTIL_RECEIVED,
    ...UNTIL_STARTED,
    PATH: `${bin}:${process.env["PATH"]}`,
    HOME: program.user,
    LANG: "C.UTF-8",
    PARLEY_HOME: program.home,
    PARLEY_PORT: "0",
  };
  git(project, ["init", "--quiet"], ["commit", "--quiet", "--allow-empty", "--message", "start"]);
  await program.start(env);
  const ids = new Map<string, string>();
  const ends: (() => Promise<void>)[] = [];

  async function idOf(word: string, line: string, isRefused: boolean): Promise<string> {
    const isApproval = TYPED.some(({ line: other }) => other.includes(word) && /Deny|--change|--grant/.test(other));
    const id = ids.get(word.slice(0, 3));
    const isOver = id !== undefined && !isRefused && (await program.client().call("getAsk", { id })).state !== "open";
    const known =
      id !== undefined && !isOver ? id : await ask(program, isApproval ? commandFor(line) : undefined, ends);
    ids.set(word.slice(0, 3), known);
    return known;
  }

  return {
    async type({ line, isRefused }: Typed) {
      const [, before = "", word] =
        /^(.*?\b(?:answer|show|explain|why|allow|jump) )([a-z0-9]{3,6})(?= |$)/.exec(line) ?? [];
      const typed =
        word && !before.includes("task")
          ? line.replace(before + word, before + (await idOf(word, line, isRefused)))
          : line;
      // In a terminal, where somebody says yes to whatever is asked.
      const child = Bun.spawn(["script", "--quiet", "--return", "--command", typed, "/dev/null"], {
        cwd: project,
        env,
        stdio: ["pipe", "pipe", "pipe"],
      });
      // Left open: after its end `script` would wait two seconds.
      void child.stdin.write("y\n");
      void child.stdin.flush();
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { code, out, err };
    },
    async close() {
      for (const end of ends) await end();
      await program.dispose();
    },
  };
}

/** What is granted once is not asked again. */
function commandFor(line: string): string {
  return line.includes("--grant") ? "npm run build" : "rm -r build dist";
}

/** Asks, and goes on as soon as somebody has answered. */
async function ask(program: Program, command: string | undefined, ends: (() => Promise<void>)[]): Promise<string> {
  if (command !== undefined) {
    const asked = await prompt(program, { tool: "Bash", input: { command }, edits: true });
    const taken = asked.takes().catch(() => undefined);
    ends.push(async () => void (await Promise.all([asked.hangsUp(), taken])));
    return asked.id;
  }
  const { id } = await program.client("agent").call("createAsk", { body: { questions: [QUESTION] } });
  return id;
}

function git(cwd: string, ...calls: string[][]): void {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main"];
  for (const args of calls)
    Bun.spawnSync(["git", ...who, ...args], { cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd } });
}
