import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createTaskStage, isDone, type TaskStage } from "../e2e/tasks-stage.ts";

let stage: TaskStage;
let marks: string;
beforeAll(async () => {
  stage = await createTaskStage();
  marks = join(stage.root, "marks");
  mkdirSync(marks);
  plant();
});
afterAll(() => stage.dispose());

/** A program that passes on what it is given and leaves a mark of this name. */
function spy(name: string): string {
  const path = join(stage.root, "spies", name);
  mkdirSync(join(stage.root, "spies"), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n: > '${join(marks, name)}'\nexec cat\n`);
  chmodSync(path, 0o755);
  return path;
}

const ATTRIBUTES = ["* filter=evil diff=evil merge=evil", "*.lfs filter=lfs", "*.big filter=long", ""].join("\n");

/** Every program that a repository can name, in its config, a file that one includes, its hooks and its worktree's config. */
function plant(): void {
  const { project } = stage;
  writeFileSync(join(project, ".gitattributes"), ATTRIBUTES);
  writeFileSync(join(project, "image.lfs"), "pointer\n");
  writeFileSync(join(project, "disk.big"), "big\n");
  writeFileSync(join(project, "lost.txt"), "lost\n");
  stage.git("add", ".");
  stage.git("commit", "--quiet", "--message", "attributes");
  plantSubmodule();

  const included = join(project, ".git/more");
  writeFileSync(
    included,
    `[filter "evil"]\n clean = ${spy("included-clean")}\n smudge = ${spy("included-smudge")}\n required\n`,
  );
  const hooks = join(stage.root, "hooks");
  mkdirSync(hooks);
  for (const name of [
    "post-checkout",
    "reference-transaction",
    "post-index-change",
    "pre-auto-gc",
    "fsmonitor-watchman",
  ])
    for (const folder of [hooks, join(project, ".git/hooks")]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), `#!/bin/sh\n: > '${join(marks, name)}'\n`, { mode: 0o755 });
    }
  appendFileSync(
    join(project, ".git/config"),
    [
      `[include]\n path = ${included}`,
      `[includeIf "gitdir:/**"]\n path = ${included}`,
      `[filter "lfs"]\n smudge = ${spy("lfs-smudge")}\n clean = ${spy("lfs-clean")}`,
      `[filter "long"]\n process = ${spy("long-process")}\n required = true`,
      `[filter "with = and . in it"]\n smudge = ${spy("odd-smudge")}`,
      `[core]\n repositoryformatversion = 1\n hooksPath = ${hooks}\n fsmonitor = ${spy("fsmonitor")}\n sshCommand = ${spy("ssh")}\n pager = ${spy("pager")}`,
      ` editor = ${spy("editor")}\n askPass = ${spy("askpass")}\n gitProxy = ${spy("proxy")}`,
      ` alternateRefsCommand = ${spy("alternate-refs")}`,
      `[pager]\n diff = ${spy("pager-diff")}\n status = ${spy("pager-status")}\n branch = ${spy("pager-branch")}`,
      `[diff]\n external = ${spy("diff-external")}`,
      `[diff "evil"]\n command = ${spy("diff-command")}\n textconv = ${spy("textconv")}`,
      `[merge "evil"]\n driver = ${spy("merge-driver")}`,
      `[hook "evil"]\n command = ${spy("config-hook")}\n event = post-checkout\n event = reference-transaction`,
      `[gpg]\n program = ${spy("gpg")}\n[log]\n showSignature = true\n[commit]\n gpgSign = true`,
      `[credential]\n helper = ${spy("credential")}\n[sequence]\n editor = ${spy("sequence-editor")}`,
      `[alias]\n status = !${spy("alias-status")}\n diff = !${spy("alias-diff")}\n worktree = !${spy("alias-worktree")}`,
      `[extensions]\n partialClone = far\n worktreeConfig = true`,
      `[protocol]\n allow = always\n[protocol "ext"]\n allow = always`,
      `[remote "far"]\n promisor = true\n url = ext::${spy("transport")}\n uploadpack = ${spy("uploadpack")}`,
      "",
    ].join("\n"),
  );
  writeFileSync(join(project, ".git/config.worktree"), `[filter "evil"]\n process = ${spy("worktree-process")}\n`);
  mkdirSync(join(project, ".git/info"), { recursive: true });
  writeFileSync(join(project, ".git/info/attributes"), "*.md filter=evil\n");
}

