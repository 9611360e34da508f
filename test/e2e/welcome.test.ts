import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";

import { linesOf } from "./cli-words.ts";
import { typing } from "./comfort-terminal.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
let settings: string;
let env: Record<string, string>;
beforeEach(() => {
  program = createProgram();
  settings = join(program.user, ".claude/settings.json");
  const bin = join(program.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), "#!/bin/sh\nexit 0\n");
  chmodSync(join(bin, "claude"), 0o755);
  env = { PATH: `${bin}:/usr/bin:/bin` };
});
afterEach(() => program.dispose());

const up = () => program.parley(["up", "--welcome"], { env });
const own = async (): Promise<AskView[]> =>
  (await program.client().call("listAsks", { query: { state: "all" } })).asks.toReversed();
const answer = (id: string, ...words: string[]) =>
  program.parley(["answer", id, ...words], { env: { ...env, ...UNTIL_RECEIVED } });
const text = (path: string) => Bun.file(path).text();
const HOOKED = /"PermissionRequest"/;

/** The question about the settings, once the first one is answered with Claude Code. */
async function followUp(): Promise<AskView> {
  await up();
  await answer((await own())[0]?.id ?? "", "1");
  return (await own())[1]!;
}

describe("whom to listen to", () => {
  test("[WE1] the first start leaves one question of Parley: the agents found, and none yet", async () => {
    expect((await up()).code).toBe(0);
    const [ask, ...others] = await own();
    expect(others).toEqual([]);
    expect(ask).toMatchObject({
      kind: "question",
      state: "open",
      agentTitle: "Parley",
      questions: [
        {
          text: "Which agents should Parley listen to?",
          multiSelect: true,
          options: [{ label: "Claude Code" }, { label: "None yet" }],
        },
      ],
    });
    expect((await program.parley(["count"])).out).toBe("1\n");
  });

  test("[WE2] an agent that is not on the PATH is not offered; [SX34] where there is none at all, that is said", async () => {
    env = { PATH: "/usr/bin:/bin" };
    await up();
    const options = (await own())[0]?.questions[0]?.options ?? [];
    expect(options.map(({ label, description }) => [label, description])).toEqual([
      ["None yet", "None was found on your PATH; one that you install is offered here. Later: parley setup"],
    ]);
  });

  test("[WE3] without --welcome nothing is asked", async () => {
    await program.parley(["up"], { env });
    expect(await own()).toEqual([]);
  });

  test("[WE4] it is asked once in the life of a home, however often it starts, and after it was pruned", async () => {
    await Promise.all([up(), up(), up()]);
    expect(await own()).toHaveLength(1);
    await answer((await own())[0]?.id ?? "", "None yet");
    await up();
    expect(await own()).toHaveLength(1);
    expect((await program.parley(["prune", "--days", "0"])).code).toBe(0);
    expect(await own()).toEqual([]);
    await program.terminate();
    await up();
    expect(await own()).toEqual([]);
  });

  test.each([[["None yet"]], [["--decline"]], [["-m", "later"]]])("[WE5] %j asks nothing more", async (words) => {
    await up();
    const [ask] = await own();
    expect((await answer(ask?.id ?? "", ...words)).code).toBe(0);
    expect(await own()).toMatchObject([
      { state: "verified", deliveries: [{ detail: "none yet; later: parley setup" }] },
    ]);
    expect(await Bun.file(settings).exists()).toBe(false);
  });

  test("[WE6] a script that calls itself parley neither stands in for it nor makes it act", async () => {
    await program.parley(["ask", "x?", "-o", "Apply", "-o", "Skip", "--name", "parley", "--no-wait"], { env });
    await up();
    const [fake, real] = await own();
    expect(real?.questions[0]?.text).toBe("Which agents should Parley listen to?");
    await answer(fake?.id ?? "", "Apply");
    expect((await own())[0]?.state).toBe("settled");
    expect(await Bun.file(settings).exists()).toBe(false);
  });
});

