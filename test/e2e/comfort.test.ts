import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { AGENTS, isInstallable } from "../../src/agents/agents.ts";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { question } from "./api-request.ts";
import { create, features, linesOf, listen, store, timeless } from "./cli-words.ts";
import { typing } from "./comfort-terminal.ts";
import { COMMAND, createProgram, holds, type Program } from "./program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());
beforeEach(async () => {
  const human = program.client();
  for (const { id, outcome } of (await human.call("listAsks", { query: { state: "active" } })).asks) {
    if (!outcome) await human.call("settleAsk", { id, body: { action: "cancel" } });
    await program.client("agent").call("receiveAnswer", { id });
  }
  // Not within the millisecond in which the last one was done.
  const now = Date.now();
  await holds(() => Date.now() > now);
  await human.call("prune", { body: { days: 0 } });
});
const short = ({ id }: { id: string }) => id.slice(0, 6);
const named = (text: string) => question("H", { question: text });

describe("count and status", () => {
  test("[CF10] count is the number that waits", async () => {
    expect(await program.parley(["count"])).toEqual({ code: 0, out: "0\n", err: "" });
    await create(program);
    await create(program);
    expect(await program.parley(["count"])).toEqual({ code: 0, out: "2\n", err: "" });
    expect(await program.parley(["count", "--json"])).toEqual({ code: 0, out: '{"open":2}\n', err: "" });
  });

  test("[CF11] where Parley does not run, count prints nothing and starts nothing", async () => {
    const idle = createProgram();
    try {
      expect(await idle.parley(["count"])).toEqual({ code: 3, out: "", err: "" });
      expect(await idle.parley(["count", "--json"])).toEqual({ code: 3, out: '{"open":null}\n', err: "" });
      expect(await Bun.file(idle.paths.registration).exists()).toBe(false);
    } finally {
      await idle.dispose();
    }
  });

  test("[CF12] status says first how many wait, then each with kind, project and age", async () => {
    const a = await create(program, [store], { project: "billing" });
    const b = await create(program, [named("Next?")]);
    const { code, out } = await program.parley(["status"]);
    expect(code).toBe(0);
    expect(linesOf(timeless(out)).slice(0, 3)).toEqual([
      "2 questions wait for you",
      `  ${short(a)}  [question] billing · TIME · Which database?`,
      `  ${short(b)}  [question] script · TIME · Next?`,
    ]);
    expect(JSON.parse((await program.parley(["status", "--json"])).out)).toMatchObject({
      running: true,
      asks: { open: 2 },
    });
  });
});

describe("identical questions of several agents", () => {
  const shop = { project: "shop" };
  const worktree = { project: "shop-wt", family: "shop" };

  test("[CF20] of one project family they are one row; another question or project is another row", async () => {
    const first = await create(program, [store], shop);
    for (const origin of [shop, worktree]) await create(program, [store], origin);
    await create(program, [store], { project: "other" });
    await create(program, [features], shop);
    const rows = linesOf((await program.parley(["ls"])).out).map((line) =>
      line.replace(/^\S+ +\S+( ms| s| min)? +/, ""),
    );
    expect(rows).toEqual(["shop   3× Which database?", "other  Which database?", "shop   Which features?"]);
    expect((await program.parley(["ls"])).out).toStartWith(short(first));
    expect(JSON.parse((await program.parley(["ls", "--json"])).out).asks).toHaveLength(5);
  });

  test("[CF21] --same answers all of them, each with its receipt; --only and silence answer one", async () => {
    const asks = await Promise.all([shop, worktree, shop, shop].map((origin) => create(program, [store], origin)));
    const [a, b, c, d] = asks.map(({ id }) => id);
    await program.parley(["answer", a ?? "", "1", "--only"]);
    await program.parley(["answer", b ?? "", "1"]);
    expect((await program.parley(["count"])).out).toBe("2\n");
    const taken = await Promise.all(asks.slice(2).map((ask) => listen(program, ask)));
    const { code, out } = await program.parley(["answer", c ?? "", "2", "--same"], { env: UNTIL_RECEIVED });
    expect([code, timeless(out)]).toEqual([0, '✓ script received "PostgreSQL" (TIME)\n'.repeat(2)]);
    const received = await Promise.all(taken.map((each) => each.taken));
    expect(received.map(({ outcome }) => outcome?.answers)).toEqual([[{ picks: [1] }], [{ picks: [1] }]]);
    expect((await program.client().call("getAsk", { id: d ?? "" })).state).toBe("verified");
  });

  test("[CF22] on a terminal a person confirms it first", async () => {
    const asks = await Promise.all([shop, worktree, shop].map((origin) => create(program, [store], origin)));
    const no = typing(program, ["answer", asks[0]?.id ?? "", "1"]);
    await no.type("2 other agents asked the same. Give them this answer too? [y/N]", "n\r");
    await no.ended();
    expect((await program.parley(["count"])).out).toBe("2\n");
    const yes = typing(program, ["answer", asks[1]?.id ?? "", "2"]);
    await yes.type("1 other agent asked the same. Give them this answer too? [y/N]", "y\r");
    await yes.ended();
    expect((await program.parley(["count"])).out).toBe("0\n");
  });
});

