import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { missingForLab } from "../../src/lab/requirements.ts";
import { createProgram, type Program, type Ran } from "../e2e/program.ts";
import { VERSION } from "../e2e/doctor-stage.ts";
import { eachVersion } from "./stage.ts";
import { eventually, TEST_MS } from "../patience.ts";

let program: Program;
let temp = "";
beforeEach(() => {
  program = createProgram();
  temp = join(program.root, "temp");
  mkdirSync(temp);
});
afterEach(() => program.dispose());

const agentOf = (version: string) =>
  join(import.meta.dir, `versions/node_modules/claude-code-${version}/bin/claude.exe`);
/** Without the times. */
const stepsOf = ({ out }: Ran) => [...out.matchAll(/^✓ +[\d.]+ s {2}(.+)$/gm)].map(([, words]) => words);
const left = () =>
  Bun.spawnSync(["ps", "axeww", "-o", "stat=,command="])
    .stdout.toString()
    .split("\n")
    .filter((line) => line.includes(`PARLEY_HOME=${temp}/`) && !line.startsWith("Z"));
const text = (question: string, answer: string) =>
  `Your questions have been answered: "${question}"="${answer}". You can now continue with these answers in mind.`;
const [FIRST, SECOND] = ["Which database should we use?", "Which database for the tests?"];
const STEPS = [
  "a Parley with a home and a daemon of its own runs",
  "parley setup claude-code has put the hooks into the agent's settings",
  "Claude Code waits for a prompt in a terminal of its own",
  expect.stringMatching(
    /^Claude Code asks “Which database should we use\?”: its dialog is open, and it is \w{6} in parley ls$/,
  ),
  expect.stringMatching(/^parley answer \w{6} 2: (✓ Claude Code received|… sent) "Postgres"/),
  `the model received: ${text(FIRST, "Postgres")}`,
  "Parley read the same in Claude Code's own transcript: verified",
  expect.stringMatching(
    /^Claude Code asks “Which database for the tests\?”: its dialog is open, and it is \w{6} in parley ls$/,
  ),
  "option 3 is picked in the terminal",
  `the model received: ${text(SECOND, "DuckDB")}`,
  expect.stringMatching(/^Parley closed \w{6}: answered elsewhere, in the terminal$/),
];

function expectReceipt(ran: Ran, version: string): void {
  expect(stepsOf(ran)).toEqual(STEPS);
  const receipt = ran.out.slice(ran.out.indexOf("Receipt\n")).replaceAll(/\d+ ms/g, "TIME");
  expect(receipt).toBe(
    [
      "Receipt",
      `  asked           ${FIRST}`,
      '  sent            "Postgres", with parley answer',
      `  received        ${text(FIRST, "Postgres")}`,
      "  verified        in its own record TIME after the answer; its side had it after TIME",
      '  terminal first  "DuckDB" was picked there; Parley closed the question as answered elsewhere',
      "",
      `Claude Code ${version} works with Parley ${VERSION}.`,
      "",
    ].join("\n"),
  );
  expect([ran.code, ran.err]).toEqual([0, ""]);
}

eachVersion("the live check", ({ version, it }) => {
  it("[DR16] a question is answered from a shell and verified, the next one in the terminal; nothing is left", async () => {
    const ran = await program.parley(["doctor", "--live", "--agent", agentOf(version)], { env: { TMPDIR: temp } });
    expectReceipt(ran, version);
    expect(readdirSync(temp)).toEqual([]);
    await eventually(() => expect(left()).toEqual([]));
    expect(existsSync(program.home)).toBe(false);
  });

  it("[DR11] the doctor reads the version of the real program on the PATH", async () => {
    const bin = join(program.root, "bin");
    mkdirSync(bin);
    symlinkSync(agentOf(version), join(bin, "claude"));
    const { out } = await program.parley(["doctor"], { env: { PATH: `${bin}:/usr/bin:/bin` } });
    expect(out).toContain(`✓ claude-code  Claude Code ${version} (${bin}/claude): race, hold and resume, tested `);
  });
});

const newest = agentOf("2.1.325");
const missing = missingForLab(newest);
const skip = missing !== undefined && process.env["CI"] !== "true";
test.skipIf(skip)(
  `[DR16] the compiled program can do the same, from wherever it lies${skip ? ` (skipped: ${missing})` : ""}`,
  async () => {
    if (missing !== undefined) throw new Error(missing);
    const compiled = join(program.root, "a folder", "parley");
    const root = join(import.meta.dir, "../..");
    const flags = ["--compile", "--minify", "--bytecode", "--format=esm", "--splitting"];
    const main = join(root, "src/main.ts");
    const build = Bun.spawnSync([process.execPath, "build", ...flags, main, "--outfile", compiled], { cwd: root });
    expect(build.exitCode).toBe(0);
    const child = Bun.spawn([compiled, "doctor", "--live", "--agent", newest], {
      cwd: program.user,
      env: { PATH: process.env["PATH"] ?? "", HOME: program.user, TMPDIR: temp, PARLEY_HOME: program.home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expectReceipt({ out, err, code }, "2.1.325");
    expect(readdirSync(temp)).toEqual([]);
    await eventually(() => expect(left()).toEqual([]));
  },
  TEST_MS,
);
