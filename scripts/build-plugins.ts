// Writes plugins/: what hosts install by themselves. A test compares what is there with what this would write.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pluginFiles } from "../src/agents/plugins.ts";

const root = join(import.meta.dir, "..");
const { version } = (await Bun.file(join(root, "package.json")).json()) as { version: string };
copyFileSync(
  join(root, "src/surfaces/web/page/icon-512.png"),
  join(root, "plugins/claude-code/.claude-plugin/icon.png"),
);
for (const [path, text] of Object.entries(pluginFiles(version))) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(path);
}
