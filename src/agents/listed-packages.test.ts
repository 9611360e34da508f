import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listedPackages } from "./listed-packages.ts";

test("[SP15] a package in an agent's own list is found by its name or its folder, and taken out to the byte", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-listed-"));
  try {
    mkdirSync(join(root, "ours"));
    writeFileSync(join(root, "ours/package.json"), '{"name":"parley-opencode"}');
    mkdirSync(join(root, "theirs"));
    writeFileSync(join(root, "theirs/package.json"), "{");
    const file = join(root, "opencode.json");
    const without = async (text: string) => {
      writeFileSync(file, text);
      const [found] = await listedPackages({
        files: [join(root, "none"), file],
        key: "plugin",
        name: "parley-opencode",
      });
      return found && [found.names, found.after];
    };
    expect(
      await without('{ // mine\n  "plugin": ["a", "parley-opencode@1.0.0", "./ours", "./theirs"],\n  "x": 1, }\n'),
    ).toEqual([["parley-opencode@1.0.0", "./ours"], '{ // mine\n  "plugin": ["a", "./theirs"],\n  "x": 1, }\n']);
    expect(
      await without(`{"plugin":[["parley-opencode",{"a":1}],{"source":"npm:parley-opencode"},"file://${root}/ours"]}`),
    ).toEqual([["parley-opencode", "npm:parley-opencode", `file://${root}/ours`], '{"plugin":[]}']);
    for (const odd of [
      "",
      "[]",
      '["parley-opencode"]',
      "{",
      '{"plugin":"parley-opencode"}',
      '{"plugin":[1,null,"parley-opencode-2"]}',
    ])
      expect(await without(odd)).toBeUndefined();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
