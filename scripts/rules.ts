// Prints the rules that tests quote in their titles: `bun scripts/rules.ts [prefix or id …]`.
import { rulesIn } from "../test/rules.ts";

const wanted = process.argv.slice(2);
const isWanted = (id: string) =>
  wanted.length === 0 || wanted.some((word) => word === id || id.replace(/\d+$/, "") === word);
for (const [id, rules] of [...(await rulesIn())].toSorted(byId))
  if (isWanted(id)) for (const { title, file } of rules) console.log(`[${id}] ${title}  (${file})`);

function byId([a]: [string, unknown], [b]: [string, unknown]): number {
  return a.localeCompare(b, "en", { numeric: true });
}
