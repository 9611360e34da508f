import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { git } from "../git-repository.ts";
import { createProgram } from "./program.ts";
import { createTaskStage, isDone, type TaskStage } from "./tasks-stage.ts";

let stage: TaskStage;
beforeAll(async () => {
  stage = await createTaskStage();
});
afterAll(() => stage.dispose().catch(() => undefined));

type Found = { things: { kind: string; path: string; kept?: string; removed: boolean }[] };
const MINE = '{\n  "model": "opus"\n}\n';
const put = (path: string, text: string) => (mkdirSync(dirname(path), { recursive: true }), writeFileSync(path, text));

test("[TD19] uninstall shows all that Parley put anywhere, takes it out, and leaves the state and work to be asked about apart", async () => {
  const at = (...parts: string[]) => join(stage.user, ...parts);
  const [settings, shared] = [at(".claude/settings.json"), join(stage.project, ".claude/settings.json")];
  const elsewhere = at("other/settings.json");
  for (const path of [settings, shared, elsewhere]) put(path, MINE);
  const other = { env: { CLAUDE_CONFIG_DIR: at("other") } };
  expect((await stage.type(["setup", "claude-code", "--yes"])).code).toBe(0);
  expect((await stage.type(["setup", "claude-code", "--yes"], other)).code).toBe(0);
  expect((await stage.type(["setup", "claude-code", "--project", "--yes"])).code).toBe(0);
  expect((await stage.type(["setup", "opencode", "--yes"])).code).toBe(0);
  const plugin = at(".config/opencode/plugin/parley.js");
  const [opencode, pi] = [at(".config/opencode/opencode.json"), at(".pi/agent/settings.json")];
  put(opencode, '{ "plugin": ["mine", "parley-opencode"] }\n');
  put(pi, '{ "packages": ["npm:parley-inbox@0.1.0"] }\n');
  const link = at(".local/bin/parley");
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(stage.paths.program, link);
  const service = at(".config/systemd/user/parley.service");
  put(service, `[Service]\nExecStart=${stage.paths.program} serve\n`);
  const called = join(stage.root, "systemctl-called");
  put(join(stage.root, "bin/systemctl"), `#!/bin/sh\necho "$@" >> ${called}\n`);
  chmodSync(join(stage.root, "bin/systemctl"), 0o755);
  // Hooks of another home, and things that only look like Parley's.
  const strange = at("strange/.claude/settings.json");
  git(stage.user, "init", "-q", "strange");
  put(strange, MINE);
  const setUp = await stage.type(["setup", "claude-code", "--project", "--yes"], {
    cwd: at("strange"),
    env: { PARLEY_HOME: join(stage.root, "second") },
  });
  expect(setUp.code).toBe(0);
  const strangeText = readFileSync(strange, "utf8");
  put(`${settings}.parley-backup-mine`, "mine");
  put(join(stage.home, "of-mine.txt"), "mine");
  const full = await stage.run([{ write: "new.txt", text: "x\n" }, { say: "Done." }], "--worktree", "--name", "full");
  const empty = await stage.run([{ say: "Done." }], "--worktree", "--name", "empty");
  const [kept, gone] = [await stage.becomes(full.id, isDone), await stage.becomes(empty.id, isDone)];

  const where = { cwd: at("strange") };
  const printed = JSON.parse((await stage.type(["uninstall", "--print", "--json"], where)).out) as Found;
  expect(printed.things.map(({ kind, path }) => `${kind} ${path.replace(stage.root, "")}`).toSorted()).toEqual(
    [
      "hooks /user/.claude/settings.json",
      "hooks /user/shop/.claude/settings.json",
      "hooks /user/other/settings.json",
      "hooks /user/strange/.claude/settings.json",
      "plugin /user/.config/opencode/plugin/parley.js",
      "plugin /user/.config/opencode/opencode.json",
      "plugin /user/.pi/agent/settings.json",
      ...backups([settings, shared, elsewhere]).map((path) => `backup ${path.replace(stage.root, "")}`),
      "service /user/.config/systemd/user/parley.service",
      "link /user/.local/bin/parley",
      "launcher /home/bin/parley",
      `worktree ${kept.workdir?.root.replace(stage.root, "")}`,
      `worktree ${gone.workdir?.root.replace(stage.root, "")}`,
      "state /home",
      "settings /config.toml",
    ].toSorted(),
  );
  expect(printed.things.filter(({ removed }) => removed)).toEqual([]);
  const unasked = await stage.type(["uninstall"]);
  expect([unasked.code, unasked.err]).toEqual([2, "✗ Nothing was removed: add --yes, or --print to only see it\n"]);

  const done = await stage.type(["uninstall", "--yes"], where);
  expect([done.err, done.code]).toEqual(["", 0]);
  expect(done.out).toContain("Parley put this here:\n");
  for (const path of [settings, shared, elsewhere]) expect(readFileSync(path, "utf8")).toBe(MINE);
  expect(readFileSync(strange, "utf8")).toBe(strangeText);
  expect(readFileSync(opencode, "utf8")).toBe('{ "plugin": ["mine"] }\n');
  expect(readFileSync(pi, "utf8")).toBe('{ "packages": [] }\n');
  expect(backups([settings, shared, elsewhere])).toEqual([]);
  for (const path of [plugin, service, stage.paths.program]) expect([path, existsSync(path)]).toEqual([path, false]);
  expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined();
  expect(readFileSync(called, "utf8")).toBe("--user disable --now parley.service\n--user daemon-reload\n");
  expect([existsSync(stage.paths.database), existsSync(`${settings}.parley-backup-mine`)]).toEqual([true, true]);

  await stage.start();
  const rest = await stage.type(["uninstall", "--yes", "--state", "--json"], where);
  expect(rest.code).toBe(0);
  const { things } = JSON.parse(rest.out) as Found;
  expect(things.find(({ path }) => path === kept.workdir?.root)).toMatchObject({
    kept: "1 uncommitted file",
    removed: false,
  });
  expect(readdirSync(stage.home).toSorted()).toEqual(["of-mine.txt", "worktrees"]);
  expect(readFileSync(join(kept.workdir?.root ?? "", "new.txt"), "utf8")).toBe("x\n");
  expect([existsSync(gone.workdir?.root ?? ""), existsSync(join(stage.root, "config.toml"))]).toEqual([false, false]);
  // Nothing is found any more but what stays, and nothing was started for it.
  const last = JSON.parse((await stage.type(["uninstall", "--print", "--json"], { cwd: stage.user })).out) as Found;
  expect(last.things.map(({ kind }) => kind)).toEqual(["worktree"]);
  expect(readdirSync(stage.home).toSorted()).toEqual(["of-mine.txt", "worktrees"]);

  function backups(paths: string[]): string[] {
    return paths.flatMap((path) =>
      readdirSync(dirname(path))
        .filter((name) => /\.parley-backup-\d/.test(name))
        .map((name) => join(dirname(path), name)),
    );
  }
});

test("[SX32] what is said to stay or to go is what does, in its own size", async () => {
  const program = createProgram();
  await using after = new AsyncDisposableStack();
  after.defer(() => program.dispose());
  await program.start();
  const copy = join(program.paths.programs, "0123456789abcdef", "bun");
  put(copy, "x".repeat(5 * 1024 * 1024));
  const seen = async (...args: string[]) => (await program.parley(["uninstall", ...args])).out;
  const stays = await seen("--print");
  expect(stays).toContain("This stays, unless you say so:\n  state ");
  expect(stays).toMatch(/questions, answers, tasks and logs, [\d.]+ KiB\n/);
  const goes = await seen("--yes", "--state");
  expect(goes).toContain("Kept by Parley, and deleted too:\n  state ");
  expect(goes).not.toContain("stays");
  expect([existsSync(copy), existsSync(program.home)]).toEqual([false, false]);
});
