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
  store: ["core", "machine"],
  lab: ["core", "machine"],
  agents: ["core", "machine", "lab"],
  keys: ["core", "machine", "agents"],
  brain: ["core", "machine", "agents"],
  // Agents: only the names of their variables.
  client: ["core", "machine", "protocol", "agents"],
  tool: ["core", "dialog", "machine", "protocol", "client"],
  hook: ["core", "machine", "protocol", "agents", "client"],
  acp: ["core", "machine", "client"],
  inbox: ["core", "machine", "protocol", "store", "agents"],
  delivery: ["core", "machine", "protocol", "store", "agents", "keys", "inbox"],
  runner: ["core", "machine", "store", "agents", "inbox", "delivery"],
  autopilot: ["core", "machine", "store", "agents", "inbox", "brain"],
  notify: ["core", "machine", "protocol", "store", "agents", "inbox"],
  // The machine's side of a hub, and the hub itself: neither knows the other.
  "hub-link": ["core", "machine", "protocol", "store", "inbox"],
  // Notify: how a push is written and sent.
  hub: ["core", "machine", "protocol", "store", "notify"],
  daemon: [
    "hub-link",
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
  "serve.ts": ["core", "machine", "store", "daemon", "surfaces"],
  "backups.ts": ["core", "machine", "store"],
  "hubs.ts": ["core", "machine", "protocol", "store", "hub", "surfaces"],
  "main.ts": ["serve.ts", "backups.ts", "hubs.ts", "hook", "acp", "runner", "surfaces"],
};
/** The packages each folder may use; one that is not here uses none. */
const OUTSIDE: Record<string, readonly string[]> = {
  core: ["zod", "diff", "unbash"],
  machine: ["smol-toml", "@simplewebauthn/server"],
  dialog: ["@earendil-works/pi-tui"],
  protocol: ["zod"],
  store: ["postgres"],
  hub: ["@simplewebauthn/server"],
  lab: ["zod"],
  agents: ["zod", "jsonc-parser"],
  brain: ["zod"],
  notify: ["zod"],
  tool: ["zod", "@modelcontextprotocol/server"],
  daemon: ["zod"],
  // zod: where a command reads somebody's file.
  surfaces: ["zod", "@earendil-works/pi-tui", "@modelcontextprotocol/server/stdio", "preact", "preact/hooks", "uqr"],
};
const FORBIDDEN_NAMES = /^(utils?|helpers?|common|shared|misc|manager|types|legacy|index)(\.|$)|v2|-store\.ts$/i;

const files = [...new Glob("**/*.{ts,tsx}").scanSync(src)].filter((file) => !file.includes("/fixtures/")).toSorted();
const sources = await Promise.all(files.map(async (file) => ({ file, text: await Bun.file(join(src, file)).text() })));
const product = sources.filter(({ file }) => !file.endsWith(".test.ts"));
const folderOf = (file: string) => file.split("/")[0] ?? file;

