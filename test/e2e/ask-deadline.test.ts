import { afterEach, beforeEach, expect, test } from "bun:test";
import { asked, asking, DEPLOY } from "./ask-asking.ts";
import { linesOf } from "./cli-words.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
beforeEach(async () => {
  program = createProgram();
  await program.start();
});
afterEach(() => program.dispose());
const get = (id: string) => program.client().call("getAsk", { id });
const EXPIRED = "✗ expired: no answer within 300 ms\n";
const CHOOSE = ["--on-timeout", "choose=2"];
/** Longer than any test: only the end of a deadline before it can be seen. */
const LATE = ["--timeout", "1h"];
const SOON = ["--timeout", "300ms"];

test("[AS20] a question that nobody answers in its time expires, and says so", async () => {
  expect(await program.parley(["ask", ...DEPLOY, ...SOON])).toEqual({ code: 11, out: "", err: EXPIRED });
  const { out } = await program.parley(["ls", "--done"]);
  expect(out).toContain("✗ expired: no answer within 300 ms");
});

test("[AS21] with choose=N the stated option is taken, by a rule and not by a person", async () => {
  const { code, out, err } = await program.parley(["ask", ...DEPLOY, ...SOON, ...CHOOSE, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out).outcome).toMatchObject({
    type: "answered",
    answers: [{ picks: [1] }],
    actor: { type: "rule", surface: "timeout", name: "on-timeout" },
    reason: "no answer within 300 ms",
  });
  const decisions = await program.parley(["decisions"]);
  expect(decisions.out).toContain("→ No  — rule on-timeout (no answer within 300 ms)");
});

test("[AS22] an answer in time is the answer; a deadline set aside changes nothing later", async () => {
  const { id, ended } = await asking(program, [...DEPLOY, ...LATE, ...CHOOSE]);
  await program.parley(["answer", id, "1"]);
  expect(await ended).toEqual({ code: 0, out: "Yes\n", err: "" });
});

test.each([
  [[], { code: 11, out: "", err: EXPIRED }],
  [CHOOSE, { code: 0, out: "No\n", err: "" }],
])(
  "[AS23] a deadline that passes while the daemon is down, killed, is kept when it is back %j",
  async (policy, told) => {
    const id = await asked(program, ...DEPLOY, ...SOON, ...policy);
    const { deadline } = await get(id);
    await program.kill9();
    await holds(() => Date.now() > (deadline?.at ?? 0));
    expect(await program.parley(["wait", id])).toEqual(told);
  },
);

test.each(["kill9", "terminate"] as const)("[AS24] a deadline still to come survives a restart (%s)", async (end) => {
  const [late, soon] = [await asked(program, ...DEPLOY, ...LATE), await asked(program, ...DEPLOY, "--timeout", "3s")];
  const before = await get(soon);
  await program[end]();
  await program.start();
  const after = await get(soon);
  expect(after.deadline).toEqual(before.deadline);
  expect(await program.parley(["wait", soon])).toMatchObject({ code: 11 });
  expect((await get(soon)).outcome?.at).toBeGreaterThanOrEqual(before.deadline?.at ?? Infinity);
  expect((await get(late)).state).toBe("open");
});

test("[AS25] an answer in the same instant as the deadline: one of them wins, and both sides hear the same", async () => {
  for (let round = 0; round < 8; round++) {
    const id = await asked(program, ...DEPLOY, "--timeout", "150ms", ...(round % 2 ? CHOOSE : []));
    const { deadline } = await get(id);
    await holds(() => Date.now() >= (deadline?.at ?? 0) - 3);
    const body = { action: "answer" as const, answers: [{ picks: [0] }] };
    const person = await program
      .client()
      .call("settleAsk", { id, body })
      .then(
        () => "won",
        ({ code }) => String(code),
      );
    const { outcome } = await program.client("agent").call("receiveAnswer", { id, query: { wait: 10_000 } });
    const winner = outcome?.actor.type === "person";
    expect(person).toBe(winner ? "won" : "already_settled");
    const { events } = await program.client().call("readLog", { query: { ask: id } });
    expect(events.filter(({ type }) => ["ask.settled", "ask.closed"].includes(type))).toHaveLength(1);
  }
});

test("[AS26] who comes after the deadline is told what happened", async () => {
  await program.parley(["ask", ...DEPLOY, ...SOON]);
  const { asks } = await program.client().call("listAsks", { query: { state: "done" } });
  expect(await program.parley(["answer", asks[0]?.id ?? "", "1"])).toEqual({ code: 4, out: EXPIRED, err: "" });
});

test("[AS27] Ctrl-C ends the waiting, not the question; wait gets the answer", async () => {
  const { id, child, ended } = await asking(program);
  child.kill("SIGINT");
  expect((await ended).out).toBe("");
  expect(await holds(async () => !(await get(id)).reachable)).toBe(true);
  expect((await get(id)).state).toBe("open");
  expect((await program.parley(["answer", id, "2"])).out).toBe(
    '… saved: "No"; shell script has not picked it up yet\n',
  );
  expect(await program.parley(["wait", id])).toEqual({ code: 0, out: "No\n", err: "" });
});

test.each(["kill9", "terminate"] as const)("[AS28] who waits goes on waiting across a restart (%s)", async (end) => {
  const { id, ended } = await asking(program);
  const { pid } = program.registration().process;
  await program[end]();
  expect(await holds(async () => (await get(id)).reachable)).toBe(true);
  expect(program.registration().process.pid).not.toBe(pid);
  await program.parley(["answer", id, "1"]);
  expect(await ended).toEqual({ code: 0, out: "Yes\n", err: "" });
});

test("[AS29] what is asked while the daemon restarts is asked once", async () => {
  const asks = Array.from({ length: 6 }, () => program.parley(["ask", ...DEPLOY, "--no-wait"]));
  await program.kill9();
  const made = await Promise.all(asks);
  expect(made.map(({ code, err }) => [code, err])).toEqual(made.map(() => [0, ""]));
  const { out } = await program.parley(["ls", "--json"]);
  const open = (JSON.parse(out) as { asks: { id: string }[] }).asks.map(({ id }) => id);
  expect(open.toSorted()).toEqual(made.map(({ out: id }) => linesOf(id)[0] ?? "").toSorted());
});
