// Measurements of the surfaces. One that exports a part under its own name is run here; one that prints a table of its
// own is run as a program, and its lines are taken over.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Part, Row } from "./row.ts";
import { BUN } from "./stage.ts";

const NAMES = ["dialog", "inbox", "web"];

export async function surfaceParts(): Promise<Part[]> {
  const found = NAMES.map((name) => ({ name, file: join(import.meta.dir, `${name}.ts`) })).filter(({ file }) =>
    existsSync(file),
  );
  return Promise.all(
    found.map(({ name, file }) =>
      exportsPart(name, file) ? load(name, file) : Promise.resolve(asProgram(name, file)),
    ),
  );
}

function exportsPart(name: string, file: string): boolean {
  return readFileSync(file, "utf8").includes(`export const ${name}: Part`);
}

async function load(name: string, file: string): Promise<Part> {
  const exported = (await import(file)) as Record<string, Part | undefined>;
  const part = exported[name];
  if (!part) throw new Error(`${file} exports no part ${name}`);
  return part;
}

function asProgram(name: string, file: string): Part {
  return {
    name,
    about: `what bench/${name}.ts measures`,
    async run() {
      const child = Bun.spawn([...BUN, file], { stdio: ["ignore", "pipe", "inherit"] });
      const text = await child.stdout.text();
      if ((await child.exited) !== 0) throw new Error(`${file}: exit code ${child.exitCode}`);
      return rowsIn(text, name);
    },
  };
}

/** `| what | asks | median ms | p95 ms |`: the first column says what, the others are named by their heads. */
function rowsIn(text: string, name: string): Row[] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  const [heads = [], , ...rows] = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.map(([what = "", ...cells]) => ({
    what: `${name}: ${what}`,
    measured: cells.flatMap((cell, i) => (cell === "" ? [] : `${heads[i + 1]}: ${cell}`)).join(", "),
  }));
}
