import { expect, test } from "bun:test";
import { Glob } from "bun";
import { dirname, join, relative } from "node:path";

const src = join(import.meta.dir, "../src");

/** What each folder of src/ may import, itself always included. Imports go down only. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  machine: ["core"],
  dialog: ["core"],
  protocol: ["core"],
  store: ["core"],
  agents: ["core", "machine"],
  keys: ["core", "machine", "agents"],
  brain: ["core", "machine", "agents"],
  client: ["core", "machine", "protocol"],
  tool: ["core", "dialog", "machine", "protocol", "client"],
  hook: ["core", "machine", "protocol", "agents", "client"],
  inbox: ["core", "machine", "protocol", "store", "agents"],
  delivery: ["core", "machine", "protocol", "store", "agents", "keys", "inbox"],
  runner: ["core", "machine", "store", "agents", "delivery"],
  autopilot: ["core", "machine", "store", "agents", "brain"],
  notify: ["core", "machine", "protocol", "store", "agents", "inbox"],
  daemon: [
    "core",
    "machine",
    "protocol",
    "store",
    "agents",
    "inbox",
    "delivery",
    "notify",
    "runner",
    "brain",
    "autopilot",
    "keys",
  ],
  // The lab, because `parley doctor --live` runs the installed agent just as the tests do.
  surfaces: ["core", "dialog", "machine", "protocol", "client", "agents", "keys", "tool", "lab"],
  lab: ["core", "machine"],
  "serve.ts": ["core", "machine", "store", "daemon", "surfaces"],
  "backups.ts": ["core", "machine", "store", "daemon"],
  "main.ts": ["serve.ts", "backups.ts", "hook", "runner", "surfaces"],
};
const OUTSIDE: Record<string, readonly string[]> = { core: ["zod", "diff"], dialog: ["@earendil-works/pi-tui"] };
const FORBIDDEN_NAMES = /^(utils?|helpers?|common|shared|misc|manager|types|legacy|index)(\.|$)|v2|-store\.ts$/i;

const files = [...new Glob("**/*.{ts,tsx}").scanSync(src)].filter((file) => !file.includes("/fixtures/")).toSorted();
const sources = await Promise.all(files.map(async (file) => ({ file, text: await Bun.file(join(src, file)).text() })));
const product = sources.filter(({ file }) => !file.endsWith(".test.ts"));
const folderOf = (file: string) => file.split("/")[0] ?? file;

test("[A1] imports point downward only", () => {
  const upward = product.flatMap(({ file, text }) =>
    importsOf(text)
      .filter((name) => name.startsWith("."))
      .map((name) => relative(src, join(src, dirname(file), name)))
      .filter((target) => !target.startsWith("..") && folderOf(target) !== folderOf(file))
      .filter((target) => !(MAY_IMPORT[folderOf(file)] ?? []).includes(folderOf(target)))
      .map((target) => `${file} imports ${target}`),
  );
  expect(upward).toEqual([]);
});

test("[A2] core is pure: no platform import, no clock, no randomness", () => {
  const impure = product
    .filter(({ file }) => folderOf(file) === "core")
    .flatMap(({ file, text }) => [
      ...importsOf(text)
        .filter((name) => !name.startsWith(".") && !OUTSIDE["core"]?.includes(name))
        .map((name) => `${file} imports ${name}`),
      ...[...text.matchAll(/\b(Date\.now|new Date\(\)|Math\.random|process\.|Bun\.)/g)].map(
        (m) => `${file} uses ${m[0]}`,
      ),
    ]);
  expect(impure).toEqual([]);
});

test("[DG53] the dialog runs on any Node: core, pi-tui and node itself, no Bun", () => {
  const foreign = product
    .filter(({ file }) => folderOf(file) === "dialog")
    .flatMap(({ file, text }) => [
      ...importsOf(text)
        .filter((name) => !name.startsWith(".") && !name.startsWith("node:") && !OUTSIDE["dialog"]?.includes(name))
        .map((name) => `${file} imports ${name}`),
      ...(/\bBun\.\w\./.test(text) ? [`${file} uses Bun`] : []),
    ]);
  expect(foreign).toEqual([]);
});

test("[CN7] what Node loads of the client and the form names no Bun; the form needs no package, the client zod alone", () => {
  const client = reachedFrom("client/library.ts");
  const form = reachedFrom("core/form/library.ts");
  expect([...client.packages].filter((name) => !name.startsWith("node:"))).toEqual(["zod"]);
  expect([...form.packages]).toEqual([]);
  expect(client.files).toContain("client/start-daemon.ts");
  const bound = product.filter(
    ({ file, text }) => client.files.has(file) && /\bBun\.\w|import\.meta\.(dir|path)/.test(text),
  );
  expect(bound.map(({ file }) => file)).toEqual([]);
});

test("[CN13] the page calls the API by the names of its endpoints", () => {
  const written = product.filter(({ file, text }) => file.startsWith("surfaces/web/page/") && text.includes("/api/"));
  expect(written.map(({ file }) => file)).toEqual([]);
});

test("[A3] every folder of src is named in the table", () => {
  const unknown = [...new Set(product.map(({ file }) => folderOf(file)))].filter((folder) => !(folder in MAY_IMPORT));
  expect(unknown).toEqual([]);
});

test("[A4] names say what a file is", () => {
  const vague = product.filter(({ file }) => file.split("/").some((part) => FORBIDDEN_NAMES.test(part)));
  const notKebab = product.filter(({ file }) => !/^[a-z0-9./-]+$/.test(file));
  expect([...vague, ...notKebab].map(({ file }) => file)).toEqual([]);
});

test("[A5] no source file is longer than 300 lines", () => {
  const long = product.map(({ file, text }) => [file, text.split("\n").length] as const).filter(([, n]) => n > 300);
  expect(long).toEqual([]);
});

test("[A6] shared code never branches on an agent's name", () => {
  const branching = product
    .filter(({ file }) => !/^(agents|lab|main\.ts)/.test(file) && !file.startsWith("surfaces/cli/setup"))
    .filter(({ text }) => /===\s*"(claude-code|opencode|codex|gemini)"/.test(text));
  expect(branching.map(({ file }) => file)).toEqual([]);
});

/** Everything that is loaded with it, or later by it. */
function reachedFrom(entry: string): { files: Set<string>; packages: Set<string> } {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  for (const left = [entry]; left.length > 0;) {
    const file = left.pop() ?? "";
    if (files.has(file)) continue;
    files.add(file);
    const text = product.find((source) => source.file === file)?.text ?? "";
    for (const name of importsOf(text.replaceAll(/^(?:import|export) type [^;]*;/gm, "")))
      if (name.startsWith(".")) left.push(relative(src, join(src, dirname(file), name)));
      else packages.add(name);
  }
  return { files, packages };
}

function importsOf(text: string): string[] {
  const declared = text.matchAll(/^(?:import|export)\b[^"';]*\bfrom\s*"([^"]+)"/gm);
  const loaded = text.matchAll(/\bimport\("([^"]+)"\)/g);
  return [...declared, ...loaded].flatMap((match) => match[1] ?? []);
}