test("[A1] imports point downward only", () => {
  const upward = product.flatMap(({ file, text }) =>
    targetsOf(file, text)
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
  const client = loadedWith("client/library.ts");
  const form = loadedWith("core/form/library.ts");
  expect([...packagesOf(client)].filter((name) => !name.startsWith("node:"))).toEqual(["zod"]);
  expect([...packagesOf(form)]).toEqual([]);
  expect(client.map(({ file }) => file)).toContain("client/start-daemon.ts");
  const bound = client.filter(({ text }) => /\bBun\.\w|import\.meta\.(dir|path)/.test(text));
  expect(bound.map(({ file }) => file)).toEqual([]);

  /** Also what is loaded later. */
  function loadedWith(entry: string) {
    const files = reachedFrom(entry, new Map(product.map(({ file, text }) => [file, targetsOf(file, run(text))])));
    return product.filter(({ file }) => file === entry || files.has(file));
  }

  function packagesOf(loaded: typeof product) {
    return new Set(loaded.flatMap(({ text }) => importsOf(run(text)).filter((name) => !name.startsWith("."))));
  }

  function run(text: string) {
    return text.replaceAll(/^(?:import|export) type [^;]*;/gm, "");
  }
});

test("[CN13] the page calls the API by the names of its endpoints", () => {
  const written = product.filter(({ file, text }) => file.startsWith("surfaces/web/page/") && text.includes("/api/"));
  expect(written.map(({ file }) => file)).toEqual([]);
});

test("[A9] a folder uses the packages it is allowed, and all of them", () => {
  const used = new Map<string, Set<string>>();
  for (const { file, text } of product)
    for (const name of importsOf(text).filter((each) => !/^(\.|node:|bun(:|$))/.test(each)))
      used.set(folderOf(file), (used.get(folderOf(file)) ?? new Set()).add(name));
  const sorted = (names: Iterable<string>) => [...names].toSorted();
  const found = Object.fromEntries([...used].map(([folder, names]) => [folder, sorted(names)]));
  expect(found).toEqual(Object.fromEntries(Object.entries(OUTSIDE).map(([folder, names]) => [folder, sorted(names)])));
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

test("[A10] a folder shows what is in it: no more than 25 files in a row", () => {
  const counted = Map.groupBy(product, ({ file }) => dirname(file));
  const long = [...counted].filter(([, inside]) => inside.length > 25).map(([folder, { length }]) => [folder, length]);
  expect(long).toEqual([]);
});

test("[A6] shared code never branches on an agent's name", () => {
  const branching = product
    .filter(({ file }) => !/^(agents|lab|main\.ts)/.test(file) && !file.startsWith("surfaces/cli/setup"))
    .filter(({ text }) => /===\s*"(claude-code|opencode|codex|pi|gemini)"/.test(text));
  expect(branching.map(({ file }) => file)).toEqual([]);
});

test("[EF11] options act by their effect: no code compares a label with words of ours", () => {
  const comparing = product
    // What an agent's own options say is the agent's to know.
    .filter(({ file }) => file !== "core/ask/before-effects.ts" && !/^agents\/[^/]+\//.test(file))
    .flatMap(({ file, text }) => [
      ...[...text.matchAll(/\blabel\b\s*[!=]==?\s*["'`][^"'`]+["'`]/g)].map(([found]) => `${file}: ${found}`),
      ...[...text.matchAll(/\b\w+\[(?:\w+\??\.)*label\b[^\]]*\]/g)].map(([found]) => `${file}: ${found}`),
    ]);
  expect(comparing).toEqual([]);
});

test("[EF12] only the inbox writes to Asks: whoever else appends to the store names a task or a session, and nothing beside it", () => {
  const appends = product
    .filter(({ file }) => folderOf(file) !== "inbox" && folderOf(file) !== "store")
    .filter(({ text }) => importsOf(text).some((name) => name.includes("/store/")))
    .flatMap(({ file, text }) => [...text.matchAll(/\bappend\b/g)].map(({ index }) => [file, text.slice(index)]));
  const wrong = appends.filter(([, text = ""]) => {
    const change = /^append\(\{ at: now\(\), (?:task|session): (\{[^;]*?\}) \}\)/.exec(text)?.[1];
    return change === undefined || /\bask\b/.test(change.replaceAll(/"[^"]*"/g, ""));
  });
  expect(appends).not.toEqual([]);
  expect(wrong.map(([file, text = ""]) => `${file}: ${text.split("\n")[0]}`)).toEqual([]);
});

test("[SX21] only store/sqlite knows SQLite", () => {
  // An agent's own database, which is only read.
  const allowed = ["store/sqlite/", "agents/opencode/record.ts", "agents/opencode/service/record.ts"];
  const outside = product.filter(({ file }) => !allowed.some((place) => file.startsWith(place)));
  expect(outside.filter(({ text }) => importsOf(text).includes("bun:sqlite")).map(({ file }) => file)).toEqual([]);
});

test("[SX22] what every engine shares knows none of them, nor one engine another", () => {
  const engineOf = (file: string) => /^store\/(sqlite|postgres)\//.exec(file)?.[1];
  const knowing = product
    .filter(({ file }) => folderOf(file) === "store")
    .filter(({ file, text }) =>
      targetsOf(file, text).some((target) => engineOf(target) !== undefined && engineOf(target) !== engineOf(file)),
    );
  expect(knowing.map(({ file }) => file)).toEqual([]);
});

test("[HB1] only store/postgres knows PostgreSQL", () => {
  const outside = product.filter(({ file }) => !file.startsWith("store/postgres/"));
  expect(outside.filter(({ text }) => importsOf(text).includes("postgres")).map(({ file }) => file)).toEqual([]);
});

/** Who may say a word of an agent outside that agent's folder, and why. */
const MAY_NAME: Record<string, string> = {
  "agents/": "their folders, and the registry",
  "lab/": "runs the real ones",
  "tool/": "names that hosts of the tool expect",
  "brain/claude.ts": "the brain that is Claude Code",
  "brain/create-brain.ts": "makes it",
  "core/autopilot/brain-config.ts": "its settings",
  "core/autopilot/category/label-kind.ts": "words that models write into options",
  "core/autopilot/gate/": "words of languages",
  "core/ask/before-effects.ts": "labels as earlier versions stored them",
  "core/receipt/mismatch.ts": "the heading and paragraph that deciders are promised",
  "core/words/": "sentences for people",
  "core/ask/answer/agreement.ts": "an example of a name",
  "core/task/usage.ts": "what was seen of a version",
  "runner/run/end-run.ts": "what was seen of it",
  "surfaces/cli/redact.ts": "field names that may be shown",
  "surfaces/cli/scan/scan-words.ts": "sentences for people",
  "surfaces/cli/doctor/": "help for people",
  "surfaces/cli/commands/": "help and examples for people",
};

test("[A8] no word of an agent outside its folder, but where people read it", () => {
  const words = /claude|AskUserQuestion|tool_use|hook_event_name|opencode/i;
  const naming = product.filter(({ text }) => words.test(text)).map(({ file }) => file);
  const allowed = Object.keys(MAY_NAME);
  expect(naming.filter((file) => !allowed.some((place) => file.startsWith(place)))).toEqual([]);
  expect(allowed.filter((place) => !naming.some((file) => file.startsWith(place)))).toEqual([]);
});

test("[A7] no file imports itself in a circle", () => {
  // What is loaded only when it is needed is no circle.
  const declared = (text: string) => text.replaceAll(/\bimport\("[^"]+"\)/g, "");
  const imports = new Map(product.map(({ file, text }) => [file, targetsOf(file, declared(text))]));
  expect([...imports.keys()].filter((file) => reachedFrom(file, imports).has(file))).toEqual([]);
});

/** Itself only where it is in a circle. */
function reachedFrom(file: string, imports: Map<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  for (const left = [...(imports.get(file) ?? [])]; left.length > 0;) {
    const next = left.pop() ?? "";
    if (reached.has(next)) continue;
    reached.add(next);
    left.push(...(imports.get(next) ?? []));
  }
  return reached;
}

/** The files of src that it imports. */
function targetsOf(file: string, text: string): string[] {
  const names = importsOf(text).filter((name) => name.startsWith("."));
  return names.map((name) => relative(src, join(src, dirname(file), name)));
}

function importsOf(text: string): string[] {
  const declared = text.matchAll(/^(?:import|export)\b[^"';]*\bfrom\s*"([^"]+)"/gm);
  const loaded = text.matchAll(/\bimport\("([^"]+)"\)/g);
  return [...declared, ...loaded].flatMap((match) => match[1] ?? []);
}
