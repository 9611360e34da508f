import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { LEAVES } from "../../src/core/config/config.ts";
import { problemLine } from "../../src/core/words/problem-line.ts";
import { createConfigFiles } from "../../src/machine/settings/config-file.ts";
import { createProgram } from "../e2e/program.ts";
import { ALL, expectSafe, TEXTS } from "./corpus.ts";
import { PATIENCE_MS, runs } from "./fuzz.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-config-"));
  mkdirSync(join(root, "project/.git"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const files = () => {
  const [user, project] = [join(root, "config.toml"), join(root, "project/.parley.toml")];
  const heard: string[] = [];
  const config = createConfigFiles({
    env: { PARLEY_CONFIG: user },
    cwd: root,
    problems: (_, found) => void heard.push(...found.map(problemLine)),
  });
  return { user, project, config, heard, look: () => config.current(join(root, "project")) };
};

const piece = fc.oneof(
  fc.constantFrom(...LEAVES.map(({ key }) => key), ...TEXTS),
  fc.constantFrom(
    "=",
    "\n",
    "[",
    "]",
    "[[",
    ".",
    '"',
    "'''",
    "#",
    "{",
    "}",
    ",",
    "true",
    "0",
    "-1",
    "1e999",
    "inf",
    "nan",
  ),
  fc.constantFrom(
    "\r\n",
    "\ufeff",
    "1979-05-27",
    "0x",
    '"\\u0000"',
    '"\\ud800"',
    "__proto__",
    "a.".repeat(500),
    "[".repeat(5000),
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);

test(
  "[HO21] settings of any text are read or refused in safe words, and never cost the settings in force",
  async () => {
    const { user, project, look, heard } = files();
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(fc.boolean(), text, async (isUser, written) => {
        writeFileSync(isUser ? user : project, written);
        const { values, problems, entries } = await look();
        expect(values.port).toBeInteger();
        for (const problem of problems) expectSafe(problemLine(problem), JSON.stringify(written));
        expect(entries).toHaveLength(LEAVES.length);
      }),
      runs(300),
    );
    for (const line of heard) expectSafe(line, "problems");
  },
  PATIENCE_MS,
);

test("[HO22] a settings file that is a device, a pipe, a loop, a folder, giant or not text is refused at once", async () => {
  const odd: Record<string, (path: string) => void> = {
    device: (path) => symlinkSync("/dev/zero", path),
    pipe: (path) => void Bun.spawnSync(["mkfifo", path]),
    loop: (path) => symlinkSync(path, path),
    folder: (path) => mkdirSync(path),
    giant: (path) => (writeFileSync(path, "port = 1\n"), truncateSync(path, 8 * 1024 ** 3)),
    bytes: (path) => writeFileSync(path, Buffer.from([0x70, 0xff, 0xfe, 0x00])),
  };
  for (const [name, make] of Object.entries(odd)) {
    for (const scope of ["user", "project"] as const) {
      const { config: _, look, ...paths } = files();
      make(paths[scope]);
      const { problems, values } = await look();
      const here = problems.filter((problem) => problem.file === paths[scope]);
      expect([name, scope, here.length, values.retention.days]).toEqual([name, scope, 1, 0]);
      expectSafe(problems.map(problemLine).join(), name);
      rmSync(paths[scope], { recursive: true, force: true });
    }
  }
});

test("[HO23] a project's settings that lead to a file outside say nothing of what is in it", async () => {
  const secret = join(root, "secret");
  for (const text of ["TOPSECRET\n", 'notify.webhook.url = "http://TOPSECRET.example/"\n', 'TOPSECRET = "x"\n']) {
    writeFileSync(secret, text);
    const { project, look } = files();
    rmSync(project, { force: true });
    symlinkSync(secret, project);
    const { problems } = await look();
    expect(problems).not.toEqual([]);
    if (!text.startsWith("TOPSECRET =")) expect(JSON.stringify(problems)).not.toContain("TOPSECRET");
  }
});

test("[HO24] hostile settings and paths steer nothing, in words and in JSON", async () => {
  const program = createProgram();
  const cwd = join(program.user, `w ${ALL.replaceAll(/[\0/]/g, "").toWellFormed().slice(0, 60)}`);
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, ".parley.toml"), `"\u009b31m\u202e" = 1\n[notify]\nenabled = "\u202eX"\n`);
  for (const args of [["config"], ["config", "--json"], ["doctor"], ["doctor", "--json"]]) {
    const { out, err } = await program.parley(args, { cwd });
    expectSafe(out + err, args.join(" "));
    if (args.includes("--json")) JSON.parse(out);
  }
  await program.dispose();
});
