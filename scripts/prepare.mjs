// Run by npm when this folder is installed, also as a dependency (`npm i <this folder>`): other programs load dist/library.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bun = join(root, "node_modules/.bin/bun");
const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] }).status ?? 1;

// `npm start` and `npm test` need no library, and a person waits for the first one.
if (process.env.PARLEY_NO_LIBRARY) process.exit(0);
// As a dependency npm only links the folder, without what it depends on; that install comes back here.
process.exit(
  existsSync(bun)
    ? run(bun, [join(root, "scripts/build-library.ts")])
    : run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]),
);