test("[FM6] who was installed since is offered when the question is shown, wherever the asker's PATH finds them", async () => {
  await up();
  const [before] = await own();
  const elsewhere = join(program.root, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "opencode"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const { code } = await program.parley(["up", "--welcome"], { env: { PATH: `${elsewhere}:/usr/bin:/bin` } });
  expect(code).toBe(0);
  const open = (await program.client().call("listAsks", { query: { state: "open" } })).asks;
  expect(open.map(({ questions }) => questions[0]?.options.map(({ label }) => label))).toEqual([
    ["Claude Code", "opencode", "None yet"],
  ]);
  expect((await own()).find(({ id }) => id === before?.id)?.outcome).toMatchObject({
    type: "withdrawn",
    reason: "taken-back",
  });
  await up();
  expect((await program.client().call("listAsks", { query: { state: "open" } })).asks).toHaveLength(1);
});

test("[FM21] where there is one option, show teaches one number", async () => {
  await program.parley(["up", "--welcome"], { env: { PATH: "/usr/bin:/bin" } });
  const [only] = await own();
  const id = only?.id ?? "";
  expect(only?.questions[0]?.options).toHaveLength(1);
  expect((await program.parley(["show", id])).out).toEndWith(`Answer: parley answer ${id.slice(0, 6)} 1\n`);
});

test("[FM7] up offers the link, makes it, and repeats no advice that was followed", async () => {
  await program.parley(["setup", "--yes"], { env });
  const first = typing(program, ["up"], env);
  await first.type("Link it as ~/.local/bin/parley, so that you can type parley? [Y/n]", "\r");
  const { text: told } = await first.ended();
  expect(linesOf(told)).toContain("✓ Linked: ~/.local/bin/parley");
  const { out } = await program.parley(["up"], {
    env: { ...env, PATH: `${join(program.user, ".local/bin")}:${env["PATH"]}` },
  });
  expect(out).toMatch(
    /^Parley is already running .*\nState: .*\nAfter a reboot: .*\n\nNext: parley review  .*\n      parley open    .*\n$/,
  );
});

describe("the change of settings", () => {
  test("[WE10] the preview is what setup --print shows, and Apply writes exactly that, with a backup named", async () => {
    await Bun.write(settings, '{\n  "model": "opus"\n}\n');
    const ask = await followUp();
    expect(ask.questions[0]).toMatchObject({
      text: "Let Claude Code ask through Parley? This adds 12 hooks to ~/.claude/settings.json.",
      options: [{ label: "Apply" }, { label: "Skip" }],
    });
    const printed = await program.parley(["setup", "claude-code", "--print"], { env });
    expect(`${ask.questions[0]?.options[0]?.preview}\n`).toBe(printed.out);
    const shown = await program.parley(["show", ask.id]);
    expect(shown.out).toContain("│ +++ ");

    const { code } = await answer(ask.id, "Apply");
    expect(code).toBe(0);
    const applied = (await own())[1];
    const backup = readdirSync(join(program.user, ".claude")).find((name) => name.includes("parley-backup"));
    expect(applied?.deliveries[0]?.detail).toBe(
      `Wrote ~/.claude/settings.json (backup: ${backup}); start claude and ask it something`,
    );
    expect(await text(join(program.user, ".claude", backup ?? ""))).toBe('{\n  "model": "opus"\n}\n');
    expect(await text(settings)).toMatch(HOOKED);
    const again = await program.parley(["setup", "claude-code", "--print"], { env });
    expect(again.out).toBe(`Already set up: ${settings}\n`);
  });

  test("[WE11] Skip leaves the settings as they are", async () => {
    const ask = await followUp();
    await answer(ask.id, "Skip");
    expect((await own())[1]).toMatchObject({
      state: "verified",
      deliveries: [{ detail: "skipped; later: parley setup" }],
    });
    expect(await Bun.file(settings).exists()).toBe(false);
  });

  test("[WE12] settings changed since they were shown are left as they are, and that is said", async () => {
    await Bun.write(settings, "{}\n");
    const ask = await followUp();
    await Bun.write(settings, '{ "model": "haiku" }\n');
    const { code, out } = await answer(ask.id, "Apply");
    expect(code).toBe(5);
    expect(out).toContain(`${settings} was changed since the change was shown; it was left as it is.`);
    expect(await text(settings)).toBe('{ "model": "haiku" }\n');
  });

  test("[WE13] settings that cannot be read are a failure in words", async () => {
    await Bun.write(settings, "{ broken");
    await up();
    const { code, out } = await answer((await own())[0]?.id ?? "", "1");
    expect(code).toBe(5);
    expect(out).toContain(`${settings}, line 1, column`);
    expect(await own()).toHaveLength(1);
  });

  test("[WE14] an agent that is set up already is not asked about", async () => {
    await program.parley(["setup", "claude-code", "--yes"], { env });
    await up();
    await answer((await own())[0]?.id ?? "", "1");
    expect(await own()).toMatchObject([{ deliveries: [{ detail: `Claude Code is set up already: ${settings}` }] }]);
  });

  test("[WE15] CLAUDE_CONFIG_DIR says which settings", async () => {
    const folder = join(program.root, "elsewhere");
    env["CLAUDE_CONFIG_DIR"] = folder;
    const ask = await followUp();
    await answer(ask.id, "Apply");
    expect(await text(join(folder, "settings.json"))).toMatch(HOOKED);
    expect(await Bun.file(settings).exists()).toBe(false);
  });

  test("[WE16] an answer the daemon could not act on is acted on by the next one, once", async () => {
    await up();
    const [first] = await own();
    // The daemon dies with the answer on disk; which of the two steps it reached is up to chance.
    const body = { action: "answer" as const, answers: [{ picks: [0] }], surface: "cli" };
    for (let round = 0; round < 3; round++) {
      await program
        .client()
        .call("settleAsk", { id: first?.id ?? "", body })
        .catch(() => undefined);
      await program.kill9();
      // Any command brings it back; nobody says --welcome again.
      await program.parley(["ls"], { env });
    }
    expect(await holds(async () => (await own())[0]?.state === "verified")).toBe(true);
    const asks = await own();
    expect(asks).toHaveLength(2);
    await program.client().call("settleAsk", { id: asks[1]?.id ?? "", body });
    await program.kill9();
    await program.parley(["ls"], { env });
    expect(await holds(async () => (await own())[1]?.state === "verified")).toBe(true);
    expect((await text(settings)).match(/hook claude-code PermissionRequest/g)).toHaveLength(1);
  });
});

describe("parley setup without a name", () => {
  test("[WE20] shows the change of every agent found; without a terminal it changes nothing", async () => {
    const named = await program.parley(["setup", "claude-code", "--print"], { env });
    expect(await program.parley(["setup", "--print"], { env })).toEqual(named);
    expect((await program.parley(["setup"], { env })).code).toBe(2);
    expect(await Bun.file(settings).exists()).toBe(false);
    expect(JSON.parse((await program.parley(["setup", "--yes", "--json"], { env })).out)).toMatchObject({
      applied: true,
    });
    expect(await text(settings)).toMatch(HOOKED);
  });

  test("[WE21] on a terminal it asks before it writes", async () => {
    const screen = typing(program, ["setup"], env);
    const seen = await screen.type("Apply this change? [y/N]", "y\r");
    const { code, text: told } = await screen.ended();
    expect(seen).toContain(`+++ ${settings}\n`);
    expect([code, linesOf(told).some((line) => line.startsWith("✓ Claude Code asks through Parley now"))]).toEqual([
      0,
      true,
    ]);
    expect(await text(settings)).toMatch(HOOKED);
  });

  test("[WE22] where no agent is found it says so and names one", async () => {
    expect(await program.parley(["setup"], { env: { PATH: "/usr/bin:/bin" } })).toEqual({
      code: 3,
      out: "",
      err: expect.stringMatching(
        /^✗ No agent is on your PATH\. Name one: parley setup claude-code, opencode, .* or \S+\n$/,
      ),
    });
  });
});