/** A repository inside of it, with settings of its own, whose file was changed. */
function plantSubmodule(): void {
  const inner = join(stage.project, "inner");
  const git = (...args: string[]) => stage.git("-C", inner, ...args);
  mkdirSync(inner);
  git("init", "--quiet");
  writeFileSync(join(inner, ".gitattributes"), "* filter=inner\n");
  writeFileSync(join(inner, "a.txt"), "a\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "inner");
  stage.git("add", "inner");
  stage.git("commit", "--quiet", "--message", "with a submodule");
  expect(stage.git("ls-files", "--stage", "inner")).toStartWith("160000");
  const [clean, monitor] = [spy("inner-clean"), spy("inner-fsmonitor")];
  appendFileSync(
    join(inner, ".git/config"),
    `[filter "inner"]\n clean = ${clean}\n process = ${spy("inner-process")}\n[core]\n fsmonitor = ${monitor}\n`,
  );
  writeFileSync(join(inner, "a.txt"), "b\n");
}

const ran = () => readdirSync(marks).toSorted();

test("[MX1] no program that a repository names runs when a task gets its worktree, is looked at and is removed", async () => {
  const steps = [
    { write: "readme.md", text: "rewritten\n" },
    { write: "image.lfs", text: "other\n" },
    { write: "disk.big", text: "other\n" },
    { say: "Done." },
  ];
  const { id } = await stage.run(steps, "--worktree", "--name", "guest");
  const { workdir } = await stage.becomes(id, isDone);
  const root = workdir?.root ?? "";
  expect(readFileSync(join(root, "lost.txt"), "utf8")).toBe("lost\n");
  const { diff } = await stage.task(id);
  expect(diff?.paths?.map(({ path }) => path)).toEqual(["disk.big", "image.lfs", "readme.md"]);
  expect((await stage.type(["task", "show", "guest"])).out).toContain("Changed  3 files");
  expect((await stage.type(["task", "rm", "guest"])).out).toContain("3 uncommitted files");

  const clean = await stage.run([{ say: "Done." }], "--worktree", "--name", "clean");
  await stage.becomes(clean.id, isDone);
  const made = (await stage.task(clean.id)).workdir?.root ?? "";
  expect((await stage.type(["task", "rm", "clean"])).out).toBe(`${clean.id.slice(0, 6)}  removed  clean\n`);
  expect(existsSync(made)).toBe(false);
  expect(ran()).toEqual([]);
});

test("[TD16] nor when its work is looked at, applied, merged and discarded", async () => {
  const roots: Record<string, string> = {};
  for (const name of ["forward", "merged"]) {
    const steps = [{ write: `${name}.lfs`, text: "other\n" }, { say: "Done." }];
    const { id } = await stage.run(steps, "--worktree", "--name", name);
    const root = (await stage.becomes(id, isDone)).workdir?.root ?? "";
    const blob = stage.git("-C", root, "hash-object", "-w", "--no-filters", `${name}.lfs`);
    stage.git("-C", root, "update-index", "--add", "--cacheinfo", `100644,${blob},${name}.lfs`);
    const tree = stage.git("-C", root, "write-tree");
    stage.git("-C", root, "update-ref", "HEAD", stage.git("-C", root, "commit-tree", tree, "-p", "HEAD", "-m", name));
    writeFileSync(join(root, `${name}.big`), "big\n");
    roots[name] = root;
  }
  appendFileSync(join(stage.user, ".gitconfig"), "[user]\n name = Somebody\n email = somebody@example.com\n");
  for (const mark of ran()) rmSync(join(marks, mark));
  for (const [name, root] of Object.entries(roots)) {
    expect((await stage.type(["task", "diff", name])).out).toContain("+other\n");
    expect((await stage.type(["task", "apply", name])).err).toBe("");
    expect(readFileSync(join(stage.project, `${name}.lfs`), "utf8")).toBe("other\n");
    expect((await stage.type(["task", "discard", name, "--yes"])).code).toBe(0);
    expect(existsSync(root)).toBe(false);
  }
  expect(ran()).toEqual([]);
  expect(stage.git("cat-file", "-p", "HEAD")).toContain("Merge branch 'parley/merged-");
});

test("[MX3] a filter of the person's own settings still runs, as git-lfs needs it; what the repository made of it does not", async () => {
  const mine = spy("mine");
  writeFileSync(join(stage.user, ".gitconfig"), `[filter "lfs"]\n smudge = ${mine}\n clean = cat\n required = true\n`);
  const { id } = await stage.run([{ say: "Done." }], "--worktree", "--name", "large");
  const { workdir } = await stage.becomes(id, isDone);
  expect(readFileSync(join(workdir?.root ?? "", "image.lfs"), "utf8")).toBe("pointer\n");
  expect(ran()).toEqual(["mine"]);
});

test("[MX2] what a repository does not hold is not fetched from where it says", async () => {
  const blob = stage.git("rev-parse", "HEAD:lost.txt");
  rmSync(join(stage.user, ".gitconfig"));
  for (const mark of ran()) rmSync(join(marks, mark));
  rmSync(join(stage.project, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
  const { code, err } = await stage.type(["run", "x", "--worktree", "--name", "hole"]);
  expect([code, err.startsWith("✗ --worktree: ")]).toEqual([1, true]);
  expect(ran()).toEqual([]);
});
