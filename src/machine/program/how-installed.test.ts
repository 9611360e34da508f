import { expect, test } from "bun:test";
import { upgradeCommand } from "./how-installed.ts";

test("[SX33] npm is told the prefix where this Parley lies, unless it goes there by itself", () => {
  const installed = { by: "npm", folder: "/home/a b/npm/lib/node_modules/parley-inbox" } as const;
  const usual = ["npm", "install", "-g", "parley-inbox@latest"];
  expect(upgradeCommand(installed)).toEqual(usual);
  expect(upgradeCommand(installed, "/home/a b/npm")).toEqual(usual);
  expect(upgradeCommand(installed, "/usr")).toEqual([
    "npm",
    "install",
    "-g",
    "--prefix",
    "/home/a b/npm",
    "parley-inbox@latest",
  ]);
});
