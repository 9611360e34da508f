import { expect } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Say } from "../../src/lab/model.ts";
import { question } from "../e2e/api-request.ts";
import { COMMAND } from "../e2e/program.ts";
import { eachVersion, openStage } from "./stage.ts";
import { openTaskStage } from "./task-stage.ts";

const ONLY = "; this comes from inside an agent's session";

eachVersion("where a call comes from", ({ version, it }) => {
  it("[OX16] a task's agent does not call itself done, however it forgets what it is", async () => {
    await using stage = await openTaskStage({ version });
    const out = join(stage.program.root, "said");
    const parley = COMMAND.map((word) => `'${word}'`).join(" ");
    const home = `PARLEY_HOME='${stage.program.home}'`;
    const forget = `unset $(env | cut -d= -f1 | grep -E '^(CLAUDE|PARLEY)')`;
    const tries = [
      `${parley} task done mine`,
      `(${forget}; export ${home}; ${parley} task done mine)`,
      `env -i PATH="$PATH" ${home} ${parley} task cancel mine`,
      `env -i PATH="$PATH" ${home} bash -c "${parley} run more --permission-mode bypassPermissions"`,
      `(env -i PATH="$PATH" ${home} ${parley} open --print)`,
      `env -i PATH="$PATH" ${home} ${parley} down`,
      `${parley} prune --days 0`,
    ].map((command) => `${command} >>'${out}' 2>&1; echo $? >>'${out}'`);
    const command = `export ${home}; ${tries.join("; ")}`;
    const { id } = await stage.run(
      [{ tool: "Bash", id: "toolu_done", input: { command, description: "end it" } }],
      "--name",
      "mine",
      "--permission-mode",
      "bypassPermissions",
      "--review",
    );
    await stage.waits(id, "review");
    expect(readFileSync(out, "utf8").split("\n")).toEqual([
      ...refused("Only a person may mark a task done"),
      ...refused("Only a person may mark a task done"),
      ...refused("Only a person may cancel a task"),
      ...refused("Only a person may give a task the permission mode bypassPermissions"),
      ...refused("Only a person may sign in to the page"),
      ...refused("Only a person may stop Parley"),
      ...refused("Only a person may remove what was asked"),
      "",
    ]);
    // It is the person's own word that ends it.
    expect((await stage.parley("task", "done", "mine")).code).toBe(0);
    expect(await stage.task(id)).toMatchObject({ state: "done", reason: "marked done by you (cli)" });
  });

  it("[OX24] nor does a session in a terminal do what its person does, whom Parley still knows beside it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-try-"));
    const [file, out] = [join(folder, "try.sh"), join(folder, "said")];
    const script: Record<string, Say[]> = {
      try: [{ tool: "Bash", id: "toolu_try", input: { command: `sh ${file}` } }],
    };
    await using stage = await openStage({ version, script });
    const words = COMMAND.map((word) => `'${word}'`).join(" ");
    const parley = `env -i PATH="$PATH" PARLEY_HOME='${stage.program.home}' ${words}`;
    const { id } = await stage.program.client("agent").call("createAsk", { body: { questions: [question()] } });
    const tries = [`${parley} snooze ${id} 1d`, `(${parley} open --print)`, `exec ${parley} down`];
    writeFileSync(file, tries.map((each) => `(${each}) >>'${out}' 2>&1; echo $? >>'${out}'`).join("\n"));
    await stage.claude.prompt("SCENARIO:try");
    const asked = await stage.find((ask) => ask.reachable && ask.kind === "approval");
    await stage.answer(asked.id, "Approve");
    await stage.becomes(asked.id, ({ state }) => state === "verified");
    expect(readFileSync(out, "utf8").split("\n")).toEqual([
      ...refused("Only a person may snooze a question"),
      ...refused("Only a person may sign in to the page"),
      ...refused("Only a person may stop Parley"),
      "",
    ]);
    expect((await stage.program.parley(["snooze", id, "1d"])).code).toBe(0);
    rmSync(folder, { recursive: true });
  });
});

const refused = (sentence: string) => [`✗ ${sentence}${ONLY}`, "77"];
