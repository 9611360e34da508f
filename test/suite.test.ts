import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow, isQuick, LONG, plan, SLEEPS, TICKETS } from "../scripts/suite/plan.ts";
import { runJobs } from "../scripts/suite/run-jobs.ts";
import { root } from "./rules.ts";

test("[SU1] every test file runs in exactly one process, and the quick tier is part of the whole", async () => {
  const files = await filesBelow(root);
  const planned = plan(files, () => 1).flatMap((job) => job.files);
  expect(planned.toSorted()).toEqual(files);
  expect([...SLEEPS, ...LONG].filter((file) => !files.includes(file))).toEqual([]);
  expect(SLEEPS.filter((file) => LONG.includes(file))).toEqual([]);
  expect(files.filter(isQuick).length).toBeGreaterThan(50);
  expect(files.filter((file) => !isQuick(file)).length).toBeGreaterThan(50);
});

test("[SU4] what waits comes first and takes no ticket, then what is long; each folder is in every part of the rest, the larger first", () => {
  const folder = (name: string, count: number) => Array.from({ length: count }, (_, i) => `test/${name}/t${i}.test.ts`);
  const rest = [...folder("web", 4), ...folder("e2e", 8), ...folder("new", 2)];
  const [sleeps = "", long = ""] = [SLEEPS[0], LONG.find((file) => file.includes("/agents/"))];
  const jobs = plan([...rest, long, sleeps], (file) => Number(/\d+/.exec(file)));
  expect(jobs.slice(0, 2).map(({ name, tickets }) => [name, tickets])).toEqual([
    [sleeps, 0],
    [long, 2],
  ]);
  const names = jobs.slice(2).map(({ name }) => name);
  const web = names.filter((name) => name.includes("/web/"));
  expect(web.map((name) => name.slice(0, -".test.ts".length))).toEqual([3, 2, 1, 0].map((i) => `test/web/t${i}`));
  for (const half of [names.slice(0, 7), names.slice(7)])
    expect(["web", "e2e", "new"].map((name) => half.filter((one) => one.includes(`/${name}/`)).length)).toEqual([
      2, 4, 1,
    ]);
});

test("[SU2] no more runs at once than there are tickets; what fails, dies or asserts nothing is counted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-suite-"));
  const body = (lines: string) => `import { expect, test } from "bun:test";\n${lines}`;
  const files = {
    "good.test.ts": `test("[X1] passes", () => expect(1).toBe(1));`,
    "bad.test.ts": `test("[X2] fails", () => expect(1).toBe(2));`,
    "dead.test.ts": `test("[X3] dies", () => process.kill(process.pid, "SIGKILL"));`,
    "skip.test.ts": `test.skip("[X4] skips (skipped: no such tool)", () => expect(1).toBe(1));`,
    "broken.test.ts": `throw new Error("not even loaded");`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), body(text));
  const jobs = Object.keys(files).map((name) => ({ name, files: [name], tickets: TICKETS }));
  let [at, most] = [0, 0];
  const follow = { started: () => (most = Math.max(most, ++at)), ended: () => at-- };
  const ended = await runJobs(folder, jobs, follow, { isIdle: async () => (await Bun.sleep(1), false), end() {} });
  rmSync(folder, { recursive: true });
  const of = (name: string) => ended.find(({ job }) => job.name === name);
  expect(most).toBe(1);
  expect(of("good.test.ts")).toMatchObject({ passed: 1, failed: [], skipped: [] });
  expect(of("bad.test.ts")).toMatchObject({ passed: 0, failed: ["[X2] fails"] });
  expect(of("dead.test.ts")).toMatchObject({ passed: 0, failed: [expect.stringContaining("ended with")] });
  expect(of("skip.test.ts")).toMatchObject({ passed: 0, failed: [], skipped: ["[X4] skips (skipped: no such tool)"] });
  expect(of("broken.test.ts")?.failed).toHaveLength(1);
});

test("[SU5] jobs start in their order, also where a smaller one would fit; one without tickets does not wait for any", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-suite-"));
  writeFileSync(
    join(folder, "good.test.ts"),
    `import { expect, test } from "bun:test"; test("[X1] passes", () => expect(1).toBe(1));`,
  );
  const sizes = [TICKETS, 0, 2, 1, TICKETS, 1];
  const jobs = sizes.map((tickets, i) => ({ name: `job ${i}`, files: ["good.test.ts"], tickets }));
  const happened: string[] = [];
  const follow = {
    started: (job: { name: string }) => happened.push(job.name),
    ended: (end: { job: { name: string } }) => happened.push(`end of ${end.job.name}`),
  };
  await runJobs(folder, jobs, follow, { isIdle: async () => (await Bun.sleep(1), false), end() {} });
  rmSync(folder, { recursive: true });
  expect(happened.filter((line) => !line.startsWith("end"))).toEqual(jobs.map(({ name }) => name));
  expect(happened.slice(0, 2)).toEqual(["job 0", "job 1"]);
  expect(happened.indexOf("end of job 0")).toBeLessThan(happened.indexOf("job 2"));
});

test("[SU3] while the cores are idle one more is started at each look, until twice the tickets are out; none is left alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-suite-"));
  const gate = join(folder, "go");
  const waits = `import { expect, test } from "bun:test"; import { existsSync } from "node:fs";
test("[X1] waits", async () => { while (!existsSync("${gate}")) await Bun.sleep(20); expect(1).toBe(1); });`;
  writeFileSync(join(folder, "waits.test.ts"), waits);
  const jobs = Array.from({ length: 6 }, (_, i) => ({
    name: `job ${i}`,
    files: ["waits.test.ts"],
    tickets: TICKETS / 2,
  }));
  const seen: number[] = [];
  let at = 0;
  const ended = await runJobs(
    folder,
    jobs,
    { started: () => seen.push(++at), ended: () => at-- },
    {
      async isIdle() {
        // All tickets are out twice: one more look may start nothing.
        if (at >= 4) writeFileSync(gate, "");
        await Bun.sleep(1);
        return true;
      },
      end() {},
    },
  );
  rmSync(folder, { recursive: true });
  expect(Math.max(...seen)).toBe(4);
  expect(ended.map(({ passed }) => passed)).toEqual([1, 1, 1, 1, 1, 1]);
});
