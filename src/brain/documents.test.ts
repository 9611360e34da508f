import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { commit, createRepository, git, write } from "../../test/git-repository.ts";
import { createDocuments } from "./documents.ts";

const NAMES = ["ROADMAP.md", "STATE.md", "CONTEXT.md"];
let root: string;
let project: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-documents-"));
  project = join(root, "project");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const read = async (at: string, names: readonly string[] = NAMES, top = project) =>
  (await createDocuments()({ top, commit: at }, names)) ?? [];
const namesOf = async (...given: Parameters<typeof read>) => (await read(...given)).map(({ name }) => name);

test("[BR12] the project's documents are read from its top and from .planning", async () => {
  const files = {
    "ROADMAP.md": "# Roadmap\n",
    ".planning/STATE.md": "Phase 2",
    "src/deep/CONTEXT.md": "not looked for",
  };
  const at = createRepository(project, files);
  expect(await read(at)).toEqual([
    { name: "ROADMAP.md", text: "# Roadmap", cut: false },
    { name: ".planning/STATE.md", text: "Phase 2", cut: false },
  ]);
  expect(await namesOf(at, ["src/deep/CONTEXT.md"])).toEqual(["src/deep/CONTEXT.md"]);
});

test("[BR46] of the documents that each phase has, that of the latest phase is read", async () => {
  const at = createRepository(project, {
    ".planning/phases/03-store/03-CONTEXT.md": "3",
    ".planning/phases/9-answers/9-CONTEXT.md": "9",
    ".planning/phases/10-keys/10-CONTEXT.md": "10",
    ".planning/phases/11-later/11-RESEARCH.md": "11",
    ".planning/phases/notes.md": "no folder",
  });
  expect(await read(at)).toEqual([{ name: ".planning/phases/10-keys/10-CONTEXT.md", text: "10", cut: false }]);
});

test("[DC10] a commit is read as it was: what was written, committed, replaced or put under its name since counts nothing", async () => {
  const at = createRepository(project, { "ROADMAP.md": "PostgreSQL" });
  const blob = git(project, "rev-parse", `${at}:ROADMAP.md`);
  write(project, { "ROADMAP.md": "SQLite", "STATE.md": "SQLite" });
  expect(await read(at)).toEqual([{ name: "ROADMAP.md", text: "PostgreSQL", cut: false }]);
  const later = commit(project);
  expect(await read(at)).toEqual([{ name: "ROADMAP.md", text: "PostgreSQL", cut: false }]);
  git(project, "replace", blob, git(project, "rev-parse", `${later}:ROADMAP.md`));
  git(project, "replace", at, later);
  expect(git(project, "show", `${at}:ROADMAP.md`)).toBe("SQLite");
  expect(await read(at)).toEqual([{ name: "ROADMAP.md", text: "PostgreSQL", cut: false }]);
  const object = join(project, ".git/objects", blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o600);
  writeFileSync(object, deflateSync("blob 6\0SQLite"));
  expect(await read(at)).toEqual([]);
});

test("[DC11] reading a commit runs no program of the repository's settings", async () => {
  const ran = join(root, "ran");
  const evil = join(root, "evil.sh");
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${ran}\ncat\n`);
  chmodSync(evil, 0o700);
  const at = createRepository(project, { "ROADMAP.md": "PostgreSQL", ".gitattributes": "* filter=evil diff=evil\n" });
  const keys = ["core.fsmonitor", "filter.evil.smudge", "diff.evil.textconv", "core.pager", "core.sshCommand"];
  for (const key of [...keys, "core.alternateRefsCommand", "remote.origin.uploadpack"])
    git(project, "config", key, evil);
  for (const [key, value] of [
    ["remote.origin.url", `ext::${evil}`],
    ["remote.origin.promisor", "true"],
    ["extensions.partialClone", "origin"],
    ["protocol.ext.allow", "always"],
  ] as const)
    git(project, "config", key, value);
  expect(await namesOf(at)).toEqual(["ROADMAP.md"]);
  expect(await namesOf("1".repeat(40))).toEqual([]);
  expect(existsSync(ran) ? readFileSync(ran, "utf8") : "").toBe("");
});

test("[BR13] nothing outside the commit is read: no link, no path leads out", async () => {
  writeFileSync(join(root, "secret.md"), "secret");
  createRepository(project, { "inside.md": "mine" });
  symlinkSync(join(root, "secret.md"), join(project, "ROADMAP.md"));
  symlinkSync(root, join(project, ".planning"));
  symlinkSync("inside.md", join(project, "STATE.md"));
  const at = commit(project);
  const names = [...NAMES, "../secret.md", "x/../../secret.md", join(root, "secret.md"), "/etc/passwd", "", "."];
  expect(await read(at, names)).toEqual([]);
});

test("[BR14] folders, missing files, odd commits and odd repositories give nothing", async () => {
  const at = createRepository(project, { "STATE.md/x": "a folder" });
  expect(await read(at)).toEqual([]);
  for (const odd of ["", "HEAD", "--all", "0".repeat(40), "x".repeat(40)]) expect(await read(odd)).toEqual([]);
  for (const top of [root, "/", "/nowhere", join(project, "STATE.md")]) expect(await read(at, NAMES, top)).toEqual([]);
});

test("[DC12] a worktree, a submodule, packed and SHA-256 repositories are read like any other", async () => {
  const at = createRepository(project, { "ROADMAP.md": "PostgreSQL" });
  git(project, "worktree", "add", "-q", join(root, "tree"));
  expect(await namesOf(at, NAMES, join(root, "tree"))).toEqual(["ROADMAP.md"]);
  git(project, "gc", "-q");
  expect(await namesOf(at)).toEqual(["ROADMAP.md"]);
  const outer = join(root, "outer");
  createRepository(outer, {});
  git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", project, "inner");
  expect(await namesOf(at, NAMES, join(outer, "inner"))).toEqual(["ROADMAP.md"]);
  const other = join(root, "sha256");
  git(root, "init", "-q", "--object-format=sha256", other);
  expect(await namesOf(commit(other, { "ROADMAP.md": "x" }), NAMES, other)).toEqual(["ROADMAP.md"]);
});

test("[BR15] a large document is cut at a character, all together stay small, and hidden characters are gone", async () => {
  const many = Object.fromEntries(
    ["a", "b", "c", "d"].map((name) => [`${name}.md`, `${name}${"x".repeat(24 * 1024)}`]),
  );
  const at = createRepository(project, {
    "ROADMAP.md": "ä€".repeat(10_000),
    "STATE.md": "plain\u202e text\x1b[2J",
    "huge.md": "x".repeat(2 * 1024 * 1024),
    ...many,
  });
  const [state, roadmap, ...others] = await read(at, ["huge.md", "STATE.md", "ROADMAP.md"]);
  expect(others).toEqual([]);
  expect(state?.text).toBe("plain text");
  expect(roadmap?.cut).toBe(true);
  expect(roadmap?.text).toMatch(/^(ä€)+ä?$/);
  expect(Buffer.byteLength(roadmap?.text ?? "")).toBeLessThanOrEqual(24 * 1024);
  const all = await read(at, Object.keys(many));
  expect(all.map(({ text }) => text.length)).toEqual([24 * 1024, 24 * 1024, 16 * 1024]);
});
