import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const RULE = /\[([A-Z]{1,2}\d+)\]/g;
const idsIn = (text: string) => new Set([...text.matchAll(RULE)].flatMap((match) => match[1] ?? []));

const files = ["src", "test"].flatMap((folder) =>
  [...new Glob("**/*.ts").scanSync(join(root, folder))].map((file) => join(root, folder, file)),
);
const tests = files.filter((file) => /\.test\.ts$|\/contract\//.test(file) && !file.endsWith("/spec.test.ts"));
const quoted = idsIn((await Promise.all(tests.map((file) => Bun.file(file).text()))).join("\n"));
const spec = await Bun.file(join(root, "SPEC.md")).text();
const ruled = idsIn(spec);

test("[A7] every rule that a test quotes is in SPEC.md, and every rule there is quoted by a test", () => {
  const unknown = [...quoted].filter((id) => !ruled.has(id));
  const untested = [...ruled].filter((id) => !quoted.has(id) && id !== "A7");
  expect({ unknown, untested }).toEqual({ unknown: [], untested: [] });
});

test("[A7] a rule is written once", () => {
  const defined = [...spec.matchAll(/^- \[([A-Z]{1,2}\d+)\]/gm)].map((match) => match[1]);
  expect(defined.filter((id, i) => defined.indexOf(id) !== i)).toEqual([]);
});
