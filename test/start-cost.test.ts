import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

const src = join(import.meta.dir, "../src");
/** Types cost nothing: only what is loaded when the file is. */
const LOADED = /^(?:import|export)\s+(?!type\b)[^"';]*?\bfrom\s*"([^"]+)"/gm;

test.each([
  ["hook/hook.ts"],
  ["surfaces/cli/run.ts"],
  ["surfaces/cli/commands/every-day/ls.ts"],
  ["surfaces/cli/commands/every-day/status.ts"],
  ["surfaces/cli/commands/task/tasks.ts"],
  ["surfaces/cli/commands/upkeep/complete.ts"],
  ["surfaces/cli/commands/script/scan.ts"],
  ["agents/claude-code/transcript.ts"],
])("[PF5] a hook, and a command that only looks, load no schema library: %s", async (entry) => {
  const loaded = await loadedBy(join(src, entry));
  expect(loaded.files.size).toBeGreaterThan(3);
  expect([...loaded.packages].filter((name) => !name.startsWith("node:"))).toEqual([]);
});

test.each([["hook/hook.ts"], ["surfaces/cli/run.ts"], ["surfaces/cli/commands/every-day/ls.ts"]])(
  "[LZ5] nor the parts of the runtime that take milliseconds: %s",
  async (entry) => {
    const { packages } = await loadedBy(join(src, entry));
    expect([...packages].filter((name) => !["node:fs", "node:path"].includes(name))).toEqual([]);
  },
);

test.each([["claude-code"], ["copilot"]])("[PF15] the hook of an agent takes six files in all: %s", async (agent) => {
  const entries = ["main.ts", "hook/hook.ts", `agents/${agent}/hook-side.ts`];
  const loaded = await Promise.all(entries.map((entry) => loadedBy(join(src, entry))));
  const files = new Set(loaded.flatMap((each) => [...each.files]));
  expect([...files].map((file) => file.slice(src.length + 1)).toSorted()).toEqual(
    [
      "agents/hook-side-of.ts",
      `agents/${agent}/hook-side.ts`,
      "client/wire.ts",
      "hook/hook.ts",
      "machine/home.ts",
      "main.ts",
    ].toSorted(),
  );
});

test("[CM1] the table is there before any command is loaded", async () => {
  const { files } = await loadedBy(join(src, "surfaces/cli/run.ts"));
  const names = [...files].map((file) => file.slice(src.length + 1));
  expect(names).toContain("surfaces/cli/command-line/table.ts");
  expect(names.filter((name) => /^surfaces\/(cli\/(commands|doctor)|tui)\//.test(name))).toEqual([]);
});

test("[RE16] the daemon loads no library of a service that nobody has set up", async () => {
  const { packages } = await loadedBy(join(src, "serve.ts"));
  const others = [...packages].filter((name) => !/^(node|bun):/.test(name));
  expect(others.filter((name) => /slack|telegram|grammy|web-push/.test(name))).toEqual([]);
  expect(others).toContain("zod");
});

async function loadedBy(entry: string): Promise<{ files: Set<string>; packages: Set<string> }> {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  for (const left = [entry]; left.length > 0;) {
    const file = left.pop() ?? "";
    if (files.has(file)) continue;
    files.add(file);
    for (const [, name = ""] of (await Bun.file(file).text()).matchAll(LOADED))
      if (name.startsWith(".")) left.push(join(dirname(file), name));
      else packages.add(name);
  }
  return { files, packages };
}
