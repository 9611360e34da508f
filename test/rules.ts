import { Glob } from "bun";
import { join } from "node:path";

export const root = join(import.meta.dir, "..");
const TITLE = /"\[([A-Z]{1,2}\d+)\] ((?:[^"\\]|\\.)*)|`\[([A-Z]{1,2}\d+)\] ([^`]*)/g;

/** Every rule that the title of a test quotes, with its tests. */
export async function rulesIn(): Promise<Map<string, { title: string; file: string }[]>> {
  const rules = new Map<string, { title: string; file: string }[]>();
  for (const folder of ["src", "test"])
    for await (const name of new Glob("**/*.ts").scan(join(root, folder))) {
      if (!/\.test\.ts$|contract\//.test(name) || name.includes("node_modules")) continue;
      const file = `${folder}/${name}`;
      for (const [, id, title, id2, title2] of (await Bun.file(join(root, file)).text()).matchAll(TITLE)) {
        const key = id ?? id2 ?? "";
        rules.set(key, [...(rules.get(key) ?? []), { title: title ?? title2 ?? "", file }]);
      }
    }
  return rules;
}