describe("identical questions, but", () => {
  test("[CF23] where the project is not known they are not taken for the same", async () => {
    await create(program);
    await create(program);
    expect(linesOf((await program.parley(["ls"])).out)).toHaveLength(2);
  });

  test("[CF24] an answer that one of them refuses is told for the others", async () => {
    const [other] = [
      await create(program, [store], { project: "shop", session: "other" }),
      await create(program, [store], { project: "shop", session: "mine" }),
    ];
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "mine" };
    const { code, out, err } = await program.parley(["answer", other.id, "1", "--same"], { env });
    expect([code, out]).toEqual([77, '… saved: "SQLite"; script has not picked it up yet\n']);
    expect(err).toContain("An agent may not answer its own question");
  });
});

describe("decisions", () => {
  const decide = async (asked: object, ...words: string[]) => {
    const ask = await create(program, [asked], { project: "shop" });
    await program.parley(["answer", ask.id, ...words]);
    return ask;
  };

  test("[CF30] what was decided, by whom and why, oldest first; what nobody decided is left out", async () => {
    const a = await decide(store, "2", "-m", "we know it");
    const b = await decide(named("Rename?"), "--decline", "-m", "not now");
    await decide(named("Cancelled?"), "--cancel");
    await create(program, [named("Open?")]);
    const { out } = await program.parley(["decisions"]);
    expect(out.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "CLOCK")).toBe(
      [
        `${short(a)}  CLOCK  shop  Which database?`,
        "        → PostgreSQL (note: we know it)  — person, cli",
        `${short(b)}  CLOCK  shop  Rename?`,
        "        → declined  — person, cli (not now)",
        "",
      ].join("\n"),
    );
    const { decisions } = JSON.parse((await program.parley(["decisions", "--json"])).out);
    expect(decisions).toMatchObject([
      { id: a.id, question: "Which database?", answer: "PostgreSQL (note: we know it)", by: "person, cli" },
      { id: b.id, answer: "declined", why: "not now" },
    ]);
    expect((await program.parley(["decisions", "--project", "none"])).out).toBe("Nothing decided yet.\n");
  });

  test("[VB13] in the order of the time they show, whichever was asked first; the last ones are kept by --limit", async () => {
    const [first, second] = [await create(program, [named("First?")]), await create(program, [named("Second?")])];
    await program.parley(["answer", second.id, "1"]);
    await program.parley(["answer", first.id, "1"]);
    const ids = async (...args: string[]) =>
      JSON.parse((await program.parley([...args, "--json"])).out) as {
        decisions?: { id: string }[];
        asks?: { id: string }[];
      };
    const { decisions = [] } = await ids("decisions");
    expect(decisions.slice(-2).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await ids("decisions", "--limit", "1")).decisions?.map(({ id }) => id)).toEqual([first.id]);
    for (const { id } of [second, first]) await program.client("agent").call("receiveAnswer", { id });
    const { asks = [] } = await ids("ls", "--done");
    expect(asks.slice(0, 2).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test("[CF31] --limit counts decisions, not questions", async () => {
    await decide(store, "1");
    for (let i = 0; i < 3; i++) await create(program);
    const { out } = await program.parley(["decisions", "--limit", "1", "--json"]);
    expect(JSON.parse(out).decisions).toHaveLength(1);
  });

  test("[CF32] --md is one table row for each, whatever a model or a person wrote", async () => {
    const evil = "a | b\n| c | `x` <img src=x> ![i](http://t.example) [l](x) *b* _i_ \\| & $m$";
    await decide(named(`${evil}?`), "-m", `${evil}\n\n# heading`);
    const { out } = await program.parley(["decisions", "--md"]);
    const [head, rule, row, ...rest] = linesOf(out);
    expect([head, rule, rest]).toEqual([
      "| when | project | question | decision | by | why |",
      "|---|---|---|---|---|---|",
      [],
    ]);
    const cells = (row ?? "").split(/(?<=[^\\](?:\\\\)*)\|/).map((cell) => cell.trim());
    expect(cells).toHaveLength(7);
    expect(cells[1]).toBe("shop");
    // A question is named without its marks.
    expect(cells[2]).toBe("a \\| b \\| c \\| x &lt;img src=x> i \\[l\\](x) b i \\| &amp; \\$m\\$?");
    expect(cells[3]).toEndWith("# heading");
    expect(cells[4]).toBe("person, cli");
  });
});

describe("completion", () => {
  /** A shell with `parley` on its PATH, which loads the script and says what Tab would offer. */
  async function offered(words: string[]): Promise<string[]> {
    const bin = join(program.root, "bin");
    mkdirSync(bin, { recursive: true });
    const quoted = COMMAND.map((word) => `'${word}'`).join(" ");
    writeFileSync(join(bin, "parley"), `#!/bin/sh\nPARLEY_HOME='${program.home}' exec ${quoted} "$@"\n`);
    chmodSync(join(bin, "parley"), 0o755);
    const list = ["parley", ...words].map((word) => `'${word}'`).join(" ");
    const script = `eval "$(parley completion bash)"; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _parley; complete -p parley >&2; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const child = Bun.spawn(["bash", "--norc", "-c", script], {
      env: { PATH: `${bin}:/usr/bin:/bin`, HOME: program.user, PARLEY_PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect(err).toBe("complete -F _parley parley\n");
    return linesOf(out).filter(Boolean);
  }

  test("[CF40] bash completes commands and the ids of open questions", async () => {
    expect(await offered(["de"])).toEqual(["decisions", "decision"]);
    const asks = [await create(program), await create(program, [named("$(touch x) `id` ?")])];
    expect((await offered(["answer", ""])).toSorted()).toEqual(asks.map(short).toSorted());
    expect(await offered(["show", asks[0]?.id.slice(0, 5) ?? ""])).toEqual([short(asks[0]!)]);
    expect(await offered(["up", ""])).toEqual([]);
    expect(await offered(["completion", "z"])).toEqual(["zsh"]);
    expect(await offered(["setup", ""])).toEqual(AGENTS.filter(isInstallable).map(({ name }) => name));
    expect(await offered(["task", "re"])).toEqual(["retry"]);
  });

  for (const shell of ["zsh", "fish"])
    test.skipIf(Bun.which(shell) === null && process.env["CI"] !== "true")(
      `[CF43] ${shell} reads its script (skipped on a machine without it)`,
      async () => {
        const { out } = await program.parley(["completion", shell]);
        expect(Bun.spawnSync([shell, "-n", "-c", out]).exitCode).toBe(0);
      },
    );

  test("[CF42] for another shell it says which there are; --json wraps the script", async () => {
    const err = "✗ For which shell? parley completion bash, zsh or fish\n";
    for (const shell of [[], ["csh"], ["constructor"]])
      expect(await program.parley(["completion", ...shell])).toEqual({ code: 2, out: "", err });
    const { out } = await program.parley(["completion", "bash", "--json"]);
    expect(JSON.parse(out)).toEqual({ shell: "bash", script: (await program.parley(["completion", "bash"])).out });
  });
});
