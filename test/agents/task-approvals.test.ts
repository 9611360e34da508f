import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import { eachVersion } from "./stage.ts";
import { openTaskStage, type TaskStage } from "./task-stage.ts";
import { eventually } from "../patience.ts";

/** What a resumed agent is told holds the command, and so the marker: it makes the call again. */
const bash = (id: string, name: string, then = "") => ({
  tool: "Bash",
  id,
  input: { command: `echo made >> ${name}.txt ${then}`, description: "make a file" },
});
const plan = (id: string) => ({ tool: "ExitPlanMode", id, input: { plan: "# The plan\n\n1. Write it" } });
const made = ({ project }: TaskStage, name: string) => {
  const file = join(project, `${name}.txt`);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};
const heard = ({ model }: TaskStage) => JSON.stringify(model.requests);

eachVersion("a task's permissions", ({ version, it, once, rest }) => {
  it("[TX21] a permission answered in time goes to the process that asked: allowed or denied with words", async () => {
    await using stage = await openTaskStage({ version });
    const yes = await stage.run([bash("toolu_yes", "yes")]);
    const no = await stage.run([bash("toolu_no", "no")]);
    const [allow, deny] = await Promise.all([yes, no].map(({ id }) => stage.waits(id, "approval")));
    expect((await stage.task(yes.id)).pending_questions).toBeUndefined();
    await stage.parley("answer", allow?.id ?? "", "Approve", "--only");
    await stage.parley("answer", deny?.id ?? "", "Deny", "-m", "use another name", "--only");
    for (const { id } of [yes, no])
      expect(await stage.becomes(id, ({ state }) => state === "done")).toMatchObject({ run: 1 });
    expect([made(stage, "yes"), made(stage, "no")]).toEqual(["made\n", ""]);
    expect(await stage.model.waitForToolResult("toolu_no")).toMatchObject({
      isError: true,
      text: "The user does not allow this: use another name",
    });
    for (const ask of [allow, deny])
      await eventually(async () => expect((await stage.ask(ask?.id ?? "")).state).toBe("verified"));
  });

  it("[TX22] nobody allows it in time: the task waits without a process; allowed later, exactly this call is made once", async () => {
    await using stage = await openTaskStage({ version, config: "approval_wait_seconds = 1\n" });
    const again = [bash("toolu_again", "late", "# SCENARIO:again"), bash("toolu_other", "other")];
    stage.script["again"] = again;
    const { id } = await stage.run([bash("toolu_late", "late", "# SCENARIO:again")]);
    const ask = await stage.waits(id, "approval");
    const parked = await stage.parks(id);
    expect(parked).toMatchObject({ waitingFor: "approval" });
    await stage.restart("SIGKILL");
    expect(await stage.task(id)).toMatchObject({ state: "waiting", waitingFor: "approval", parked: true });
    expect(made(stage, "late")).toBe("");
    await stage.parley("answer", ask.id, "Approve");
    // The other call was not allowed by anybody.
    const { asks } = await stage.becomes(id, ({ parked, run }) => parked && run === 2);
    const other = await stage.ask(asks[0] ?? "");
    expect(other.questions[0]?.body).toContain("other.txt");
    expect(await stage.model.waitForToolResult("toolu_late")).toMatchObject({ isError: true });
    await stage.parley("answer", other.id, "Deny");
    await stage.becomes(id, ({ state }) => state === "done");
    expect([made(stage, "late"), made(stage, "other")]).toEqual(["made\n", ""]);
    expect(await stage.model.waitForToolResult("toolu_again")).toMatchObject({ isError: false });
    await eventually(async () => {
      const { out } = await stage.parley("ls", "--all", "--json");
      const settled = (JSON.parse(out) as { asks: AskView[] }).asks.map(({ state, outcome }) => [state, outcome?.type]);
      expect(settled).toEqual([1, 2, 3].map(() => ["verified", "answered"]));
    });
  });

  rest("[TX23] denied after its time: the resumed agent is told so, and nothing is done", async () => {
    await using stage = await openTaskStage({ version, config: "approval_wait_seconds = 0\n" });
    const { id } = await stage.run([bash("toolu_late", "late")]);
    const ask = await stage.waits(id, "approval");
    await stage.parks(id);
    await stage.parley("answer", ask.id, "Deny", "-m", "use another name");
    expect(await stage.becomes(id, ({ state }) => state === "done")).toMatchObject({ run: 2 });
    expect(heard(stage)).toContain("The user does not allow this: use another name");
    await eventually(async () => expect((await stage.ask(ask.id)).state).toBe("verified"));
    expect(made(stage, "late")).toBe("");
  });

  once("[TX25] a plan revised in time stays with the process that handed it in", async () => {
    await using stage = await openTaskStage({ version });
    const { id } = await stage.run([plan("toolu_plan")], "--permission-mode", "plan");
    const ask = await stage.waits(id, "plan");
    await stage.parley("answer", ask.id, "-m", "test first");
    expect(await stage.becomes(id, ({ state }) => state === "done")).toMatchObject({ run: 1 });
    const { text } = await stage.model.waitForToolResult("toolu_plan");
    expect(text).toContain("The user wants the plan revised: test first");
  });

  it("[TX24] a plan accepted after its time is handed in again and begins", async () => {
    await using stage = await openTaskStage({ version, config: "approval_wait_seconds = 0\n" });
    const { id } = await stage.run([plan("toolu_plan")], "--permission-mode", "plan");
    const ask = await stage.waits(id, "plan");
    await stage.parks(id);
    stage.script["otherwise"] = [plan("toolu_again")];
    await stage.parley("answer", ask.id, "1");
    await stage.becomes(id, ({ state }) => state === "done");
    expect(await stage.model.waitForToolResult("toolu_again")).toMatchObject({ isError: false });
    await eventually(async () => expect((await stage.ask(ask.id)).state).toBe("verified"));
  });
});
