import { afterAll, beforeAll, expect, test } from "bun:test";
import { holds } from "./program.ts";
import { createTaskStage, DATABASE, isWaiting, type TaskStage } from "./tasks-stage.ts";

let stage: TaskStage;
beforeAll(async () => {
  stage = await createTaskStage("park_after_seconds = 1");
});
afterAll(() => stage.dispose());

const withoutTimes = (text: string) => text.replace(/^\d\d:\d\d:\d\d {2}/gm, "").replace(/^── \S+ ──\n/m, "");

test("[TC22] logs -f goes on through all runs, tells when it waits, and ends with the task", async () => {
  const { id } = await stage.run(
    [{ say: "Let me ask." }, { ask: [DATABASE] }, { say: "Thanks." }],
    "--name",
    "followed",
  );
  const following = stage.spawn(["task", "logs", "-f", "followed"], { cwd: stage.project });
  let out = "";
  const reading = (async () => {
    for await (const part of following.stdout.pipeThrough(new TextDecoderStream())) out += part;
  })();
  await stage.becomes(id, (task) => isWaiting(task) && task.parked);
  expect(await holds(() => out.includes("waiting: question") && out.includes("parked until you answer"))).toBe(true);
  const short = id.slice(0, 6);
  const [ask = ""] = (await stage.task(id)).asks;
  await stage.client().call("settleAsk", { id: ask, body: { action: "answer", answers: [{ picks: [1] }] } });
  const [code, err] = await Promise.all([following.exited, following.stderr.text(), reading]);
  const { entries } = await stage.client().call("taskLog", { id });
  const said = withoutTimes(out).split("\n");
  expect([code, err]).toEqual([0, ""]);
  expect(said.slice(0, 3)).toEqual([`▶ ${entries[0]?.detail}`, "  Let me ask.", "? Which database should we use?"]);
  expect(said).toContain("‖ parked until you answer");
  expect(said).toContain(`waiting: question  parley task show ${short} · parley task answer ${short} …`);
  expect(said.slice(-5)).toEqual([
    expect.stringMatching(/^└ .*Which database/),
    "  Thanks.",
    "✓ finished · 3 turns in this run · 13k tokens",
    "done",
    "",
  ]);
});

test("[TC23] run --follow ends with the task: 0 when it is done, 1 when it was not", async () => {
  const done = await stage.type(["run", JSON.stringify([{ say: "Hello." }]), "--follow", "--name", "quick"]);
  expect([done.code, withoutTimes(done.out)]).toEqual([0, expect.stringContaining("\n  Hello.\n")]);
  expect(done.out).toEndWith("\ndone\n");
  const following = stage.type(["run", JSON.stringify([{ ask: [DATABASE] }]), "--follow", "--name", "stopped"]);
  await stage.becomes("stopped", isWaiting);
  await stage.type(["task", "cancel", "stopped"]);
  const cancelled = await following;
  expect(cancelled.code).toBe(1);
  expect(cancelled.out).toEndWith("\ncancelled: cancelled by you (cli)\n");
});

test("[TC24] who stops following leaves the task alone", async () => {
  const { id } = await stage.run([{ ask: [DATABASE] }], "--name", "left");
  await stage.becomes(id, isWaiting);
  const child = stage.spawn(["task", "logs", "-f", "left"], { cwd: stage.project });
  let seen = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream()))
    if ((seen += part).includes("waiting: question")) break;
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  expect(await child.stderr.text()).toBe(
    `It continues without you. Follow it again: parley task logs -f ${id.slice(0, 6)}\n`,
  );
  expect((await stage.task(id)).state).toBe("waiting");
});

test("[TC25] the newest entries alone, with all a call was made with, or as JSON", async () => {
  const call = { call: "Bash", input: { command: "ls -la" }, result: "a\nb" };
  const { id } = await stage.run([call, { say: "Done." }], "--name", "listed");
  await stage.becomes(id, ({ state }) => state === "done");
  const plain = await stage.type(["task", "logs", "listed", "-n", "4"]);
  expect(withoutTimes(plain.out)).toStartWith("● Bash ls -la\n└ a (+1 line)\n  Done.\n✓ finished");
  const full = await stage.type(["task", "logs", "listed", "--full"]);
  expect(full.out).toContain('            {"command":"ls -la"}\n');
  expect(full.out).toContain("            a\n            b\n");
  const { out } = await stage.type(["task", "logs", "listed", "--json"]);
  const { entries } = await stage.client().call("taskLog", { id });
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(entries);
});

test("[TC26] a prompt is read from standard input", async () => {
  const { out } = await stage.type(["run", "-", "--json", "--review"], { stdin: JSON.stringify([{ say: "Read." }]) });
  const { order } = JSON.parse(out) as { order: object };
  expect(order).toMatchObject({ prompt: '[{"say":"Read."}]', review: true, name: '[{"say":"Read."}]' });
});

test("[TC43] what an agent, a name or a file says cannot steer the terminal", async () => {
  const evil = "\u001b[31mred\u001b]0;title\u0007 \u202etxt\u0000\r\nnext";
  const steps = [
    { say: evil },
    { call: `Ba\u001b[2Jsh`, input: { command: evil }, result: evil, isError: true },
    { write: "ev\u001b[31mil.txt", text: evil },
    { say: `${evil}?` },
  ];
  const { id } = await stage.run(steps, "--name", `name ${evil.replaceAll("\u0000", "")}`, "--worktree");
  await stage.becomes(id, isWaiting);
  const env = { COLUMNS: "80" };
  const printed = [
    await stage.type(["tasks"], { env }),
    await stage.type(["task", "show", id], { env }),
    await stage.type(["task", "logs", id, "--full"], { env }),
    await stage.type(["task", "cancel", id], { env }),
    await stage.type(["task", "rm", id], { env }),
  ];
  for (const { code, out, err } of printed) {
    expect(code).toBe(0);
    expect(`${out}${err}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    for (const line of out.split("\n"))
      if (!line.includes("worktrees/")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  }
});
