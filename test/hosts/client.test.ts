import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram, type Program, UNTIL_STARTED } from "../e2e/program.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { args, askOf, ONE, toolOf } from "./asking.ts";
import { createScratchProject, type Scratch } from "./scratch.ts";

setDefaultTimeout(TEST_MS);
const node = Bun.which("node") ?? "node";
const root = join(import.meta.dir, "../..");

let scratch: Scratch;
beforeAll(() => void (scratch = createScratchProject()));
afterAll(() => scratch[Symbol.dispose]());

/** Every program of the page, and what the page says that it prints. */
const EXAMPLES = [
  ...readFileSync(join(root, "docs/client.md"), "utf8").matchAll(/^```js\n([^]*?)^```$[^]*?^```\n([^]*?)^```$/gm),
].map(([, code = "", output = ""]) => ({ code, output }));
const [first, follow, late, form] = EXAMPLES;

test.each([
  ["first", first],
  ["late", late],
  ["form", form],
] as const)("[CN1] the page's program runs on plain Node and prints what the page says: %s", async (name, example) => {
  await using program = aProgram();
  await program.start();
  const asked = toolOf(program).execute("1", ONE);
  await askOf(program, undefined, ({ reachable }) => reachable);
  const host = run(program, name, example?.code ?? "");
  expect(known(await host.stdout.text())).toBe(known(example?.output ?? ""));
  expect(await host.exited).toBe(0);
  const { details } = await asked;
  expect(details.answers).toEqual({ Database: name === "form" ? "Postgres" : "SQLite" });
});

test("[CN2] it follows what happens through a killed daemon: nothing is missed, nothing comes twice", async () => {
  await using program = aProgram();
  await program.start();
  const host = run(program, "follow", follow?.code ?? "");
  const lines = collect(host.stdout);
  await eventually(() => expect(lines()).toContain("connected"));
  const asked = toolOf(program).execute("1", ONE);
  const { id } = await askOf(program, undefined, ({ reachable }) => reachable);
  await eventually(() => expect(lines()).toContain("asked: Which database?"));
  await program.kill9();
  await eventually(() => expect(lines()).toContain("reconnecting"));
  await program.start();
  await eventually(() => expect(lines().filter((line) => line === "connected")).toHaveLength(2));
  await program.parley(["answer", id, "1"]);
  await asked;
  await eventually(() => expect(known(lines().join("\n"))).toBe(known(follow?.output.trimEnd() ?? "")));
  host.kill();
});

test("[CN3] the form checks an answer of several questions on Node, and loads nothing for it", async () => {
  const code = `
    import * as form from "parley-inbox/form";
    const { questions } = ${JSON.stringify(args())};
    const asked = questions.map(({ question: text, ...rest }) => ({ text, ...rest }));
    let state = form.openForm(asked);
    state = form.stepOn(form.pickRow(state, 0));
    state = form.stepOn(form.typeOther(form.pickRow(state, 1), "mine"));
    console.log(state.phase, JSON.stringify(form.answers(state)), form.describeAnswers(asked, form.answers(state)));
    console.log(form.stepOn(state).phase, form.checkAnswers(asked, [{ picks: [7] }]).problems.length);
  `;
  writeFileSync(join(scratch.dir, "form-only.mjs"), code);
  const loud = { NODE_DEBUG: "esm", PATH: process.env["PATH"] ?? "" };
  const host = Bun.spawn([node, "form-only.mjs"], { cwd: scratch.dir, env: loud, stdio: ["ignore", "pipe", "pipe"] });
  const [out, debug] = await Promise.all([host.stdout.text(), host.stderr.text()]);
  expect(out).toBe('review [{"picks":[0]},{"picks":[1],"text":"mine"}] SQLite; A, B, mine\nsubmitted 2\n');
  expect(debug).toContain("parley-inbox/dist/library/core/form/form.js");
  expect(debug).not.toContain("zod");
});

