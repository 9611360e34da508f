import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocuments } from "./documents.ts";

const NAMES = ["ROADMAP.md", "STATE.md", "CONTEXT.md"];
let root: string;
let project: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-documents-"));
  project = join(root, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, "src/deep"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const write = (name: string, text: string) => writeFileSync(join(project, name), text);
const namesOf = async (...given: Parameters<typeof readDocuments>) =>
  (await readDocuments(...given)).map(({ name }) => name);

test("[BR12] the project's documents are read from its top and from .planning, wherever in it the agent works", async () => {
  mkdirSync(join(project, ".planning"));
  write("ROADMAP.md", "# Roadmap\n");
  write(".planning/STATE.md", "Phase 2");
  write("src/deep/CONTEXT.md", "not looked for");
  expect(await readDocuments(join(project, "src/deep"), NAMES)).toEqual([
    { name: "ROADMAP.md", text: "# Roadmap", cut: false },
    { name: ".planning/STATE.md", text: "Phase 2", cut: false },
  ]);
  expect(await namesOf(project, ["src/deep/CONTEXT.md"])).toEqual(["src/deep/CONTEXT.md"]);
});

test("[BR46] of the documents that each phase has, that of the phase worked on last is read", async () => {
  const phase = (folder: string, minute: number, ...files: string[]) => {
    mkdirSync(join(project, ".planning/phases", folder), { recursive: true });
    for (const file of files) write(join(".planning/phases", folder, file), folder);
    utimesSync(join(project, ".planning/phases", folder), minute, minute);
  };
  phase("03-store", 30, "03-CONTEXT.md");
  phase("04-answers", 40, "04-CONTEXT.md", "04-01-PLAN.md");
  phase("05-later", 50, "05-RESEARCH.md");
  write(".planning/phases/notes.md", "no folder");
  expect(await readDocuments(project, NAMES)).toEqual([
    { name: ".planning/phases/04-answers/04-CONTEXT.md", text: "04-answers", cut: false },
  ]);
  rmSync(join(project, ".planning/phases"), { recursive: true });
  symlinkSync("/proc", join(project, ".planning/phases"));
  expect(await namesOf(project, ["status"])).toEqual([]);
});

test("[BR13] nothing outside the project is read: no link, no path leads out", async () => {
  writeFileSync(join(root, "secret.md"), "secret");
  mkdirSync(join(root, "elsewhere"));
  writeFileSync(join(root, "elsewhere/STATE.md"), "secret");
  symlinkSync(join(root, "secret.md"), join(project, "ROADMAP.md"));
  symlinkSync(join(root, "elsewhere"), join(project, ".planning"));
  symlinkSync("/dev/zero", join(project, "CONTEXT.md"));
  expect(await readDocuments(project, [...NAMES, "../secret.md", join(root, "secret.md"), "/etc/passwd"])).toEqual([]);
  write("inside.md", "mine");
  symlinkSync("inside.md", join(project, "link.md"));
  expect(await namesOf(project, ["link.md"])).toEqual(["link.md"]);
});

test("[BR14] pipes, folders, missing files and odd directories give nothing, and nobody waits for them", async () => {
  Bun.spawnSync(["mkfifo", join(project, "ROADMAP.md")]);
  mkdirSync(join(project, "STATE.md"));
  expect(await readDocuments(project, NAMES)).toEqual([]);
  for (const odd of [undefined, "relative", "/", `/${"x".repeat(5000)}`, "/nowhere"])
    expect(await readDocuments(odd, NAMES)).toEqual([]);
});

test("[BR15] a large document is cut at a character, all together stay small, and hidden characters are gone", async () => {
  write("ROADMAP.md", "ä€".repeat(10_000));
  for (const name of ["a", "b", "c", "d"]) write(`${name}.md`, "x".repeat(24 * 1024));
  write("STATE.md", "plain\u202e text\x1b[2J");
  const [state, roadmap] = await readDocuments(project, ["STATE.md", "ROADMAP.md"]);
  expect(state?.text).toBe("plain text");
  expect(roadmap?.cut).toBe(true);
  expect(roadmap?.text).toMatch(/^(ä€)+ä?$/);
  expect(Buffer.byteLength(roadmap?.text ?? "")).toBeLessThanOrEqual(24 * 1024);
  const all = await readDocuments(project, ["a.md", "b.md", "c.md", "d.md"]);
  expect(all.map(({ text }) => text.length)).toEqual([24 * 1024, 24 * 1024, 16 * 1024]);
});
