import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS } from "../../src/agents/agents.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
let env: Record<string, string>;
beforeAll(async () => {
  program = createProgram();
  await program.start();
  const [home, bin] = [join(program.root, "somebody"), join(program.root, "somebodys-bin")];
  for (const folder of [home, bin]) mkdirSync(folder);
  // Only what it says of its version is asked of it.
  writeFileSync(join(bin, "opencode"), "#!/bin/sh\necho 1.18.33\n");
  writeFileSync(join(bin, "codex"), "#!/bin/sh\necho codex-cli 9.9.9\n");
  for (const name of ["opencode", "codex"]) chmodSync(join(bin, name), 0o755);
  env = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), PATH: `${bin}:/usr/bin:/bin` };
});
afterAll(() => program.dispose());

type Row = { name: string; version: string | null; setUp: boolean; standing: string | null; lastQuestion: unknown };
const rows = async () =>
  (JSON.parse((await program.parley(["agents", "--json"], { env })).out) as { agents: Row[] }).agents;
const row = async (name: string) => (await rows()).find((each) => each.name === name);

test("[AX1] every agent is listed: installed or not, its version, whether that is known to work", async () => {
  expect((await rows()).map(({ name }) => name)).toEqual(AGENTS.filter(({ doctor }) => doctor).map(({ name }) => name));
  expect(await row("opencode")).toMatchObject({ version: "1.18.33", setUp: false, standing: "works" });
  expect(await row("codex")).toMatchObject({ version: "9.9.9", standing: "untried" });
  expect(await row("claude-code")).toMatchObject({ path: null, version: null, standing: null });
  const { out } = await program.parley(["agents"], { env });
  expect(out).toMatch(/opencode +1\.18\.33 +not set up, known to work/);
  expect(out).toMatch(/Claude Code +not installed/);
  expect(out).toContain("Set it up: parley setup opencode");
  expect(out).toContain("Prove it here: parley doctor --live --agent codex");
});

test("[AX2] what an agent asked last is told, and its questions are listed alone", async () => {
  await program.parley(["setup", "opencode", "--yes"], { env });
  expect((await program.parley(["agents"], { env })).out).toMatch(
    /opencode .* set up, known to work +has not asked yet/,
  );
  const { id } = await program.client("agent").call("createAsk", {
    body: {
      questions: [
        {
          question: "Which\x1b[31m port?",
          header: "Port",
          multiSelect: false,
          options: [
            { label: "1", description: "one" },
            { label: "2", description: "two" },
          ],
        },
      ],
      origin: { agent: "opencode" },
    },
  });
  expect(await row("opencode")).toMatchObject({ setUp: true, lastQuestion: { id } });
  const { out } = await program.parley(["agents"], { env });
  expect(out).toMatch(/opencode .* set up, known to work +\S.*: Which/);
  expect(out).toContain("port?");
  expect(out).not.toContain("\x1b[31m");
  const listed = async (agent: string) => (await program.parley(["ls", "--agent", agent], { env })).out;
  expect(await listed("opencode")).toContain("port?");
  expect(await listed("codex")).toContain("Nothing waits for you");
});

test("[AX3] what is installed is told without a daemon too", async () => {
  await program.parley(["down"], { env });
  expect(await row("opencode")).toMatchObject({ version: "1.18.33", setUp: true, lastQuestion: null });
});