test("[CN4] where it may, a call from Node starts the daemon; where not, it says what is missing", async () => {
  await using program = aProgram();
  const code = (more: string) => `
    import { connect } from "parley-inbox/client";
    const inbox = connect({ surface: "my-panel"${more} });
    console.log(await inbox.list().then(({ asks }) => asks.length, ({ code, message }) => code + ": " + message));
  `;
  const without = run(program, "away", code(""));
  expect(await without.stdout.text()).toBe("daemon_unreachable: Parley is not running. Start it: parley up\n");
  // The package has its program and Bun in it; the tarball here only the library.
  const bin = join(scratch.dir, "node_modules/parley-inbox/bin");
  mkdirSync(bin);
  symlinkSync(join(root, "bin/parley"), join(bin, "parley"));
  const starting = run(program, "starting", code(", startsDaemon: true"));
  expect(await starting.stdout.text()).toBe("0\n");
  expect((await program.parley(["status"])).code).toBe(0);
  await program.parley(["down"]);
  const stopped = run(program, "starting", code(", startsDaemon: true"));
  expect(await stopped.stdout.text()).toStartWith("daemon_stopped: ");
});

test("[CN6] whoever stops listening has no line open, and ends", async () => {
  await using program = aProgram();
  await program.start();
  const code = `
    import { connect } from "parley-inbox/client";
    const inbox = connect({ surface: "my-panel" });
    const stop = new AbortController();
    for await (const { seq } of inbox.events({ after: 0 })) { console.log(seq); break; }
    setTimeout(() => stop.abort(), 50);
    for await (const { seq } of inbox.events({ signal: stop.signal })) console.log(seq);
    console.log("end");
  `;
  const asked = toolOf(program).execute("1", ONE);
  const { id } = await askOf(program, undefined, ({ reachable }) => reachable);
  const host = run(program, "leaving", code);
  expect(await host.stdout.text()).toBe("1\nend\n");
  expect(await host.exited).toBe(0);
  await program.parley(["answer", id, "1"]);
  await asked;
});

test("[CN5] its types say what comes back, without Parley's or Bun's own", async () => {
  writeFileSync(join(scratch.dir, "surface.ts"), TYPES);
  const flags = "--noEmit --strict --skipLibCheck --module nodenext --target es2023".split(" ");
  const tsc = Bun.spawn([join(scratch.dir, "node_modules/typescript/bin/tsc"), ...flags, "--types", "", "surface.ts"], {
    cwd: scratch.dir,
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(await tsc.stdout.text()).toBe("");
});

const TYPES = `
import { connect, type AskView, type LogEvent, ParleyError } from "parley-inbox/client";
import { answers, type FormState, openForm, prefillFor } from "parley-inbox/form";

const inbox = connect({ surface: "mine" });
export async function first(): Promise<string> {
  const { asks, next, seq }: { asks: AskView[]; next?: string | undefined; seq: number } = await inbox.list({ limit: 3 });
  const [ask] = asks;
  if (!ask) return next ?? String(seq);
  const prefill = prefillFor(ask);
  const form: FormState = openForm(ask.questions, prefill ? { prefill } : {});
  const settled = await inbox.settle(ask.id, { action: "answer", answers: answers(form) });
  for await (const event of inbox.events({ after: seq })) {
    const { type }: LogEvent = event;
    return type;
  }
  // @ts-expect-error a mistyped action
  await inbox.settle(ask.id, { action: "anser" }).catch((error: ParleyError) => error.problems[0]?.field);
  const cost: number | undefined = (await inbox.tasks())[0]?.elapsedMs;
  const status: { version: string } = await inbox.call("status");
  return settled.sentence + cost + status.version;
}
`;

function aProgram(): Program & AsyncDisposable {
  const program = createProgram();
  return { ...program, [Symbol.asyncDispose]: () => program.dispose() };
}

function run(program: Program, name: string, code: string): Bun.Subprocess<"ignore", "pipe", "inherit"> {
  const file = `${name}.mjs`;
  writeFileSync(join(scratch.dir, file), code);
  return Bun.spawn([node, file], {
    cwd: scratch.dir,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: program.user,
      PARLEY_HOME: program.home,
      PARLEY_PORT: "0",
      ...UNTIL_STARTED,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The lines that came so far. */
function collect(stream: ReadableStream<Uint8Array>): () => string[] {
  let text = "";
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  })();
  return () => text.split("\n").slice(0, -1);
}

/** Ids and times are others each time. */
const known = (text: string) => text.replace(/^[a-z0-9]{6,} /gm, "<id> ").replace(/\(\S+ m?s\)/g, "(<time>)");
