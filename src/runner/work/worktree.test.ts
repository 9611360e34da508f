import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRepository, git } from "../../../test/git-repository.ts";
import type { Workdir } from "../../core/task/task.ts";
import { dropWorktree } from "../../machine/worktree/remove.ts";
import { discardWorktree } from "./discard-worktree.ts";
import { addWorktree, planWorktree, restoreWorktree } from "./worktree.ts";

/** A repository and a home of Parley; `planned` is a worktree of a task. */
function createStage() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "parley-worktrees-")));
  const [project, home] = [join(root, "shop"), join(root, "home")];
  createRepository(project, { "readme.md": "one\n" });
  const entry = (name: string, file = "") => join(project, ".git/worktrees", name, file);
  return {
    project,
    entry,
    planned: (id: string): Promise<Workdir> => planWorktree({ home, id, name: "it", cwd: project }),
    /** Somebody's own, beside the repository; as a git leaves it that was killed when it had just begun this file. */
    halfMade(name: string, file: string): void {
      git(project, "worktree", "add", "--quiet", "-b", name, join(root, name));
      writeFileSync(entry(name, file), "");
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

const nameOf = ({ root }: Workdir) => root.split("/").at(-1) ?? "";
const HALF: [file: string, left: string | undefined][] = [
  ["commondir", ""],
  ["commondir", undefined],
  ["gitdir", ""],
  ["HEAD", ""],
  ["HEAD", "000000"],
];

test("[LO2] whatever a killed git left of a worktree of ours, the next one is made, and the half one goes without a trace", async () => {
  using stage = createStage();
  for (const [i, [file, left]] of HALF.entries()) {
    const half = await stage.planned(`${i}aaaaaaaaaaa`);
    await addWorktree(stage.project, half);
    const path = stage.entry(nameOf(half), file);
    if (left === undefined) rmSync(path);
    else writeFileSync(path, left);
    writeFileSync(stage.entry(nameOf(half), "locked"), "initializing");

    const next = await stage.planned(`${i}bbbbbbbbbbb`);
    await addWorktree(stage.project, next);
    expect(readdirSync(next.root)).toContain("readme.md");
    if (left === undefined || file !== "commondir") {
      await discardWorktree(half);
    } else {
      // Once more: the other one may be in the way of this one's end, too.
      writeFileSync(path, left);
      await dropWorktree(next);
      expect(existsSync(stage.entry(nameOf(next)))).toBe(false);
      // It could be made once more: its branch went, too.
      await stage.planned(`${i}bbbbbbbbbbb`);
      writeFileSync(path, left);
      await discardWorktree(half);
      await restoreWorktree(next);
    }
    expect([file, left, existsSync(half.root), existsSync(stage.entry(nameOf(half)))]).toEqual([
      file,
      left,
      false,
      false,
    ]);
    expect(git(stage.project, "branch", "--list", "--format=%(refname:short)", half.branch)).toBe("");
    expect(git(stage.project, "branch", "--list", "--format=%(refname:short)", next.branch)).toBe(next.branch);
  }
});

test("[LO3] a half-made worktree of somebody else is left as it is; who is refused because of it is told which", async () => {
  using stage = createStage();
  stage.halfMade("theirs", "commondir");
  const wanted = await stage.planned("cccccccccccc");
  const refusal: unknown = await addWorktree(stage.project, wanted).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "busy",
    message: expect.stringMatching(
      /^--worktree: \S*\.git\/worktrees\/theirs is half made: a git that was killed left it\. Remove that folder$/,
    ),
  });
  expect(readFileSync(stage.entry("theirs", "commondir"), "utf8")).toBe("");
  rmSync(stage.entry("theirs"), { recursive: true });
  await discardWorktree(wanted);
  await addWorktree(stage.project, wanted);
  expect(readdirSync(wanted.root)).toContain("readme.md");
});

test("[LO4] a worktree that somebody else is just making is no reason to refuse one", async () => {
  using stage = createStage();
  stage.halfMade("theirs", "commondir");
  const bin = mkdtempSync(join(stage.project, "../bin-"));
  // The first one to add meets it half made; then it is whole.
  const whole = `printf '../..\\n' > '${stage.entry("theirs", "commondir")}'`;
  const real = Bun.which("git") ?? "git";
  const text = `#!/bin/sh\n${real} "$@"; code=$?\ncase "$*" in *"worktree add"*) ${whole} ;; esac\nexit $code\n`;
  writeFileSync(join(bin, "git"), text, { mode: 0o755 });
  const before = process.env["PATH"];
  process.env["PATH"] = `${bin}:${before}`;
  try {
    const wanted = await stage.planned("dddddddddddd");
    await addWorktree(stage.project, wanted);
    expect(readdirSync(wanted.root)).toContain("readme.md");
    expect(git(wanted.root, "branch", "--show-current")).toBe(wanted.branch);
  } finally {
    process.env["PATH"] = before;
  }
});
