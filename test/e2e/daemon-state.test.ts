import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rotatedFiles } from "../../src/machine/file/rotating-file.ts";
import { question } from "./api-request.ts";
import { eventually } from "../patience.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
beforeEach(() => (program = createProgram()));
afterEach(() => program.dispose());

/** Everything a daemon leaves in its home, beside what it makes anew each time. */
const FILES = [
  "agents.json",
  "autopilot.json",
  "bin",
  "bin/parley",
  "brain",
  "browsers.json",
  "conversations",
  "daemon.json",
  "daemon.lock",
  "daemon.log",
  "daemon.sock",
  "metrics.json",
  "notify.db",
  "parley.db",
  "tasks",
  "trusted.json",
  "watched-panes.json",
  "worktrees",
];
const isRoot = process.getuid?.() === 0;
const text = (content: string) => (path: string) => put(path, () => writeFileSync(path, content, { mode: 0o600 }));
const SHAPES: Record<string, (path: string) => void> = {
  "an empty file": text(""),
  "half a file": text('{"tokens": {"hu'),
  "an array": text("[1]"),
  "a number": text("7"),
  null: text("null"),
  "wrong types": text('{"tokens":{"human":1},"all":"x","process":5,"seq":"a","sessions":[],"pid":"x"}'),
  "a huge file": (path) => put(path, () => (writeFileSync(path, "{"), truncateSync(path, 2 ** 32))),
  "a folder": (path) => put(path, () => mkdirSync(join(path, "inner"), { recursive: true, mode: 0o700 })),
  ...(!isRoot && { "no permission": (path: string) => (text("{}")(path), chmodSync(path, 0)) }),
};

function put(path: string, make: () => void): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  make();
}

/** `bin` once by itself: what stands in it is spoilt with it. */
const ROUNDS = [["bin"], FILES.filter((name) => name !== "bin")];

test.each(Object.entries(SHAPES))(
  "[EN13] %s under the name of every file of the home: the daemon starts, says what it set aside, and goes on",
  async (_shape, spoil) => {
    await program.start();
    for (const names of ROUNDS) {
      await program.terminate();
      for (const name of names) spoil(join(program.home, name));
      const { code, err } = await program.parley(["up"]);
      expect([names, code, err]).toEqual([names, 0, ""]);
      const { id } = await program.client("agent").call("createAsk", { body: { questions: [question()] } });
      const { asks } = await program.client().call("listAsks", { query: { state: "open" } });
      expect(asks.map((ask) => ask.id)).toContain(id);
      await eventually(() => {
        const said = rotatedFiles(program.paths.log).map((path) => readFileSync(path, "utf8"));
        for (const name of readdirSync(program.home).filter((each) => /(json|brain|tasks)\.set-aside/.test(each)))
          expect(said.join("")).toContain(name);
      });
    }
    const json = FILES.filter((name) => name.endsWith(".json"));
    const isAside = (file: string) => readdirSync(program.home).some((name) => name.startsWith(`${file}.set-aside-`));
    await eventually(() => expect(json.filter((file) => !isAside(file))).toEqual([]));
  },
);

test("[EN14] panes that are of another shape are set aside, and none is watched", async () => {
  await program.start();
  await program.terminate();
  writeFileSync(program.paths.panes, '{"server": "/tmp/x", "id": "%1"}', { mode: 0o600 });
  await program.start();
  expect(await program.client().call("listPanes")).toEqual({ panes: [] });
  const kept = readdirSync(program.home).find((name) => name.startsWith("watched-panes.json.set-aside-")) ?? "";
  expect(readFileSync(join(program.home, kept), "utf8")).toBe('{"server": "/tmp/x", "id": "%1"}');
  const { out } = await program.parley(["logs", "--level", "warn"]);
  expect(out).toContain("set aside: it is not what Parley keeps there");
  expect(out).toContain('why="it has another shape"');
  expect((await program.parley(["doctor"])).out).toContain(`${kept} was set aside: it was not what Parley keeps there`);
});

test("[EN15] whoever stopped the autopilot keeps it stopped, also when the file that says so is spoilt", async () => {
  await program.start();
  await program.terminate();
  writeFileSync(program.paths.pauses, "[", { mode: 0o600 });
  for (let i = 0; i < 2; i++) {
    await program.start();
    expect(await program.client().call("autopilot")).toMatchObject({ paused: { all: 0 } });
    await program.terminate();
  }
});
